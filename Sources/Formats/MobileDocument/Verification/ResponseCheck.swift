import CBOR
import Checks

/// The checks of a device response, in the order in which they are made (ISO/IEC 18013-5, 9.3.1 and 9.3.2).
public enum ResponseCheck: String, CheckCode {
  case wellFormed = "response.not-well-formed"
  case duplicateKey = "response.duplicate-key"
  case trailingBytes = "response.trailing-bytes"
  case bounded = "response.out-of-bounds"
  case readable = "response.malformed"
  case encoding = "response.encoding"
  case version = "response.version"
  case status = "response.status"
  case issuerAuthReadable = "issuer.malformed"
  // What takes its place when a header is there twice.
  case issuerHeaderOnce = "issuer.header-twice"
  case issuerAuthenticated = "issuer.not-authenticated"
  case issuerAlgorithm = "issuer.algorithm"
  case issuerCertificateKey = "issuer.certificate-key"
  case issuerThumbprint = "issuer.thumbprint"
  case issuerSignature = "issuer.signature"
  // What takes its place when it is no signature at all.
  case issuerSignatureForm = "issuer.signature-form"
  case issuerTrust = "issuer.not-trusted"
  case issuerCertificateStart = "issuer.certificate-not-yet-valid"
  case issuerCertificateEnd = "issuer.certificate-expired"
  case issuerCertificateAuthority = "issuer.certificate-authority"
  case issuerCertificatePurpose = "issuer.certificate-purpose"
  case issuerCertificateProfile = "issuer.certificate-profile"
  case securityObjectReadable = "mso.malformed"
  // What takes its place when it is known more exactly.
  case securityObjectKeyOnce = "mso.duplicate-key"
  case securityObjectEnd = "mso.trailing-bytes"
  case securityObjectVersion = "mso.version"
  case documentType = "mso.document-type"
  case dates = "mso.date"
  case datesInUTC = "mso.date-offset"
  case validityOrder = "mso.validity.order"
  case signedWithinSigner = "mso.validity.signed"
  case validFrom = "mso.validity.not-yet-valid"
  case validUntil = "mso.validity.expired"
  case validityWithinSigner = "mso.validity.beyond-signer"
  case digestAlgorithm = "mso.digest-algorithm"
  case digestLength = "mso.digest-length"
  case digestIdentifier = "mso.digest-id"
  case deviceKey = "mso.device-key"
  case keyAuthorizations = "mso.key-authorizations"
  case nameSpaceCovered = "element.name-space-not-covered"
  case elementCovered = "element.not-covered"
  case elementDigest = "element.digest"
  case elementUnique = "element.twice"
  case elementSalt = "element.salt"
  case errorsAgree = "element.error-contradiction"
  case elementType = "element.type"
  case elementDates = "element.date"
  case elementDatesInUTC = "element.date-offset"
  case agesAgree = "element.age-contradiction"
  case deviceAuthentication = "device.not-signed"
  // What takes its place when there are two.
  case deviceAuthenticationOnce = "device.signed-twice"
  case deviceAuthReadable = "device.malformed"
  // What takes its place when a header is there twice.
  case deviceHeaderOnce = "device.header-twice"
  case deviceAuthorization = "device.not-authorized"
  case deviceMac = "device.mac"
  case deviceAlgorithm = "device.algorithm"
  case deviceSignature = "device.signature"
  // What takes its place when it is no signature at all, when it carries something else, or when it is known what the
  // device signed instead.
  case deviceSignatureForm = "device.signature-form"
  case devicePayload = "device.payload"
  case deviceTranscript = "device.transcript"
  case issuingCountry = "issuer.country"
  case issuingJurisdiction = "issuer.jurisdiction"
  case documentRequested = "document.not-requested"
  // What takes its place when it was asked for, and another document answers already.
  case documentOnce = "document.surplus"
  case issuerRequested = "issuer.not-requested"
  case elementRequested = "element.not-requested"
  case elementReturned = "element.not-returned"
  case documentReturned = "response.document-missing"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .wellFormed: "the device response is not well-formed CBOR"
    case .duplicateKey: "a map of the device response has a key twice"
    case .trailingBytes: "bytes follow the end of the device response, or of an item in it"
    case .bounded: "the device response exceeds a bound"
    case .readable: "the device response is malformed"
    case .encoding: "the device response is not in the required encoding"
    case .version: "the device response has an unknown major version"
    case .status: "the device reports an error"
    case .issuerAuthReadable: "the issuer's signature is malformed"
    case .issuerHeaderOnce: "the issuer's signature has a header twice"
    case .issuerThumbprint: "the issuer's signature names another certificate than the one that came as the signer's"
    case .issuerSignatureForm:
      "the issuer's signature is no signature of its curve: too long, too short or out of range"
    case .issuerCertificateAuthority: "the signer's certificate is one of an authority, which signs no documents"
    case .securityObjectKeyOnce: "a map of the mobile security object has a key twice"
    case .securityObjectEnd: "bytes follow the end of the mobile security object, or of an item in it"
    case .digestIdentifier: "a digestID is not below 2^31"
    case .deviceAuthenticationOnce: "the device gives a signature and a message authentication code"
    case .deviceHeaderOnce: "the device authentication has a header twice"
    case .deviceSignatureForm: "the device signature is no signature of its curve: too long, too short or out of range"
    case .devicePayload: "the device authentication carries another payload than what the device has to sign"
    case .documentOnce: "another document of the response answers the request already"
    case .issuerAuthenticated: "the document is not issuer authenticated: it has no signer certificate"
    case .issuerAlgorithm: "the issuer's signature is in an algorithm that is not allowed"
    case .issuerCertificateKey: "the signer's key is on a curve that is not allowed"
    case .issuerSignature: "the issuer's signature does not verify"
    case .issuerTrust: "the issuer is not trusted"
    case .issuerCertificateStart: "the document signer's certificate is not valid yet"
    case .issuerCertificateEnd: "the document signer's certificate has expired"
    case .issuerCertificatePurpose: "the signer's certificate is for another purpose than signing documents"
    case .issuerCertificateProfile: "the signer's certificate does not fit the profile of a document signer"
    case .securityObjectReadable: "the mobile security object is malformed"
    case .securityObjectVersion: "the mobile security object has an unknown major version"
    case .documentType: "the document is of another type than its mobile security object says"
    case .dates: "a date of the mobile security object does not exist"
    case .datesInUTC: "a date of the mobile security object is not in UTC"
    case .validityOrder: "the dates of the mobile security object contradict each other"
    case .signedWithinSigner: "the document was signed outside the validity of its signer's certificate"
    case .validFrom: "the document is not valid yet"
    case .validUntil: "the document has expired"
    case .validityWithinSigner: "the document is valid for longer than its signer's certificate"
    case .digestAlgorithm: "the digest algorithm is not one of the standard"
    case .digestLength: "a digest is not as long as its algorithm makes it"
    case .deviceKey: "the device key is malformed or on a curve that is not allowed"
    case .keyAuthorizations: "the key authorizations are not as the standard has them"
    case .nameSpaceCovered: "the mobile security object does not cover a name space"
    case .elementCovered: "the mobile security object does not cover an element"
    case .elementDigest: "an element's digest does not match: its value is not what the issuer signed"
    case .elementUnique: "an element is in the response twice"
    case .elementSalt: "the salt of an element is shorter than 16 bytes, or that of another element too"
    case .elementType: "an element's value is not of the type that its name space defines"
    case .errorsAgree: "an error is given for an element that was returned"
    case .elementDates: "a date among the elements does not exist"
    case .elementDatesInUTC: "a date among the elements is not in UTC"
    case .agesAgree: "two ages among the elements contradict each other"
    case .deviceAuthentication: "the device did not sign the response"
    case .deviceAuthReadable: "the device authentication is malformed"
    case .deviceAuthorization: "the device signed an element that the issuer did not allow it to"
    case .deviceMac: "a message authentication code cannot be checked: no ephemeral reader key exists here"
    case .deviceAlgorithm: "the device signed in an algorithm that does not go with its key"
    case .deviceSignature: "device signature does not verify"
    case .deviceTranscript: "the device signed something else than this session's transcript"
    case .issuingCountry: "the issuing country differs from the signer certificate's"
    case .issuingJurisdiction: "the issuing jurisdiction differs from the signer certificate's state"
    case .documentRequested: "a document was returned that nobody asked for"
    case .issuerRequested: "the document is of an issuer that the request does not name"
    case .elementRequested: "an element was returned that nobody asked for"
    case .elementReturned: "a requested element was not returned"
    case .documentReturned: "a requested document is not in the response"
    }
  }

  /// Whether a finding of this check is a departure from the standard. What a person withholds is none: no policy
  /// refuses a response for it.
  public var isAboutTheStandard: Bool { self != .elementReturned && self != .documentReturned }

  /// Checks of the response by itself.
  package static let ofResponse: [ResponseCheck] = [
    .wellFormed, .duplicateKey, .trailingBytes, .bounded, .readable, .encoding, .version, .status,
  ]

  /// Checks of all documents together.
  package static let ofDocuments: [ResponseCheck] = [.documentReturned]

  /// Checks that only ever take the place of another one, of which they know more.
  private static let replacements: [ResponseCheck] = [
    .issuerHeaderOnce, .issuerSignatureForm, .securityObjectKeyOnce, .securityObjectEnd, .deviceAuthenticationOnce,
    .deviceHeaderOnce, .deviceSignatureForm, .devicePayload, .deviceTranscript, .documentOnce,
  ]

  /// Checks of each document.
  package static let ofDocument: [ResponseCheck] = allCases.filter {
    !ofResponse.contains($0) && !ofDocuments.contains($0) && !replacements.contains($0)
  }

  /// The check that a response fails when reading it ends with this error.
  init(_ code: CBORError.Code) {
    switch code {
    case .truncated, .reservedInformation, .unexpectedBreak, .badChunk, .badSimpleValue, .invalidUTF8:
      self = .wellFormed
    case .duplicateKey: self = .duplicateKey
    case .trailingBytes: self = .trailingBytes
    case .tooDeep, .tooManyItems, .tooLarge, .outOfBounds: self = .bounded
    case .indefiniteLength, .nonMinimalHead: self = .encoding
    case .badEmbeddedItem, .wrongType, .missingKey, .badValue: self = .readable
    }
  }
}
