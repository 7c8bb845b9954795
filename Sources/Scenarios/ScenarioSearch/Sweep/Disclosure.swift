import JSON
import Messaging

/// The disclosures of an unaltered run: the bounds of every altered one.
struct Disclosure: Sendable {
  /// The elements in the results that servers sent after a verification that succeeded.
  private let elements: Set<Element>
  /// The number of steps before each release of a raw request.
  private let releases: [Int]

  /// A verified element with its value.
  private struct Element: Hashable, Sendable {
    let documentType: String
    let nameSpace: String
    let identifier: String
    /// The value in JSON, as it is spelled.
    let value: [UInt8]
  }

  /// The disclosure of a run.
  init(of replay: Replay) {
    (elements, releases) = Self.read(replay, except: nil)
  }

  /// Reads the elements and the releases of a run.
  private static func read(_ replay: Replay, except number: Int?) -> (elements: Set<Element>, releases: [Int]) {
    var steps = 0
    var elements: Set<Element> = []
    var releases: [Int] = []
    var isVerified = false
    for entry in replay.entries {
      switch entry.event {
      case .step: steps += 1
      case .consent(.requestReleased): releases.append(steps)
      case .verdict(let verdict): isVerified = verdict.verdict == .verified
      case .message(let message) where message.kind == .verificationResult:
        if isVerified, message.number != number { elements.formUnion((try? Self.elements(in: message.bytes)) ?? []) }
      default: break
      }
    }
    return (elements, releases)
  }

  /// The elements in a server's result, which lists the documents with their elements by name space.
  private static func elements(in result: [UInt8]) throws(JSONError) -> Set<Element> {
    var elements: Set<Element> = []
    for document in try JSONReader.item(result).item("documents").elements() {
      let documentType: String = try document.member("docType")
      for (nameSpace, values) in try document.item("elements").members() {
        for (identifier, value) in try values.members() {
          elements.insert(
            Element(
              documentType: documentType, nameSpace: nameSpace, identifier: identifier, value: value.bytes))
        }
      }
    }
    return elements
  }

  /// A rule that an altered run breaks, or nil. A server must not report verified elements that it does not report in the
  /// unaltered run, and the operating system must not release a raw request before the step in which the person agrees.
  /// - Parameters:
  ///   - number: the number of the altered message, whose bytes in the journal are not the sender's; nil for none.
  ///   - issuersAreAtFault: True if issuers sign other values than without the alteration.
  func violation(in replay: Replay, exceptMessage number: Int?, issuersAreAtFault: Bool = false) -> String? {
    let (elements, releases) = Self.read(replay, except: number)
    if !issuersAreAtFault, !elements.isSubset(of: self.elements) {
      return "a server reports verified elements that it does not report without the alteration"
    }
    for (release, usual) in zip(releases, self.releases) where release < usual {
      return "the operating system releases a raw request before the person agrees"
    }
    return releases.count > self.releases.count
      ? "the operating system releases more raw requests than without the alteration" : nil
  }
}
