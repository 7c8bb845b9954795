import TestSupport

/// The codes for the terms of the vectors.
enum Expectations {
  /// The code that fails first for each `failing_check` of the synthetic set.
  static let codes: [String: String] = [
    "issuer-signature": "issuer.signature/invalid",
    "issuer-alg": "issuer.algorithm",
    "doctype": "mso.document-type",
    "validity": "mso.validity/not-yet-valid",
    "validuntil-after-ds": "mso.signer-validity/outlives-signer",
    "device-signature": "device.signature/invalid",
    "device-auth": "device.signature/mac-unsupported",
    "key-authorization": "device.authorization",
    "ds-eku": "issuer.certificate.purpose",
    "ds-profile": "issuer.certificate.end-entity",
    "ds-profile-457-days": "issuer.certificate.profile/validity-period",
    "ds-validity": "issuer.certificate.validity/expired",
    "state-match": "issuer.certificate.profile/issuer-state",
    "trust": "issuer.trust",
    "duplicate-element": "element.unique",
    "digest": "element.coverage/element",
    "version": "response.version",
    "cbor-structure": "response.structure/malformed",
    "hpke": "response.decryption/unexplained",
    "envelope": "response.envelope",
    revoked: "status.revocation/revoked",
  ]

  /// The set's term for a revoked document, which only a status list reveals.
  static let revoked = "mso-revoked"

  /// The same for entries with the same name that differ.
  static let codesByEntry: [String: String] = [
    "neg-ds-no-eku": "issuer.certificate.purpose/extended-key-usage-missing",
    "neg-trailing-plaintext": "response.cbor/trailing-bytes",
    "neg-duplicate-key": "response.cbor/duplicate-key",
    "neg-hpke-enc-offcurve": "response.decryption/encapsulated-key",
    "neg-hpke-enc-compressed": "response.decryption/encapsulated-key",
    "neg-hpke-info-tagged": "response.decryption/transcript",
  ]

  /// The deviating checks of entries of the synthetic set that are valid, or valid with a deviation.
  static let deviations: [String: [String]] = [
    "ok-tagged-issuerauth": ["issuer.form/tagged"],
    "ok-x5chain-protected": ["issuer.form/chain-protected"],
    "ok-fractional-seconds": ["mso.dates/fraction"],
    "ok-untagged-dates": ["mso.dates/untagged"],
    "warn-iaca-in-x5chain": ["issuer.certificate.profile/root-in-chain"],
    // Valid for one second, which violates the standard's order of dates.
    "ok-boundary-valid": ["mso.validity-order/ends-at-beginning"],
  ]

  /// Codes that fail in responses and documents of other implementations, in addition to those caused by an unpublished root
  /// or transcript.
  static let failures: [String: [String]] = [
    // The library cannot read this certificate.
    "mdoc-ts-ubique": ["issuer.form/malformed"],
    // Made by hand for tests: signed before the validity of the signer's certificate, with keys for encryption too, or
    // with certificates for a web server.
    "longfellow-05": [
      "issuer.certificate.purpose", "issuer.certificate.profile/key-usage", "mso.signer-validity/signed-early",
    ],
    "longfellow-09": [
      "issuer.certificate.purpose", "issuer.certificate.profile/key-usage", "mso.signer-validity/signed-early",
    ],
    "longfellow-11": ["mso.signer-validity/signed-outside"],
    "longfellow-16": [
      "issuer.certificate.purpose", "issuer.certificate.profile/key-usage", "mso.signer-validity/signed-early",
    ],
    "longfellow-17": [
      "issuer.certificate.purpose", "issuer.certificate.profile/key-usage", "mso.signer-validity/signed-early",
    ],
    "longfellow-19": [
      "issuer.certificate.purpose", "issuer.certificate.profile/key-usage", "mso.signer-validity/signed-early",
    ],
    "longfellow-20": [
      "issuer.certificate.purpose", "issuer.certificate.profile/key-usage", "mso.signer-validity/signed-early",
    ],
    "longfellow-22": ["issuer.certificate.purpose", "issuer.certificate.profile/key-usage"],
    "longfellow-23": ["issuer.certificate.purpose", "issuer.certificate.profile/key-usage"],
    "eudi-verifier-MdlVP": ["mso.signer-validity/signed-outside"],
    // Signers of the European wallet have a purpose of their own, which is valid for its documents and not for driving
    // licences; one has a reader's purpose, and some have none.
    "eudi-verifier-readme-bad-digest": ["element.digest"],
    "eudi-verifier-pid-plus-mdl": ["issuer.certificate.purpose"],
    "eudi-android-mso_mdoc_response": [
      "issuer.certificate.purpose/extended-key-usage-eu", "issuer.country/unassigned",
    ],
    "eudi-ios-mdl-status-bstr-id": [
      "issuer.certificate.purpose/extended-key-usage-eu", "issuer.country/unassigned",
    ],
    "eudi-verifier-mdoc-test-issuer": ["issuer.certificate.purpose/extended-key-usage-missing"],
    "sphereon-funke-pid-untagged-dates": ["issuer.certificate.purpose/extended-key-usage-missing"],
    "sphereon-funke-pid-bad-digests": ["issuer.certificate.purpose/extended-key-usage-missing", "element.digest"],
    // Certificates for tests without purpose and key usage.
    "credo-sample": ["issuer.certificate.purpose/extended-key-usage-missing", "issuer.certificate.profile/key-usage"],
    "cmwallet-test": [
      "issuer.certificate.end-entity", "issuer.certificate.purpose/extended-key-usage-missing",
      "issuer.certificate.profile/key-usage",
    ],
    // Two of its elements have the same salt.
    "eudi-android-bad-issuer-signature": ["issuer.signature/invalid", "element.salt/repeated"],
    "isomdl-dehydrated": ["element.digest"],
  ]

  /// Returns whether `expect` describes an entry that verifies with the published data.
  static func isValid(_ expect: String?) -> Bool {
    switch expect {
    case nil, "valid", "valid-with-deviation", "valid except validityInfo dates lack tag 0": true
    default: false
    }
  }
}
