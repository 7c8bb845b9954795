import CBOR
import Checks
import Primitives

/// A message between a device and a nearby iPhone: a CBOR array of its number and its parts.
///
/// ```
/// Mac    --invitation-->    iPhone        shows a notification
/// Mac    <--accept--        iPhone        the person tapped it
/// Mac    --rawRequest-->    iPhone        once, and only to the iPhone that accepted first; its sandbox parses it
/// Mac    <--result--        iPhone        the response, or the reason for having none
/// Mac    --withdraw-->      iPhone        at any time: the page, the person, or another iPhone ended it
/// ```
///
/// Part of presentment's model of a nearby iPhone. Apple's messages are not public.
public enum NearbyMessage: Sendable, Equatable {
  /// A request that the iPhone may answer.
  case invitation(Invitation)
  /// The person tapped the notification, and the iPhone needs the request.
  case accept
  /// The request as the browser received it, in UTF-8 JSON.
  case rawRequest([UInt8])
  /// The end of the session at the iPhone.
  case result(NearbyResult)
  /// The end of the session at the Mac.
  case withdraw

  /// The longest message in bytes. A response with a portrait has less than a tenth.
  public static let maximumLength = 4 << 20

  /// The messages' numbers.
  private enum Number: Int {
    case invitation = 1, accept, rawRequest, result, withdraw
  }

  /// The encoding.
  public var bytes: [UInt8] {
    func array(_ number: Number, _ parts: [CBORValue] = []) -> [UInt8] {
      CBORValue.array([.integer(number.rawValue)] + parts).encoded
    }
    return switch self {
    case .invitation(let invitation): array(.invitation, invitation.parts)
    case .accept: array(.accept)
    case .rawRequest(let request): array(.rawRequest, [.bytes(request)])
    case .result(.response(let response)): array(.result, [.text(NearbyResult.responseName), .bytes(response)])
    case .result(.ended(let reason)): array(.result, [.text(reason.rawValue)])
    case .withdraw: array(.withdraw)
    }
  }

  /// Reads a message.
  /// - Throws: A failure of ``NearbyCheck/message``.
  public init(_ bytes: [UInt8]) throws(NearbyFailure) {
    do throws(CBORError) {
      let parts = try CBORReader.read(bytes, limits: Self.limits, readingEmbedded: false).array()
      func require(_ count: Int) throws(CBORError) {
        guard parts.count == count else {
          throw CBORError(.badValue, at: 0, "the message has \(parts.count) parts; expected \(count)")
        }
      }
      let number = try parts.at(0).integer()
      switch Number(rawValue: number) {
      case .invitation: self = .invitation(try Invitation(parts))
      case .accept:
        try require(1)
        self = .accept
      case .rawRequest:
        try require(2)
        self = .rawRequest(try parts.at(1).bytes())
      case .result:
        let name = try parts.at(1).text()
        if name.isExactly(NearbyResult.responseName) {
          try require(3)
          self = .result(.response(try parts.at(2).bytes()))
        } else {
          try require(2)
          guard let reason = NearbyResult.Reason.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
            throw CBORError(.badValue, at: 0, "unknown result")
          }
          self = .result(.ended(reason))
        }
      case .withdraw:
        try require(1)
        self = .withdraw
      case nil: throw CBORError(.badValue, at: 0, "unknown message \(number)")
      }
    } catch {
      throw NearbyFailure(.message, .malformed, adding: error.description)
    }
  }

  /// A message is an array of texts, numbers and byte strings, without nesting.
  private static let limits = CBORLimits(bytes: maximumLength, depth: 2, items: 16)
}

/// The end of a session at the iPhone.
public enum NearbyResult: Sendable, Equatable {
  /// The encrypted response for the website's server.
  case response([UInt8])
  /// The iPhone does not respond.
  case ended(Reason)

  /// The reasons for having no response.
  public enum Reason: String, Sendable, CaseIterable {
    /// The person cancelled in the selector or in an app's view.
    case cancelled
    /// The person declined the notification.
    case declined
    /// No app on the iPhone can answer.
    case noDocument = "no-document"
    /// The iPhone refused the request.
    case invalidRequest = "invalid-request"
    /// The invitation expired before the person tapped the notification.
    case timeout
    /// The iPhone is busy with another request.
    case requestInProgress = "request-in-progress"
    /// The app that the person picked could not respond.
    case failed
  }

  static let responseName = "response"
}
