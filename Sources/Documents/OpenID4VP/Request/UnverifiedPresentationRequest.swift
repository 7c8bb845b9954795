import Checks
import JOSE
import JSON
import Primitives

/// A request as received, split by its protocol (OpenID4VP, A.3). Trust nothing in it before ``RequestAuthenticator`` has
/// authenticated it.
public struct UnverifiedPresentationRequest: Sendable {
  /// The protocol.
  public let kind: OpenID4VPProtocol
  /// The data exactly as received: UTF-8 JSON.
  public let data: [UInt8]
  let content: Content

  enum Content {
    /// The parameters themselves.
    case unsigned(JSONItem)
    /// A signature over the parameters.
    case signed(JWS)
    /// Several signatures over the parameters.
    case multisigned(JWSJSONSerialization)
  }

  /// Reads the data of a request.
  /// - Parameters:
  ///   - identifier: The protocol's identifier, which decides how the data are read.
  ///   - data: UTF-8 JSON.
  /// - Throws: ``PresentationRequestFailure``.
  public init(protocol identifier: String, data: [UInt8]) throws(PresentationRequestFailure) {
    guard let kind = OpenID4VPProtocol(identifier: identifier) else {
      let isDraft = OpenID4VPProtocol.draftIdentifiers.contains { $0.isExactly(identifier) }
      throw PresentationRequestFailure(
        .protocolIdentifier, nil,
        isDraft ? "the protocol is one of OpenID4VP's drafts, which had other requests and responses" : nil,
        evidence: .field(
          "protocol", expected: OpenID4VPProtocol.allCases.map(\.rawValue).joined(separator: " or "),
          found: TerminalSafe.text(String(identifier.prefix(64)))))
    }
    self.kind = kind
    self.data = data
    guard data.count <= OpenID4VPLimits.requestBytes else {
      throw PresentationRequestFailure(
        .structure, because: "\(data.count) bytes are more than \(OpenID4VPLimits.requestBytes)")
    }
    let json: JSONItem
    do { json = try JOSEText.object(data, name: "the request") } catch {
      throw PresentationRequestFailure(
        error.evidence == JSONError.Code.repeatedName.rawValue ? .payload : .structure, because: error.message,
        found: error.evidence)
    }
    switch kind {
    case .unsigned: content = .unsigned(json)
    case .signed:
      guard let text = try? json.member("request") as String else {
        throw PresentationRequestFailure(.structure, because: "'request' is missing or is not a string")
      }
      do { content = .signed(try JWS(compact: text)) } catch {
        throw PresentationRequestFailure(check(of: error), because: error.message, found: error.evidence)
      }
    case .multisigned:
      do { content = .multisigned(try JWSJSONSerialization(json: json)) } catch {
        throw PresentationRequestFailure(.structure, because: error.message, found: error.evidence)
      }
    }
  }
}

/// Returns the check that a broken rule of a signed object belongs to.
func check(of error: JOSEError) -> PresentationRequestCheck {
  switch error.code {
  case .structure, .tooLarge: .structure
  case .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch: .algorithm
  case .type: .headerType
  case .signature, .signatureForm: .signature
  default: .header
  }
}
