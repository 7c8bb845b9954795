import TestSupport

/// What the words of the vectors come to here: the one place to look at when codes change.
enum Expectations {
  /// The code that fails first for each `failing_check` of the synthetic set.
  static let codes: [String: String] = [
    "issuer-signature": "issuer.signature",
    "issuer-alg": "issuer.algorithm",
    "doctype": "mso.document-type",
    "validity": "mso.validity.not-yet-valid",
    "validuntil-after-ds": "mso.validity.beyond-signer",
    "device-signature": "device.signature",
    "device-auth": "device.mac",
    "key-authorization": "device.not-authorized",
    "ds-eku": "issuer.certificate-profile",
    "ds-profile": "issuer.certificate-profile",
    "ds-profile-457-days": "issuer.certificate-profile",
    "ds-validity": "issuer.certificate-expired",
    "state-match": "issuer.certificate-profile",
    "trust": "issuer.not-trusted",
    "duplicate-element": "element.twice",
    "digest": "element.not-covered",
    "version": "response.version",
    "cbor-structure": "response.malformed",
    "hpke": "response.hpke-open",
    "envelope": "response.envelope",
  ]

  /// The same for those of one name that differ.
  static let codesByEntry: [String: String] = [
    "neg-trailing-plaintext": "response.trailing-bytes",
    "neg-duplicate-key": "response.duplicate-key",
  ]

  /// The checks that deviate in entries of the synthetic set that are valid, or valid with a deviation.
  static let deviations: [String: [String]] = [
    "ok-tagged-issuerauth": ["issuer.malformed"],
    "ok-x5chain-protected": ["issuer.malformed"],
    "ok-fractional-seconds": ["mso.date"],
    "ok-untagged-dates": ["mso.date"],
    // Valid for one second, which is not how the standard orders the dates.
    "ok-boundary-valid": ["mso.validity.order"],
  ]

  /// Codes that fail in responses and documents of other implementations, besides those that follow from what is not
  /// published: the root, the transcript.
  static let failures: [String: [String]] = [
    // Whoever published these verifies with the signer's own certificate, which says nothing that a signer's must say.
    "mdoc-ts-google": ["issuer.certificate-profile"], "mdoc-ts-france": ["issuer.certificate-profile"],
    "auth0-mdl-example1": ["issuer.certificate-profile"], "auth0-mdl-example2": ["issuer.certificate-profile"],
    // The library cannot read this certificate.
    "mdoc-ts-ubique": ["issuer.malformed"],
    "longfellow-00": ["issuer.certificate-profile"], "longfellow-01": ["issuer.certificate-profile"],
    // Made by hand for tests: signed before the signer's certificate began, or after it ended.
    "longfellow-05": ["mso.validity.signed"], "longfellow-09": ["mso.validity.signed"],
    "longfellow-11": ["mso.validity.signed"], "longfellow-16": ["mso.validity.signed"],
    "longfellow-17": ["mso.validity.signed"], "longfellow-19": ["mso.validity.signed"],
    "longfellow-20": ["mso.validity.signed"], "eudi-verifier-MdlVP": ["mso.validity.signed"],
    // Signers of the European wallet have another purpose, or none, and one is a reader's.
    "eudi-verifier-readme-bad-digest": ["issuer.certificate-profile", "element.digest"],
    "eudi-verifier-pid-plus-mdl": ["issuer.certificate-profile"],
    "eudi-android-mso_mdoc_response": ["issuer.certificate-profile", "issuer.country"],
    "pagopa-ios-pid": ["issuer.certificate-profile"],
    "sphereon-funke-pid-untagged-dates": ["issuer.certificate-profile"],
    "sphereon-funke-pid-bad-digests": ["issuer.certificate-profile", "element.digest"],
    "eudi-ios-mdl-status-bstr-id": ["issuer.certificate-profile", "issuer.country"],
    // Two elements of it have one salt.
    "eudi-android-bad-issuer-signature": ["issuer.signature", "element.salt"],
    "isomdl-dehydrated": ["element.digest"],
  ]

  /// What `expect` says of entries that verify with all that is published.
  static func isValid(_ expect: String?) -> Bool {
    switch expect {
    case nil, "valid", "valid-with-deviation", "valid except validityInfo dates lack tag 0": true
    default: false
    }
  }
}
