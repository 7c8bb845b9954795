import Checks

/// The checks of a list of issuing authorities' certificates, a VICAL (ISO/IEC 18013-5, annex C), in the order in which
/// they are made.
public enum VICALCheck: CheckFamily {
  case structure, signer, signature, contents, version, sequence, validity, entries

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, departs
    case untrusted, invalid
    case notYetValid = "not-yet-valid"
    case stale
    case mismatch, unusable
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .structure:
      CheckDefinition(
        "vical.structure", "the list is a signed message", clause: "ISO/IEC 18013-5, C.1.7.1",
        [
          .failure(Reason.malformed, "the list is not a signed message with certificates"),
          .deviation(Reason.departs, "the list departs from the required form"),
        ])
    case .signer:
      CheckDefinition(
        "vical.signer", "the list's signer leads to a trusted provider", clause: "ISO/IEC 18013-5, C.1.7.2",
        [
          .failure(Reason.untrusted, "the list's signer does not lead to a trusted provider"),
          .failure(Reason.invalid, "the certificate of the list's signer is not valid, or has another profile"),
          .deviation(Reason.departs, "the certificate of the list's signer departs from its profile"),
        ])
    case .signature:
      CheckDefinition(
        "vical.signature", "the signature of the list verifies", "the signature of the list does not verify",
        clause: "ISO/IEC 18013-5, C.1.7.1")
    case .contents:
      CheckDefinition(
        "vical.contents", "the contents of the list are well-formed", clause: "ISO/IEC 18013-5, C.1.7.1",
        [
          .failure(Reason.malformed, "the contents of the list are malformed"),
          .deviation(Reason.departs, "the contents of the list depart from the required form"),
        ])
    case .version:
      CheckDefinition(
        "vical.version", "the list has version 1.0", "the list has another version",
        clause: "ISO/IEC 18013-5, C.1.7.1")
    case .sequence:
      CheckDefinition(
        "vical.sequence", "the list is not older than the last one of its provider",
        "the list is older than the last one of its provider: withdrawn authorities would be trusted again",
        clause: "own rule")
    case .validity:
      CheckDefinition(
        "vical.validity", "the list is up to date", clause: "ISO/IEC 18013-5, C.1.7.1",
        [
          .failure(Reason.notYetValid, "the list is dated in the future"),
          .deviation(Reason.stale, "the next list is due: this one may lack authorities and name withdrawn ones"),
        ])
    case .entries:
      CheckDefinition(
        "vical.entries", "each entry describes its certificate", clause: "ISO/IEC 18013-5, C.1.7.1",
        [
          .deviation(Reason.mismatch, "an entry describes another certificate than its own; it is left out"),
          .deviation(Reason.unusable, "a certificate of the list cannot be used; it is left out"),
        ])
    }
  }
}
