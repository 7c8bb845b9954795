import COSE
import Crypto
import FoundationEssentials

/// The randomness of a simulated world: one seed, from which each label derives its own stream.
///
/// Each use has a label, such as `verifier/nonce`. Streams of different labels are independent, so the draws of one actor
/// never change those of another, whatever their order.
///
/// - Warning: For simulations only. The seed reveals every byte.
public struct Entropy: Hashable, Sendable {
  /// The origin of every stream. Printed with a run, so that the run can be repeated.
  public let seed: UInt64

  /// Creates the randomness of a world from its seed.
  public init(seed: UInt64) { self.seed = seed }

  /// Returns the stream of a label, from its beginning. Two calls give the same bytes.
  public func stream(_ label: String) -> EntropyStream { EntropyStream(seed: seed, label: label) }
}

/// A stream of bytes determined by a seed and a label: the SHA-256 digests of a domain, the seed, the label and a
/// counter, one after the other.
///
/// Every draw takes the next bytes. A copy repeats the bytes of the original, so keep a stream in one place. Draw numbers
/// with ``below(_:)`` and orders with ``shuffled(_:)``: the standard library may change its use of a generator in
/// `random(in:using:)` and `shuffled(using:)`, which would change every run.
///
/// - Warning: For simulations only.
public struct EntropyStream: RandomNumberGenerator, Sendable {
  /// The stream's label.
  public let label: String

  /// The bytes whose digest is the next block. The last 8 are the counter, most significant first.
  private var hashed: [UInt8]
  private var block: [UInt8] = []
  private var used = 0

  /// Separates these digests from all others, and these streams from those of a later derivation.
  private static let domain = Array("presentment/entropy/1".utf8)

  fileprivate init(seed: UInt64, label: String) {
    self.label = label
    hashed = []
    hashed.reserveCapacity(Self.domain.count + label.utf8.count + 3 * MemoryLayout<UInt64>.size)
    hashed += Self.domain
    hashed.appendBigEndian(seed)
    // The length separates the end of a label from the counter.
    hashed.appendBigEndian(UInt64(label.utf8.count))
    hashed.append(contentsOf: label.utf8)
    hashed.appendBigEndian(0)
  }

  /// Returns the next bytes.
  ///
  /// - Parameter count: The number of bytes, 0 or more.
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

  /// Returns the next 8 bytes as a number, most significant first.
  public mutating func next() -> UInt64 {
    var number: UInt64 = 0
    for _ in 0..<8 {
      if used == block.count { refill() }
      number = number << 8 | UInt64(block[used])
      used += 1
    }
    return number
  }

  /// Returns a number from 0 up to but not including `bound`, each equally likely.
  ///
  /// Takes 8 bytes, and 8 more as long as their number is in the incomplete last run of `bound` numbers.
  ///
  /// - Parameter bound: At least 1.
  public mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "the bound must be at least 1, found \(bound)")
    let bound = UInt64(bound)
    let incomplete = (UInt64.max % bound + 1) % bound
    var number = next()
    while number > UInt64.max - incomplete { number = next() }
    return Int(number % bound)
  }

  /// Returns the numbers 0 to `count` - 1 in a random order, each equally likely: Fisher and Yates, from the last place
  /// down.
  ///
  /// - Parameter count: The number of numbers, 0 or more.
  public mutating func permutation(_ count: Int) -> [Int] {
    var numbers = Array(0..<count)
    for place in stride(from: count - 1, to: 0, by: -1) { numbers.swapAt(place, below(place + 1)) }
    return numbers
  }

  /// Returns the elements in a random order, that of ``permutation(_:)``.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    permutation(elements.count).map { elements[$0] }
  }

  private mutating func refill() {
    block = SHA256.hash(data: hashed).bytes
    used = 0
    var place = hashed.count - 1
    while hashed[place] == 0xff {
      hashed[place] = 0
      place -= 1
    }
    hashed[place] += 1
  }
}

extension EntropyStream: CustomStringConvertible, CustomReflectable {
  /// The stream's label, without its bytes, from which keys are made.
  public var description: String { "EntropyStream(\(label))" }

  /// A mirror with the label only.
  public var customMirror: Mirror { Mirror(self, children: ["label": label]) }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }
}
