import COSE
import Certificates
import Crypto
import JOSE
import JSON
import Primitives
import SDJWT
import StatusLists

extension Fault {
  /// Faults of SD-JWT credentials.
  package static let ofCredentials: [Fault] =
    ofCredentialSignatures + ofCredentialSignatureForms + ofCredentialSigners + ofCredentialClaims

  private static func credential(
    _ name: String, _ title: String, _ findings: FaultFindings,
    _ change: @escaping @Sendable (inout CredentialParts) throws -> Void
  ) -> Fault {
    let first = title.prefix(1).lowercased()
    return Fault(
      .issuer, "sd-jwt-\(name)", "SD-JWT credential: \(first)\(title.dropFirst())", findings, at: "SD-JWT credential",
      .credential(CredentialChange(apply: change)))
  }

  /// Faults of the issuer's signature and its header.
  private static let ofCredentialSignatures: [Fault] = [
    credential(
      "not-signed", "The algorithm is `none`, and the signature is missing", .fails(SDJWTCheck.algorithm)
    ) { parts in
      parts.set(header: "alg", to: .string("none"))
      parts.changeSignature { _ in [] }
    },
    credential(
      "signed-with-public-key", "The signature is a message authentication code with the signer's public key",
      .fails(SDJWTCheck.algorithm)
    ) { parts in
      parts.set(header: "alg", to: .string("HS256"))
      parts.signature = { signed, signer in
        let key = SymmetricKey(data: Array(signer.publicKey.pemRepresentation.utf8))
        return Array(HMAC<SHA256>.authenticationCode(for: signed, using: key))
      }
    },
    credential(
      "algorithm-of-another-curve", "The header names the algorithm of another curve than the signer's",
      .fails(SDJWTCheck.algorithm)
    ) { $0.set(header: "alg", to: .string(JWSAlgorithm.es384.rawValue)) },
    credential(
      "signature-altered", "A bit of the issuer's signature is flipped", .fails(SDJWTCheck.signature, .invalid)
    ) { $0.changeSignature(\.flippingLastBit) },
    credential(
      "signature-length", "The issuer's signature is a byte short", .fails(SDJWTCheck.signature, .malformed)
    ) { $0.changeSignature { $0.dropLast() } },
    credential("header-critical", "The header has an unknown critical member", .fails(SDJWTCheck.structure)) { parts in
      parts.set(header: "crit", to: .array([.string("example")]))
      parts.set(header: "example", to: .boolean(true))
    },
    credential(
      "type-old", "The type of the JWT is that of old drafts", .fails(SDJWTCheck.type, .old)
    ) { $0.set(header: "typ", to: .string(SDJWTType.oldCredential)) },
    credential("type-of-another-token", "The type of the JWT is that of any token", .fails(SDJWTCheck.type)) {
      $0.set(header: "typ", to: .string("JWT"))
    },
    credential(
      "without-certificate", "The header has no certificate chain", .fails(SDJWTCheck.certificate, .missing)
    ) { $0.set(header: "x5c", to: nil) },
    credential(
      "certificate-malformed", "The signer's certificate is cut short", .fails(SDJWTCheck.certificate, .malformed)
    ) { $0.setChain([$0.issuer.certificate.dropLast()]) },
  ]

  private static let ofCredentialSignatureForms: [Fault] = SignatureForm.allCases.map { form in
    credential(form.rawValue, form.title(of: "the issuer's signature"), .fails(SDJWTCheck.signature, .malformed)) {
      $0.changeSignature(form.changed)
    }
  }

  /// Faults of the signer's certificate.
  private static let ofCredentialSigners: [Fault] = SignerFault.all.compactMap { fault in
    fault.inCredential.map { findings in
      credential(fault.name, fault.title, findings) { $0.setChain(try fault.chain($0.issuer)) }
    }
  }

  /// Faults of the claims and of their digests.
  private static let ofCredentialClaims: [Fault] = [
    credential("claim-twice-visible", "The payload names the type twice", .fails(SDJWTCheck.payload)) {
      $0.payload.append(.init(name: "vct", value: try $0.member("vct")))
    },
    credential("hash-unknown", "The digests are of an unknown algorithm", .fails(SDJWTCheck.hashAlgorithm)) {
      $0.set("_sd_alg", to: .string("md5"))
    },
    credential("digest-twice", "A digest occurs twice", .fails(SDJWTCheck.disclosures, .twice)) {
      try $0.changeDigests { $0 + $0.prefix(1) }
    },
    credential("digests-left-out", "No claim has a digest", .fails(SDJWTCheck.disclosures, .unreferenced)) {
      try $0.changeDigests { _ in [] }
    },
    credential("digests-not-array", "The digests are a text", .fails(SDJWTCheck.disclosures, .malformed)) {
      $0.set("_sd", to: .string("none"))
    },
    credential("disclosure-malformed", "A disclosure is an object", .fails(SDJWTCheck.disclosures, .malformed)) {
      try $0.disclose(JSONValue(members: [("salt", $0.salt)]))
    },
    credential(
      "disclosure-without-name", "A disclosure of a member has no name", .fails(SDJWTCheck.disclosures, .place)
    ) { try $0.disclose(.array([$0.salt, .string("Kelly")])) },
    credential(
      "disclosure-of-type", "A disclosed claim has the name of the credential's type",
      .fails(SDJWTCheck.disclosures, .claim)
    ) { try $0.disclose(.array([$0.salt, .string("vct"), .string("urn:example:other")])) },
    credential(
      "disclosure-of-digests", "A disclosed claim has the name of the digests", .fails(SDJWTCheck.disclosures, .claim)
    ) { try $0.disclose(.array([$0.salt, .string("_sd"), .array([])])) },
    credential(
      "expiry-disclosable", "The end of the credential's validity can be left out", .fails(SDJWTCheck.registeredClaims)
    ) { parts in
      let end = try parts.member("exp")
      parts.set("exp", to: nil)
      try parts.disclose(.array([parts.salt, .string("exp"), end]))
    },
    credential("without-type", "The credential has no type", .fails(SDJWTCheck.credentialType, .missing)) {
      $0.set("vct", to: nil)
    },
    credential("another-type", "The credential is of another type", .fails(SDJWTCheck.credentialType, .notRequested)) {
      guard let type = try $0.member("vct").text else { return }
      $0.set("vct", to: .string("\(type).other"))
    },
    credential("not-yet-valid", "The credential is not valid yet", .fails(SDJWTCheck.validity, .notYetValid)) {
      $0.set("nbf", to: $0.moment.adding(days: 1))
    },
    credential("expired", "The credential has expired", .fails(SDJWTCheck.validity, .expired)) { parts in
      let start = parts.moment.adding(days: -2)
      parts.set("iat", to: start)
      parts.set("nbf", to: start)
      parts.set("exp", to: parts.moment.adding(days: -1))
    },
    credential("date-is-text", "The end of the validity is a text", .fails(SDJWTCheck.validity, .malformed)) {
      $0.set("exp", to: .string("2030-01-01"))
    },
    credential(
      "status-malformed", "The index of the credential's status is negative", .fails(SDJWTCheck.status)
    ) { $0.set("status", to: JSONValue(members: [("status_list", JSONValue(members: [("idx", .number("-1"))]))])) },
    credential(
      "without-holder-key", "The credential is bound to no key", .fails(SDJWTCheck.holderKey, .missing)
    ) { $0.set("cnf", to: nil) },
    credential(
      "holder-key-symmetric", "The credential is bound to a symmetric key", .fails(SDJWTCheck.holderKey, .malformed)
    ) { parts in
      let key = JSONValue(members: [("kty", .string("oct")), ("k", parts.salt)])
      parts.set("cnf", to: JSONValue(members: [("jwk", key)]))
    },
    credential(
      "another-holder-key", "The credential is bound to another key", .fails(SDJWTCheck.bindingSignature, .invalid)
    ) { parts in
      let key = JWK(COSEKey(parts.issuer.signer.publicKey))
      parts.set("cnf", to: JSONValue(members: [("jwk", key.json)]))
    },
  ]
}
