import JSON
import Primitives

/// A request that has not been dropped, with its path in the options.
///
/// The browser looks at the data of `org-iso-mdoc` only (ISO/IEC TS 18013-7, Annex C): two base64url texts. The platform
/// decodes them.
struct CandidateRequest {
  private static let members = ["deviceRequest", "encryptionInfo"]

  let path: String
  let request: DigitalCredentialGetRequest

  /// A message about the first missing member of the data, or nil if the data has all required members.
  var missingMember: String? {
    requiredMembers.first { request.value.member($0) == nil }.map { "\(path).data.\($0) is required and is missing." }
  }

  /// A message about the first malformed member of the data, or nil if all required members are well-formed.
  var malformedMember: String? {
    for name in requiredMembers {
      guard let value = request.value.member(name) else { return missingMember }
      guard let text = value.text else { return "\(path).data.\(name) must be a string, but is \(value.kind)." }
      if text.isEmpty { return "\(path).data.\(name) must be unpadded base64url, but is empty." }
      if let violation = Base64URL.violation(in: text) {
        return "\(path).data.\(name) must be unpadded base64url, but \(violation)."
      }
    }
    return nil
  }

  private var requiredMembers: [String] {
    switch DigitalCredentialPresentationProtocol(rawValue: request.protocol) {
    case .mobileDocument: Self.members
    case .openID4VPUnsigned, .openID4VPSigned, .openID4VPMultisigned, nil: []
    }
  }
}
