import Crypto
import FoundationEssentials

/// The randomness of a simulated world: one seed, from which a label derives a stream of its own.
///
/// Whoever draws has a label, such as `verifier/nonce`. Streams of different labels have nothing to do with each other,
/// so the draws of one actor never move those of another, whatever order they happen in.
///
/// - Warning: For simulations only. Whoever knows the seed knows every byte.
public struct Entropy: Hashable, Sendable {
  /// What every stream follows from. Printed with a run, so that the run can be had again.
  public let seed: UInt64

  /// Makes the randomness of a world from its seed.
  public init(seed: UInt64) {
    self.seed = seed
  }

  /// The stream of a label, from its beginning: asking twice gives the same bytes twice.
  public func stream(_ label: String) -> EntropyStream {
    EntropyStream(seed: seed, label: label)
  }
}

/// A stream of bytes that a seed and a label decide: the SHA-256 digests of a domain, the seed, the label and a
/// counter, one after the other.
///
/// Every draw takes the next bytes. A copy goes on from where the original stood and gives the same bytes again, so
/// keep a stream in one place. Draw numbers with ``below(_:)`` and orders with ``shuffled(_:)``: how the standard
/// library's `random(in:using:)` and `shuffled(using:)` use a generator may change, and every run with it.
///
/// - Warning: For simulations only.
public struct EntropyStream: RandomNumberGenerator, Sendable {
  /// The label that the stream was asked for with.
  public let label: String

  private let labeled: SHA256
  private var counter: UInt64 = 0
  private var block: [UInt8] = []
  private var used = 0

  /// Tells these digests from all others, and these streams from those of a later derivation.
  private static let domain = Array("presentment/entropy/1".utf8)

  fileprivate init(seed: UInt64, label: String) {
    self.label = label
    var hash = SHA256()
    hash.update(data: Self.domain)
    hash.update(data: seed.bigEndianBytes)
    // The length keeps a label's end apart from the counter.
    hash.update(data: UInt64(label.utf8.count).bigEndianBytes)
    hash.update(data: Array(label.utf8))
    labeled = hash
  }

  /// The next bytes.
  ///
  /// - Parameter count: How many, 0 or more.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if used == block.count { refill() }
      let taken = min(count - bytes.count, block.count - used)
      bytes += block[used..<used + taken]
      used += taken
    }
    return bytes
  }

  /// The next 8 bytes as a number, most significant first.
  public mutating func next() -> UInt64 {
    var number: UInt64 = 0
    for _ in 0..<8 {
      if used == block.count { refill() }
      number = number << 8 | UInt64(block[used])
      used += 1
    }
    return number
  }

  /// A number from 0 up to but not including `bound`, each as likely as the others.
  ///
  /// Takes 8 bytes, and 8 more as long as the number they make lies in the incomplete last run of `bound` numbers.
  ///
  /// - Parameter bound: At least 1.
  public mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "there is no number from 0 up to but not including \(bound)")
    let bound = UInt64(bound)
    let incomplete = (UInt64.max % bound + 1) % bound
    var number = next()
    while number > UInt64.max - incomplete { number = next() }
    return Int(number % bound)
  }

  /// The elements in another order, each order as likely as the others: Fisher and Yates, from the last place down.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for place in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(place, below(place + 1))
    }
    return elements
  }

  private mutating func refill() {
    var hash = labeled
    hash.update(data: counter.bigEndianBytes)
    block = Array(hash.finalize())
    used = 0
    counter += 1
  }
}

extension EntropyStream: CustomStringConvertible, CustomReflectable {
  /// The stream's label; not its bytes, of which keys are made.
  public var description: String { "EntropyStream(\(label))" }

  /// A mirror that shows the label alone.
  public var customMirror: Mirror { Mirror(self, children: ["label": label]) }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}
