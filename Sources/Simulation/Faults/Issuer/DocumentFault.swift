/// A fault in a document, made by its issuing authority. Everything else about the document is correct, so that a verifier
/// finds this fault and its consequences only.
public enum DocumentFault: String, Sendable, CaseIterable {
  case notSigned = "not-signed"
  case signatureAltered = "signature-altered"
  case signatureMalformed = "signature-malformed"
  case signatureLength = "signature-length"
  case signatureRange = "signature-range"
  case headerTwice = "header-twice"
  case headerInBothBuckets = "header-in-both-buckets"
  case headerLabel = "header-label"
  case criticalUnprotected = "critical-unprotected"
  case headerEncoding = "header-encoding"
  case thumbprintOfAnother = "thumbprint-of-another"
  case algorithmUnprotected = "algorithm-unprotected"
  case algorithmUnknown = "algorithm-unknown"
  case algorithmOfAnotherCurve = "algorithm-of-another-curve"
  case algorithmFullySpecified = "algorithm-fully-specified"
  case signatureTagged = "signature-tagged"
  case chainProtected = "chain-protected"
  case chainOfOneAsArray = "chain-of-one-as-array"
  case rootInChain = "root-in-chain"
  case unreadableInChain = "unreadable-in-chain"
  case signerOfAnotherRoot = "signer-of-another-root"
  case signerExpired = "signer-expired"
  case signerNotYetValid = "signer-not-yet-valid"
  case signerIsReader = "signer-is-reader"
  case signerIsAuthority = "signer-is-authority"
  case signerWithoutPurpose = "signer-without-purpose"
  case signerOfAnotherState = "signer-of-another-state"
  case signerForTooLong = "signer-for-too-long"
  case signerKeyKind = "signer-key-kind"
  case signerKeySmallOrder = "signer-key-small-order"
  case securityObjectMalformed = "security-object-malformed"
  case securityObjectOutsideItsTag = "security-object-outside-its-tag"
  case securityObjectTagNested = "security-object-tag-nested"
  case securityObjectKeyTwice = "security-object-key-twice"
  case byteAfterSecurityObject = "byte-after-security-object"
  case valueDigestsEmpty = "value-digests-empty"
  case digestIDTwice = "digest-id-twice"
  case digestIDTooLarge = "digest-id-too-large"
  case statusNull = "status-null"
  case securityObjectEncoding = "security-object-encoding"
  case securityObjectVersion = "security-object-version"
  case otherDocumentType = "other-document-type"
  case typeNotRequested = "type-not-requested"
  case signedBeforeSigner = "signed-before-signer"
  case notYetValid = "not-yet-valid"
  case expired
  case beyondSigner = "beyond-signer"
  case validForNoTime = "valid-for-no-time"
  case updateAfterEnd = "update-after-end"
  case datesOutOfOrder = "dates-out-of-order"
  case impossibleDate = "impossible-date"
  case dateOffset = "date-offset"
  case dateUntagged = "date-untagged"
  case dateFraction = "date-fraction"
  case dateLowerCase = "date-lower-case"
  case digestAlgorithm = "digest-algorithm"
  case digestLength = "digest-length"
  case deviceKeyCurve = "device-key-curve"
  case deviceKeySmallOrder = "device-key-small-order"
  case keyInfoMalformed = "key-info-malformed"
  case deviceKeyCompressed = "device-key-compressed"
  case keyAuthorizationsTwice = "key-authorizations-twice"
  case keyAuthorizationsEmpty = "key-authorizations-empty"
  case nameSpaceNotCovered = "name-space-not-covered"
  case elementNotCovered = "element-not-covered"
  case shortSalt = "salt-too-short"
  case sameSalt = "salts-equal"
  case elementType = "element-type"
  case elementDateImpossible = "element-date-impossible"
  case elementDateOffset = "element-date-offset"
  case agesContradict = "ages-contradict"
  case elementEncoding = "element-encoding"

  /// The title and what the verifier finds.
  public var declaration: FaultDeclaration {
    switch self {
    case .notSigned:
      FaultDeclaration(
        "The issuer's signature is zeros and its certificate chain empty",
        .fails("issuer.not-authenticated"))
    case .signatureAltered: FaultDeclaration("A bit of the issuer's signature is flipped", .fails("issuer.signature"))
    case .signatureMalformed:
      FaultDeclaration("The issuer's signature has three parts instead of four", .fails("issuer.malformed"))
    case .signatureLength: FaultDeclaration("The issuer's signature is a byte short", .fails("issuer.signature-form"))
    case .signatureRange:
      FaultDeclaration("The first half of the issuer's signature is zero", .fails("issuer.signature-form"))
    case .headerTwice:
      FaultDeclaration(
        "The protected header of the issuer's signature names the algorithm twice",
        .fails("issuer.header-twice"))
    case .headerInBothBuckets:
      FaultDeclaration("The issuer's signature names the algorithm in both headers", .fails("issuer.header-twice"))
    case .headerLabel:
      FaultDeclaration(
        "The unprotected header of the issuer's signature has a label of bytes",
        .fails("issuer.malformed"))
    case .criticalUnprotected:
      FaultDeclaration(
        "The unprotected header of the issuer's signature has a crit parameter",
        .fails("issuer.malformed"))
    case .headerEncoding:
      FaultDeclaration(
        "The protected header of the issuer's signature is not in its shortest encoding",
        .deviates("issuer.form.header-encoding"))
    case .thumbprintOfAnother:
      FaultDeclaration(
        "The issuer's signature has the thumbprint of another certificate",
        .fails("issuer.thumbprint"))
    case .algorithmUnprotected:
      FaultDeclaration(
        "The issuer names the signature algorithm in the unprotected header only",
        .fails("issuer.algorithm"))
    case .algorithmUnknown:
      FaultDeclaration("The issuer signs in an algorithm that is not allowed", .fails("issuer.algorithm"))
    case .algorithmOfAnotherCurve:
      FaultDeclaration(
        "The issuer names the signature algorithm of another curve than its key's",
        .fails("issuer.algorithm"))
    case .algorithmFullySpecified:
      FaultDeclaration(
        "The issuer names the signature algorithm by a fully specified identifier",
        .deviates("issuer.form.algorithm-fully-specified"))
    case .signatureTagged:
      FaultDeclaration("The issuer's signature is in a CBOR tag", .deviates("issuer.form.tagged"))
    case .chainProtected:
      FaultDeclaration("The certificate chain is in the protected header", .deviates("issuer.form.chain-protected"))
    case .chainOfOneAsArray:
      FaultDeclaration("The certificate chain of one is an array", .deviates("issuer.form.chain-of-one-as-array"))
    case .rootInChain:
      FaultDeclaration("The certificate chain contains the root", .deviates("certificate.root-in-chain"))
    case .unreadableInChain:
      FaultDeclaration(
        "An unreadable certificate follows the signer's certificate",
        .deviates("issuer.form.chain-unreadable"))
    case .signerOfAnotherRoot: FaultDeclaration("Another root has certified the signer", .fails("issuer.not-trusted"))
    case .signerExpired:
      FaultDeclaration(
        "The signer's certificate has expired",
        .fails("issuer.certificate-expired", deviating: ["mso.validity.beyond-signer"]))
    case .signerNotYetValid:
      FaultDeclaration(
        "The signer's certificate is not valid yet",
        .fails("issuer.certificate-not-yet-valid", "mso.validity.signed"))
    case .signerIsReader:
      FaultDeclaration(
        "The signer's certificate is a reader certificate",
        .fails(
          "issuer.certificate-purpose",
          deviating: ["certificate.crl-distribution-points", "certificate.issuer-alternative-name"]))
    case .signerIsAuthority:
      FaultDeclaration("The signer's certificate is a CA certificate", .fails("issuer.certificate-authority"))
    case .signerWithoutPurpose:
      FaultDeclaration("The signer's certificate has no extended key usage", .fails("issuer.certificate-purpose"))
    case .signerOfAnotherState:
      FaultDeclaration(
        "The signer's certificate names another state than the root",
        .fails("issuer.certificate-profile"))
    case .signerForTooLong:
      FaultDeclaration(
        "The signer's certificate is valid for longer than its profile allows",
        .deviates("certificate.validity-period"))
    case .signerKeyKind:
      FaultDeclaration("The signer's key is on a curve that is not allowed", .fails("issuer.certificate-key"))
    case .signerKeySmallOrder:
      FaultDeclaration(
        "The signer's key is a point of small order, for which signatures can be forged",
        .fails("issuer.certificate-key"))
    case .securityObjectMalformed:
      FaultDeclaration("The mobile security object has no validityInfo", .fails("mso.malformed"))
    case .securityObjectOutsideItsTag:
      FaultDeclaration("The mobile security object is not in tag 24", .fails("mso.malformed"))
    case .securityObjectTagNested:
      FaultDeclaration("The mobile security object is in an additional tag", .fails("mso.malformed"))
    case .securityObjectKeyTwice:
      FaultDeclaration("The mobile security object has its version twice", .fails("mso.duplicate-key"))
    case .byteAfterSecurityObject:
      FaultDeclaration("A byte follows the mobile security object inside its tag", .fails("mso.trailing-bytes"))
    case .valueDigestsEmpty: FaultDeclaration("The mobile security object lacks digests", .fails("mso.malformed"))
    case .digestIDTwice:
      FaultDeclaration("The mobile security object has a digest twice", .fails("mso.duplicate-key"))
    case .digestIDTooLarge: FaultDeclaration("The digestIDs are not below 2^31", .fails("mso.digest-id"))
    case .statusNull:
      FaultDeclaration("The status of the mobile security object is null", .deviates("mso.form.status-null"))
    case .securityObjectEncoding:
      FaultDeclaration("The mobile security object is not in its shortest encoding", .deviates("mso.form.encoding"))
    case .securityObjectVersion:
      FaultDeclaration("The mobile security object is of version 2.0", .fails("mso.version"))
    case .otherDocumentType:
      FaultDeclaration("The mobile security object is for another document type", .fails("mso.document-type"))
    case .typeNotRequested:
      FaultDeclaration(
        "The document is of a type that was not requested",
        .fails("document.not-requested", deviating: ["response.document-missing"]))
    case .signedBeforeSigner:
      FaultDeclaration("The document was signed before its signer's certificate began", .fails("mso.validity.signed"))
    case .notYetValid: FaultDeclaration("The document is not valid yet", .fails("mso.validity.not-yet-valid"))
    case .expired: FaultDeclaration("The document has expired", .fails("mso.validity.expired"))
    case .beyondSigner:
      FaultDeclaration(
        "The document is valid for longer than its signer's certificate",
        .deviates("mso.validity.beyond-signer"))
    case .validForNoTime:
      FaultDeclaration("The document's validity ends when it begins", .deviates("mso.validity.ends-at-beginning"))
    case .updateAfterEnd:
      FaultDeclaration(
        "The expected update of the document is after its end",
        .deviates("mso.validity.update-after-end"))
    case .datesOutOfOrder:
      FaultDeclaration("The document is valid before it was signed", .fails("mso.validity.order"))
    case .impossibleDate: FaultDeclaration("The document is valid until the 31st of September", .fails("mso.date"))
    case .dateOffset: FaultDeclaration("The end of the document's validity has an offset", .fails("mso.date-offset"))
    case .dateUntagged:
      FaultDeclaration("The end of the document's validity is untagged", .deviates("mso.date.untagged"))
    case .dateFraction:
      FaultDeclaration("The end of the document's validity has fractional seconds", .deviates("mso.date.fraction"))
    case .dateLowerCase:
      FaultDeclaration(
        "The end of the document's validity has its letters in lower case",
        .deviates("mso.date.lower-case"))
    case .digestAlgorithm: FaultDeclaration("The digest algorithm is SHA-1", .fails("mso.digest-algorithm"))
    case .digestLength: FaultDeclaration("A digest is a byte short", .fails("mso.digest-length"))
    case .deviceKeyCurve:
      FaultDeclaration("The device key is on a curve for key agreement only", .fails("mso.device-key"))
    case .deviceKeySmallOrder:
      FaultDeclaration(
        "The device key is a point of small order, for which signatures can be forged",
        .fails("mso.device-key"))
    case .keyInfoMalformed:
      FaultDeclaration("The keyInfo of the device key has text labels instead of integers", .fails("mso.malformed"))
    case .deviceKeyCompressed:
      FaultDeclaration("The device key is a compressed point", .deviates("mso.device-key.compressed"))
    case .keyAuthorizationsTwice:
      FaultDeclaration("A name space is authorized both entirely and in part", .fails("mso.key-authorizations"))
    case .keyAuthorizationsEmpty:
      FaultDeclaration("The key authorizations are empty", .fails("mso.key-authorizations"))
    case .nameSpaceNotCovered:
      FaultDeclaration("The mobile security object omits the name space", .fails("element.name-space-not-covered"))
    case .elementNotCovered:
      FaultDeclaration("The mobile security object covers one element only", .fails("element.not-covered"))
    case .shortSalt: FaultDeclaration("An element's salt has 15 bytes", .fails("element.salt"))
    case .sameSalt: FaultDeclaration("All elements have the same salt", .fails("element.salt"))
    case .elementType:
      FaultDeclaration(
        "The values of all elements are empty maps, which no name space defines",
        .deviates("element.type"))
    case .elementDateImpossible:
      FaultDeclaration("The person was born on the 30th of February", .fails("element.date"))
    case .elementDateOffset:
      FaultDeclaration("The date of issue has a time with an offset", .fails("element.date-offset"))
    case .agesContradict:
      FaultDeclaration("The ages of the document contradict each other", .fails("element.age-contradiction"))
    case .elementEncoding:
      FaultDeclaration("Every element is not in its shortest encoding", .deviates("response.encoding"))
    }
  }

  /// The type that a document with this fault is presented as.
  public func presentedType(of documentType: String) -> String {
    self == .typeNotRequested ? Self.anotherType(than: documentType) : documentType
  }

  /// The type of another document.
  static func anotherType(than type: String) -> String { type + ".other" }
}
