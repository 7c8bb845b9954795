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
    "ds-eku": "issuer.certificate-purpose",
    "ds-profile": "issuer.certificate-authority",
    "ds-profile-457-days": "certificate.validity-period",
    "ds-validity": "issuer.certificate-expired",
    "state-match": "issuer.certificate-profile",
    "trust": "issuer.not-trusted",
    "duplicate-element": "element.twice",
    "digest": "element.not-covered",
    "version": "response.version",
    "cbor-structure": "response.malformed",
    "hpke": "response.hpke-open",
    "envelope": "response.envelope",
    revoked: "status.revoked",
  ]

  /// What the set calls a document that its issuer has revoked, which only a look into a list can find.
  static let revoked = "mso-revoked"

  /// The same for those of one name that differ.
  static let codesByEntry: [String: String] = [
    "neg-trailing-plaintext": "response.trailing-bytes",
    "neg-duplicate-key": "response.duplicate-key",
    "neg-hpke-enc-offcurve": "response.hpke-encapsulated-key",
    "neg-hpke-enc-compressed": "response.hpke-encapsulated-key",
    "neg-hpke-info-tagged": "response.hpke-info",
  ]

  /// The checks that deviate in entries of the synthetic set that are valid, or valid with a deviation.
  static let deviations: [String: [String]] = [
    "ok-tagged-issuerauth": ["issuer.form.tagged"],
    "ok-x5chain-protected": ["issuer.form.chain-protected"],
    "ok-fractional-seconds": ["mso.date.fraction"],
    "ok-untagged-dates": ["mso.date.untagged"],
    "warn-iaca-in-x5chain": ["certificate.root-in-chain"],
    // Valid for one second, which is not how the standard orders the dates.
    "ok-boundary-valid": ["mso.validity.ends-at-beginning"],
  ]

  /// Codes that fail in responses and documents of other implementations, besides those that follow from what is not
  /// published: the root, the transcript.
  static let failures: [String: [String]] = [
    // The library cannot read this certificate.
    "mdoc-ts-ubique": ["issuer.malformed"],
    // Made by hand for tests: signed before the signer's certificate began, or after it ended; by keys that may encipher
    // too, with certificates for a web server, which do for no document.
    "longfellow-05": ["issuer.certificate-purpose", "issuer.certificate-profile", "mso.validity.signed"],
    "longfellow-09": ["issuer.certificate-purpose", "issuer.certificate-profile", "mso.validity.signed"],
    "longfellow-11": ["mso.validity.signed"],
    "longfellow-16": ["issuer.certificate-purpose", "issuer.certificate-profile", "mso.validity.signed"],
    "longfellow-17": ["issuer.certificate-purpose", "issuer.certificate-profile", "mso.validity.signed"],
    "longfellow-19": ["issuer.certificate-purpose", "issuer.certificate-profile", "mso.validity.signed"],
    "longfellow-20": ["issuer.certificate-purpose", "issuer.certificate-profile", "mso.validity.signed"],
    "longfellow-22": ["issuer.certificate-purpose", "issuer.certificate-profile"],
    "longfellow-23": ["issuer.certificate-purpose", "issuer.certificate-profile"],
    "eudi-verifier-MdlVP": ["mso.validity.signed"],
    // Signers of the European wallet have a purpose of their own, which does for its own documents and not for driving
    // licences; one has that of a reader, and some have none.
    "eudi-verifier-readme-bad-digest": ["element.digest"],
    "eudi-verifier-pid-plus-mdl": ["issuer.certificate-purpose"],
    "eudi-android-mso_mdoc_response": ["issuer.certificate-purpose", "issuer.country"],
    "eudi-ios-mdl-status-bstr-id": ["issuer.certificate-purpose", "issuer.country"],
    "eudi-verifier-mdoc-test-issuer": ["issuer.certificate-purpose"],
    "sphereon-funke-pid-untagged-dates": ["issuer.certificate-purpose"],
    "sphereon-funke-pid-bad-digests": ["issuer.certificate-purpose", "element.digest"],
    // Certificates for tests without purpose and key usage.
    "credo-sample": ["issuer.certificate-purpose", "issuer.certificate-profile"],
    "cmwallet-test": [
      "issuer.certificate-authority", "issuer.certificate-purpose", "issuer.certificate-profile",
    ],
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
