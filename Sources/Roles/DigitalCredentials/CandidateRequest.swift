import Primitives

/// A request that may still reach the platform, with its place in the page's list.
///
/// Of the protocols only `org-iso-mdoc` has its data looked at (ISO/IEC TS 18013-7, Annex C): two texts in base64url.
/// What they encode is read by the platform, not here.
struct CandidateRequest {
  private static let members = ["deviceRequest", "encryptionInfo"]

  let path: String
  let request: DigitalCredentialGetRequest

  /// The required member that is missing from the data, in a sentence; nil when all are there.
  var missingMember: String? {
    requiredMembers.first { request.value.member($0) == nil }.map { "\(path).data.\($0) is required and is missing." }
  }

  /// The required member whose form is wrong, in a sentence; nil when all are in order.
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
