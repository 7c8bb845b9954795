import CBOR
import COSE
import Certificates
import Checks
import StatusLists

/// The checks of a device response, in the order in which they are made (ISO/IEC 18013-5, 9.3.1 and 9.3.2).
public enum ResponseCheck: Int, CheckFamily {
  case cbor, limits, structure, encoding, version, status
  case issuerForm, issuerCertificate, issuerAlgorithm, issuerCertificateKey, issuerThumbprint, issuerSignature
  case issuerTrust, issuerCertificateValidity, issuerEndEntity, issuerCertificatePurpose, issuerCertificateProfile
  case securityObjectStructure, securityObjectVersion, documentType, dates, validityOrder, signerValidity, validity
  case digestAlgorithm, digestLength, digestIdentifier, deviceKey, keyAuthorizations
  case elementCoverage, elementDigest, elementUnique, elementSalt, elementErrors, elementType, elementDates, elementAges
  case deviceAuthentication, deviceForm, deviceAuthorization, deviceAlgorithm, deviceSignature
  case issuingCountry, issuingJurisdiction
  case documentRequested, issuerRequested, elementRequested, elementReturned
  case documentsReturned

  /// Checks of the response by itself.
  package static let ofResponse = Array(allCases.prefix { $0 != .issuerForm })
  /// Checks of each document.
  package static let ofDocument = allCases.filter { !ofResponse.contains($0) && $0 != .documentsReturned }
  /// Checks of the signer certificate.
  static let ofSigner: [ResponseCheck] = [
    .issuerTrust, .issuerCertificateValidity, .issuerEndEntity, .issuerCertificatePurpose, .issuerCertificateProfile,
  ]
  /// Checks of a document against the request.
  static let ofRequest: [ResponseCheck] = [.documentRequested, .issuerRequested, .elementRequested, .elementReturned]
  /// Checks of the device authentication, which need the session transcript.
  package static let ofDevice: [ResponseCheck] = [
    .deviceAuthentication, .deviceForm, .deviceAuthorization, .deviceAlgorithm, .deviceSignature,
  ]
  /// Checks of all documents together.
  package static let ofDocuments: [ResponseCheck] = [.documentsReturned]

  /// A way in which a check fails, as `untagged` in `mso.dates/untagged`.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The word after the slash.
    public let rawValue: String

    /// Creates a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// A broken rule of the profile of a document signer.
    public static func rule(_ rule: CertificateRule) -> Reason { Reason(rule.rawValue) }

    /// A tolerated departure of the signer certificate.
    public static func tolerance(_ tolerance: CertificateTolerance) -> Reason { Reason(tolerance.rawValue) }

    package static let malformed = Reason("malformed")
    package static let duplicateKey = Reason("duplicate-key")
    package static let trailingBytes = Reason("trailing-bytes")
    package static let emptyDocumentErrors = Reason("empty-document-errors")
    package static let unreadDocuments = Reason("unread-documents")
    package static let duplicateHeader = Reason("duplicate-header")
    package static let tagged = Reason("tagged")
    package static let chainProtected = Reason("chain-protected")
    package static let chainOfOneAsArray = Reason("chain-of-one-as-array")
    package static let chainUnreadable = Reason("chain-unreadable")
    package static let headerEncoding = Reason("header-encoding")
    package static let fullySpecifiedAlgorithm = Reason("fully-specified-algorithm")
    package static let invalid = Reason("invalid")
    package static let notYetValid = Reason("not-yet-valid")
    package static let expired = Reason("expired")
    package static let encoding = Reason("encoding")
    package static let statusNull = Reason("status-null")
    package static let statusTextIdentifier = Reason("status-text-identifier")
    package static let impossible = Reason("impossible")
    package static let offset = Reason("offset")
    package static let untagged = Reason("untagged")
    package static let fraction = Reason("fraction")
    package static let lowerCase = Reason("lower-case")
    package static let contradictory = Reason("contradictory")
    package static let beforeSigned = Reason("before-signed")
    package static let endsAtBeginning = Reason("ends-at-beginning")
    package static let updateAfterEnd = Reason("update-after-end")
    package static let signedOutside = Reason("signed-outside")
    package static let signedEarly = Reason("signed-early")
    package static let outlivesSigner = Reason("outlives-signer")
    package static let unusable = Reason("unusable")
    package static let compressed = Reason("compressed")
    package static let shortCoordinate = Reason("short-coordinate")
    package static let thirtyTwoBits = Reason("32-bits")
    package static let nameSpace = Reason("name-space")
    package static let element = Reason("element")
    package static let tooShort = Reason("too-short")
    package static let repeated = Reason("repeated")
    package static let missing = Reason("missing")
    package static let both = Reason("both")
    package static let payloadAttached = Reason("payload-attached")
    package static let chain = Reason("chain")
    package static let payload = Reason("payload")
    package static let transcript = Reason("transcript")
    package static let macUnsupported = Reason("mac-unsupported")
    package static let macInvalid = Reason("mac-invalid")
    package static let state = Reason("state")
    package static let country = Reason("country")
    package static let unassigned = Reason("unassigned")
    package static let notRequested = Reason("not-requested")
    package static let documentType = Reason("document-type")
    package static let surplus = Reason("surplus")
    package static let deviceSigned = Reason("device-signed")
    package static let noDocument = Reason("no-document")
    package static let useCase = Reason("use-case")
    package static let notReturned = Reason("not-returned")

    /// A departure in the status of a mobile security object.
    init(_ deviation: StatusDeviation) {
      switch deviation {
      case .null: self = .statusNull
      case .identifierText: self = .statusTextIdentifier
      }
    }

    /// A departure in the form of the issuer's signature; nil for an empty chain, which a check of its own refuses.
    init?(issuer deviation: COSEDeviation) {
      switch deviation {
      case .tagged: self = .tagged
      case .chainInProtectedHeader: self = .chainProtected
      case .chainOfOneAsArray: self = .chainOfOneAsArray
      case .headerEncoding: self = .headerEncoding
      case .fullySpecifiedAlgorithm: self = .fullySpecifiedAlgorithm
      // An issuer's payload is always attached.
      case .emptyChain, .attachedPayload: return nil
      }
    }

    /// A departure in the form of the device's signature or message authentication code.
    init(device deviation: COSEDeviation) {
      switch deviation {
      case .tagged: self = .tagged
      case .attachedPayload: self = .payloadAttached
      case .headerEncoding: self = .headerEncoding
      case .fullySpecifiedAlgorithm: self = .fullySpecifiedAlgorithm
      case .chainInProtectedHeader, .chainOfOneAsArray, .emptyChain: self = .chain
      }
    }
  }
}

extension ResponseCheck {
  /// The declaration of the check.
  public var definition: CheckDefinition { Self.declarations[rawValue] }

  /// Every declaration, made once: a verification reads each of them.
  private static let declarations = allCases.map(\.declaration)

  private var declaration: CheckDefinition {
    switch self {
    case .cbor:
      CheckDefinition(
        "response.cbor", "the device response is well-formed CBOR", clause: "RFC 8949, 5.3",
        [
          .failure(Reason.malformed, "the device response is not well-formed CBOR"),
          .failure(Reason.duplicateKey, "a map of the device response has a key twice"),
          .failure(Reason.trailingBytes, "bytes follow the end of the device response, or of an item in it"),
        ])
    case .limits:
      CheckDefinition(
        "response.limits", "the device response is within the limits", "the device response exceeds a limit",
        clause: "own limits")
    case .structure:
      CheckDefinition(
        "response.structure", "the device response has the required structure",
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.2",
        [
          .failure(Reason.malformed, "the device response is malformed"),
          .deviation(Reason.emptyDocumentErrors, "documentErrors of the response is present and empty"),
          .notice(Reason.unreadDocuments, "the response holds documents of an unsupported kind"),
        ])
    case .encoding:
      CheckDefinition(
        "response.encoding", "the device response is in the required encoding",
        "the device response is not in the required encoding", .deviation, clause: "ISO/IEC 18013-5, 8.1")
    case .version:
      CheckDefinition(
        "response.version", "the version of the device response is supported",
        "the device response has an unknown major version", clause: "ISO/IEC 18013-5, 8.3.2.1.2.2")
    case .status:
      CheckDefinition(
        "response.status", "the device reports success", "the device reports an error",
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.3")
    case .issuerForm:
      CheckDefinition(
        "issuer.form", "the issuer signature is well-formed", clause: "ISO/IEC 18013-5, 9.1.2.4",
        [
          .failure(Reason.malformed, "the issuer signature is malformed"),
          .failure(Reason.duplicateHeader, "the issuer signature has a header twice"),
          .deviation(Reason.tagged, "the issuer signature is in its CBOR tag"),
          .deviation(Reason.chainProtected, "the certificate chain is in the protected header"),
          .deviation(Reason.chainOfOneAsArray, "a chain of one certificate is sent as an array"),
          .deviation(
            Reason.chainUnreadable, "a certificate after the signer certificate cannot be read; it is ignored"),
          .deviation(
            Reason.headerEncoding, "the protected header of the issuer signature is not in the required encoding"),
          .deviation(Reason.fullySpecifiedAlgorithm, "the identifier of the issuer's algorithm also names the curve"),
        ])
    case .issuerCertificate:
      CheckDefinition(
        "issuer.certificate", "the document has a signer certificate",
        "the document is not issuer authenticated: it has no signer certificate", clause: "ISO/IEC 18013-5, 9.1.2.4")
    case .issuerAlgorithm:
      CheckDefinition(
        "issuer.algorithm", "the algorithm of the issuer signature is allowed and matches the signer's key",
        "the algorithm of the issuer signature is not allowed", clause: "ISO/IEC 18013-5, 9.1.2.4")
    case .issuerCertificateKey:
      CheckDefinition(
        "issuer.certificate.key", "the signer's key is on a curve of the standard",
        "the signer's key is on a curve that is not allowed", clause: "ISO/IEC 18013-5, B.1.4")
    case .issuerThumbprint:
      CheckDefinition(
        "issuer.certificate.thumbprint", "the signer certificate is the one that the signature names",
        "the issuer signature names another certificate than the signer certificate that was sent",
        clause: "RFC 9360, 2")
    case .issuerSignature:
      CheckDefinition(
        "issuer.signature", "the issuer signature verifies", clause: "ISO/IEC 18013-5, 9.1.2.4",
        [
          .failure(Reason.invalid, "the issuer signature does not verify"),
          .failure(
            Reason.malformed,
            "the issuer signature is not a signature of its curve: too long, too short or out of range"),
        ])
    case .issuerTrust:
      CheckDefinition(
        "issuer.trust", "the signer certificate leads to a trusted root", clause: "ISO/IEC 18013-5, 9.3.3",
        [
          .failure("the issuer is not trusted"),
          .failure(Reason.documentType, "the list that names the issuer does not trust it for documents of this type"),
        ])
    case .issuerCertificateValidity:
      CheckDefinition(
        "issuer.certificate.validity", "the signer certificate is within its validity period",
        clause: "ISO/IEC 18013-5, 9.3.3",
        [
          .failure(Reason.notYetValid, "the signer certificate's validity period has not started"),
          .failure(Reason.expired, "the signer certificate has expired"),
        ])
    case .issuerEndEntity:
      CheckDefinition(
        "issuer.certificate.end-entity", "the signer certificate is not a CA certificate",
        "the signer certificate is a CA certificate, which does not sign documents", clause: "ISO/IEC 18013-5, B.1.4")
    case .issuerCertificatePurpose:
      CheckDefinition(
        "issuer.certificate.purpose", "the signer certificate is for signing documents",
        clause: "ISO/IEC 18013-5, B.1.4",
        [
          .failure("the signer certificate is for another purpose than signing documents"),
          .tolerance(
            Reason.tolerance(.usageMissing), "the signer certificate has no extended key usage",
            seenIn: "signers of the EU's pilots (verifier samples, Sphereon's PID), of Credo and of CMWallet"),
          .tolerance(
            Reason.tolerance(.usageOfEU),
            "the signer certificate is for EU person identification data, and the document is of another type",
            seenIn: "the EU's reference issuer, whose PID signer signs driving licences (2025, 2026)"),
        ])
    case .issuerCertificateProfile:
      CheckDefinition(
        "issuer.certificate.profile", "the signer certificate has the profile of a document signer",
        clause: "ISO/IEC 18013-5, B.1.4", Self.profileReasons)
    case .securityObjectStructure:
      CheckDefinition(
        "mso.structure", "the mobile security object is well-formed", clause: "ISO/IEC 18013-5, 9.1.2.4",
        [
          .failure(Reason.malformed, "the mobile security object is malformed"),
          .failure(Reason.duplicateKey, "a map of the mobile security object has a key twice"),
          .failure(Reason.trailingBytes, "bytes follow the end of the mobile security object, or of an item in it"),
          .deviation(Reason.encoding, "the mobile security object is not in the required encoding"),
          .deviation(Reason.statusNull, "the status is null"),
          .deviation(Reason.statusTextIdentifier, "an identifier of an identifier list is text"),
        ])
    case .securityObjectVersion:
      CheckDefinition(
        "mso.version", "the version of the mobile security object is supported",
        "the mobile security object has an unknown major version", clause: "ISO/IEC 18013-5, 9.1.2.4")
    case .documentType:
      CheckDefinition(
        "mso.document-type", "the document has the type that the issuer signed",
        "the document has another type than its mobile security object says", clause: "ISO/IEC 18013-5, 9.3.1")
    case .dates:
      CheckDefinition(
        "mso.dates", "the dates of the mobile security object are dates in UTC", clause: "ISO/IEC 18013-5, 7.2.1",
        [
          .failure(Reason.impossible, "a date of the mobile security object does not exist"),
          .failure(Reason.offset, "a date of the mobile security object is not in UTC"),
          .deviation(Reason.untagged, "a date has no tag 0"),
          .deviation(Reason.fraction, "a date has fractional seconds"),
          .deviation(Reason.lowerCase, "a date has a T or Z in lower case"),
        ])
    case .validityOrder:
      CheckDefinition(
        "mso.validity-order", "the dates of the mobile security object are in order",
        clause: "ISO/IEC 18013-5, 9.1.2.4",
        [
          .failure(Reason.contradictory, "the dates of the mobile security object contradict each other"),
          .tolerance(
            Reason.beforeSigned, "the document is valid from up to an hour before it was signed",
            seenIn: "Tessio's wallet framework, which begins validity five minutes before the signature (2026)"),
          .deviation(Reason.endsAtBeginning, "the document's validity ends when it begins"),
          .deviation(Reason.updateAfterEnd, "an update is expected after the document has expired"),
        ])
    case .signerValidity:
      CheckDefinition(
        "mso.signer-validity", "the document's dates are within the validity period of the signer certificate",
        clause: "ISO/IEC 18013-5, 9.3.1",
        [
          .failure(Reason.signedOutside, "the document was signed outside the signer certificate's validity period"),
          .tolerance(
            Reason.signedEarly, "the document was signed up to an hour before the signer certificate's validity period",
            seenIn: "the samples of Google's Longfellow, signed within the hour before their certificates begin"),
          .deviation(Reason.outlivesSigner, "the document is valid for longer than its signer certificate"),
        ])
    case .validity:
      CheckDefinition(
        "mso.validity", "the document is within its validity period", clause: "ISO/IEC 18013-5, 9.3.1",
        [
          .failure(Reason.notYetValid, "the document's validity period has not started"),
          .failure(Reason.expired, "the document has expired"),
        ])
    case .digestAlgorithm:
      CheckDefinition(
        "mso.digest-algorithm", "the digest algorithm is one of the standard",
        "the digest algorithm is not one of the standard", clause: "ISO/IEC 18013-5, 9.1.2.5")
    case .digestLength:
      CheckDefinition(
        "mso.digest-length", "every digest has the length of its algorithm",
        "a digest does not have the length of its algorithm", clause: "ISO/IEC 18013-5, 9.1.2.5")
    case .digestIdentifier:
      CheckDefinition(
        "mso.digest-id", "every digestID is below 2^31", clause: "ISO/IEC 18013-5, 9.1.2.4",
        [
          .failure("a digestID is not below 2^32"),
          .tolerance(
            Reason.thirtyTwoBits, "a digestID is not below 2^31",
            seenIn: "Bundesdruckerei's test issuer, which draws digest identifiers of 32 bits (2026)"),
        ])
    case .deviceKey:
      CheckDefinition(
        "mso.device-key", "the device key is on a curve of the standard", clause: "ISO/IEC 18013-5, 9.1.2.4",
        [
          .failure(Reason.unusable, "the device key is malformed or on a curve that is not allowed"),
          .tolerance(
            Reason.shortCoordinate, "a coordinate of the device key lacks its leading zeros",
            seenIn: "the EU's wallet libraries, which encode coordinates as numbers (2025)"),
          .deviation(Reason.compressed, "the device key is a compressed point"),
        ])
    case .keyAuthorizations:
      CheckDefinition(
        "mso.key-authorizations", "the key authorizations have the required form",
        "the key authorizations do not have the required form", clause: "ISO/IEC 18013-5, 9.1.2.4")
    case .elementCoverage:
      CheckDefinition(
        "element.coverage", "the issuer signed a digest for every element", clause: "ISO/IEC 18013-5, 9.3.1",
        [
          .failure(Reason.nameSpace, "the mobile security object does not cover a name space"),
          .failure(Reason.element, "the mobile security object does not cover an element"),
        ])
    case .elementDigest:
      CheckDefinition(
        "element.digest", "every element's digest matches: the values are those that the issuer signed",
        "an element's digest does not match: its value is not the one that the issuer signed",
        clause: "ISO/IEC 18013-5, 9.1.2.5")
    case .elementUnique:
      CheckDefinition(
        "element.unique", "every element is in the response once", "an element is in the response twice",
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.2")
    case .elementSalt:
      CheckDefinition(
        "element.salt", "every element has a salt of its own", clause: "ISO/IEC 18013-5, 9.1.2.5",
        [
          .failure(Reason.tooShort, "the salt of an element is shorter than 16 bytes"),
          .failure(Reason.repeated, "two elements have the same salt"),
        ])
    case .elementErrors:
      CheckDefinition(
        "element.errors", "errors are given only for elements that were not returned",
        "an error is given for an element that was returned", clause: "ISO/IEC 18013-5, 8.3.2.1.2.3")
    case .elementType:
      CheckDefinition(
        "element.type", "every known element has the type of its definition",
        "an element's value does not have the type that its name space defines", .deviation,
        clause: "ISO/IEC 18013-5, 7.2.1")
    case .elementDates:
      CheckDefinition(
        "element.dates", "the dates among the elements are dates in UTC", clause: "ISO/IEC 18013-5, 7.2.1",
        [
          .failure(Reason.impossible, "a date among the elements does not exist"),
          .failure(Reason.offset, "a date among the elements is not in UTC"),
        ])
    case .elementAges:
      CheckDefinition(
        "element.ages", "the age attestations agree with each other",
        "two age attestations contradict each other", clause: "ISO/IEC 18013-5, 7.2.5")
    case .deviceAuthentication:
      CheckDefinition(
        "device.authentication", "the device authenticated the response", clause: "ISO/IEC 18013-5, 9.1.3",
        [
          .failure(Reason.missing, "the device did not authenticate the response"),
          .failure(Reason.both, "the device authentication has a signature and a message authentication code"),
        ])
    case .deviceForm:
      CheckDefinition(
        "device.form", "the device authentication is well-formed", clause: "ISO/IEC 18013-5, 9.1.3",
        [
          .failure(Reason.malformed, "the device authentication is malformed"),
          .failure(Reason.duplicateHeader, "the device authentication has a header twice"),
          .deviation(Reason.tagged, "the device authentication is in its CBOR tag"),
          .deviation(Reason.payloadAttached, "the payload of the device authentication is attached"),
          .deviation(
            Reason.headerEncoding, "the protected header of the device authentication is not in the required encoding"),
          .deviation(Reason.fullySpecifiedAlgorithm, "the identifier of the device's algorithm also names the curve"),
          .deviation(Reason.chain, "the device authentication has a certificate chain; it is ignored"),
        ])
    case .deviceAuthorization:
      CheckDefinition(
        "device.authorization", "the issuer authorized the device to sign every element that it signed",
        "the device signed an element that the issuer did not authorize", clause: "ISO/IEC 18013-5, 9.1.2.4")
    case .deviceAlgorithm:
      CheckDefinition(
        "device.algorithm", "the algorithm of the device authentication matches the device key",
        "the algorithm of the device authentication does not match the device key",
        clause: "ISO/IEC 18013-5, 9.1.3")
    case .deviceSignature:
      CheckDefinition(
        "device.signature", "the device signature verifies: this device, this session, this origin",
        clause: "ISO/IEC 18013-5, 9.1.3",
        [
          .failure(
            Reason.invalid,
            "device signature does not verify: either another device made it, or it is for another session or origin"),
          .failure(
            Reason.malformed,
            "the device signature is not a signature of its curve: too long, too short or out of range"),
          .failure(
            Reason.payload, "the device authentication carries another payload than the one that the device signs"),
          .failure(Reason.transcript, "the device signed something else than this session's transcript"),
          .failure(
            Reason.macUnsupported,
            "a message authentication code cannot be verified: the session has no ephemeral reader key"),
          .failure(
            Reason.macInvalid,
            "device message authentication code does not verify: either another device made it, or it is for another "
              + "session or origin"),
        ])
    case .issuingCountry:
      CheckDefinition(
        "issuer.country", "the issuing country is the signer certificate's", clause: "ISO/IEC 18013-5, 9.3.1",
        [
          .failure("the issuing country differs from the signer certificate's"),
          .tolerance(
            Reason.missing, "the signer certificate names no country to compare the issuing country with",
            seenIn: "Apple's PassKit test issuer, Tessio"),
          .tolerance(
            Reason.unassigned,
            "the signer certificate's country is not a code of ISO 3166-1, and differs from the issuing country",
            seenIn: "the EU's reference issuer, whose signers name UT (2025, 2026)"),
        ])
    case .issuingJurisdiction:
      CheckDefinition(
        "issuer.jurisdiction", "the issuing jurisdiction is the signer certificate's",
        clause: "ISO/IEC 18013-5, 9.3.1",
        [
          .failure(Reason.state, "the issuing jurisdiction differs from the signer certificate's state"),
          .failure(Reason.country, "the issuing jurisdiction is in another country than the signer certificate's"),
        ])
    case .documentRequested:
      CheckDefinition(
        "document.requested", "the request asks for the document", clause: "ISO/IEC 18013-5, 8.3.2.1",
        [
          .failure(Reason.notRequested, "the request does not ask for the document"),
          .failure(Reason.surplus, "another document of the response already answers the request"),
        ])
    case .issuerRequested:
      CheckDefinition(
        "issuer.requested", "the request names the document's issuer, or none",
        "the request does not name the document's issuer",
        clause: "ISO/IEC 18013-5 second edition draft, 10.2.4")
    case .elementRequested:
      CheckDefinition(
        "element.requested", "every returned element was requested", clause: "ISO/IEC 18013-5, 8.3.2.1",
        [
          .failure(Reason.notRequested, "an element was returned that was not requested"),
          .deviation(Reason.deviceSigned, "the device added an element that was not requested"),
        ])
    case .elementReturned:
      CheckDefinition(
        "element.returned", "every requested element was returned", "a requested element was not returned", .notice,
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.3")
    case .documentsReturned:
      CheckDefinition(
        "response.documents", "every requested document is in the response",
        clause: "ISO/IEC 18013-5 second edition draft, 10.2.5",
        [
          .failure(Reason.noDocument, "the response holds no document"),
          .failure(Reason.useCase, "the documents of a use case are not all in the response"),
          .notice(Reason.notReturned, "a requested document is not in the response"),
        ])
    }
  }

  /// The rules of the profile, apart from those that a check of their own is about.
  private static let profileReasons: [CheckDefinition.Reason] = CertificateRule.allCases.compactMap { rule in
    guard ![.readable, .size].contains(rule), check(of: rule) == .issuerCertificateProfile || rule.mayBeLacking else {
      return nil
    }
    return rule.isEssential && !rule.mayBeLacking
      ? .failure(Reason.rule(rule), rule.message) : .deviation(Reason.rule(rule), rule.message)
  }

  /// The check that a rule of a certificate profile belongs to.
  static func check(of rule: CertificateRule) -> ResponseCheck {
    switch rule {
    case .basicConstraints: .issuerEndEntity
    case .extendedKeyUsage: .issuerCertificatePurpose
    case .key, .keyKind, .keyEncoding, .keySupport: .issuerCertificateKey
    default: .issuerCertificateProfile
    }
  }

  /// The check that a response fails when reading it ends with an error, and the reason.
  init(_ code: CBORError.Code) {
    switch code {
    case .truncated, .reservedInformation, .unexpectedBreak, .badChunk, .badSimpleValue, .invalidUTF8, .duplicateKey,
      .trailingBytes:
      self = .cbor
    case .tooDeep, .tooManyItems, .tooLarge, .outOfBounds: self = .limits
    case .indefiniteLength, .nonMinimalHead: self = .encoding
    case .badEmbeddedItem, .wrongType, .missingKey, .badValue: self = .structure
    }
  }
}

extension CertificateRule {
  /// True if a certificate that is itself trusted need not follow the rule.
  fileprivate var mayBeLacking: Bool { self == .basicConstraints || self == .extendedKeyUsage }
}
