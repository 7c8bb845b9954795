/// The checks of a device response, in the order in which they are made (ISO/IEC 18013-5, 9.3.1 and 9.3.2).
public enum ResponseCheck: String, CheckCode {
  case readable = "response.malformed"
  case version = "response.version"
  case status = "response.status"
  case documentReturned = "response.document-missing"
  case documentRequested = "document.not-requested"
  case issuerAuthReadable = "issuer.malformed"
  case issuerSignature = "issuer.signature"
  case issuerTrust = "issuer.not-trusted"
  case issuerCertificateValidity = "issuer.certificate-expired"
  case issuerCertificateProfile = "issuer.certificate-profile"
  case securityObjectReadable = "mso.malformed"
  case securityObjectVersion = "mso.version"
  case documentType = "mso.document-type"
  case signedWithinSigner = "mso.validity.signed"
  case validFrom = "mso.validity.not-yet-valid"
  case validUntil = "mso.validity.expired"
  case validityWithinSigner = "mso.validity.beyond-signer"
  case digestAlgorithm = "mso.digest-algorithm"
  case elementUnique = "element.twice"
  case elementCovered = "element.not-covered"
  case elementSalt = "element.salt"
  case elementDigest = "element.digest"
  case deviceAuthentication = "device.not-signed"
  case deviceAuthorization = "device.not-authorized"
  case deviceMac = "device.mac"
  case deviceSignature = "device.signature"
  // What takes its place when it is known what the device signed instead.
  case deviceTranscript = "device.transcript"
  case issuerRequested = "issuer.not-requested"
  case issuingCountry = "issuer.country"
  case issuingJurisdiction = "issuer.jurisdiction"
  case elementRequested = "element.not-requested"
  case elementReturned = "element.not-returned"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .readable: "the device response is malformed"
    case .version: "the device response has an unknown major version"
    case .status: "the device reports an error"
    case .documentReturned: "a requested document is not in the response"
    case .documentRequested: "a document was returned that nobody asked for"
    case .issuerAuthReadable: "the issuer's signature is malformed"
    case .issuerSignature: "the issuer's signature does not verify"
    case .issuerTrust: "the issuer is not trusted"
    case .issuerCertificateValidity: "the document signer's certificate is not valid at this time"
    case .issuerCertificateProfile: "the signer's certificate is not one of a document signer"
    case .securityObjectReadable: "the mobile security object is malformed"
    case .securityObjectVersion: "the mobile security object has an unknown major version"
    case .documentType: "the document is of another type than its mobile security object says"
    case .signedWithinSigner: "the document was signed outside the validity of its signer's certificate"
    case .validFrom: "the document is not valid yet"
    case .validUntil: "the document has expired"
    case .validityWithinSigner: "the document is valid for longer than its signer's certificate"
    case .digestAlgorithm: "the digest algorithm is not one of the standard"
    case .elementUnique: "an element is in the response twice"
    case .elementCovered: "the mobile security object does not cover an element"
    case .elementSalt: "the salt of an element is shorter than 16 bytes"
    case .elementDigest: "an element's digest does not match: its value is not what the issuer signed"
    case .deviceAuthentication: "the device did not sign the response"
    case .deviceAuthorization: "the device signed an element that the issuer did not allow it to"
    case .deviceMac: "a message authentication code cannot be checked: no ephemeral reader key exists here"
    case .deviceSignature: "device signature does not verify"
    case .deviceTranscript: "the device signed something else than this session's transcript"
    case .issuerRequested: "the document is of an issuer that the request does not name"
    case .issuingCountry: "the issuing country differs from the signer certificate's"
    case .issuingJurisdiction: "the issuing jurisdiction differs from the signer certificate's state"
    case .elementRequested: "an element was returned that nobody asked for"
    case .elementReturned: "a requested element was not returned"
    }
  }

  /// What it means when this holds, for a person to read.
  public var sentenceWhenPassed: String {
    switch self {
    case .readable: "the device response is well-formed"
    case .version: "the device response is of a known version"
    case .status: "the device reports success"
    case .documentReturned: "every requested document is there"
    case .documentRequested: "the document was asked for"
    case .issuerAuthReadable: "the issuer's signature is well-formed"
    case .issuerSignature: "the issuer's signature verifies"
    case .issuerTrust: "the signer's certificate leads to a trusted root"
    case .issuerCertificateValidity: "the signer's certificate is valid at this time"
    case .issuerCertificateProfile: "the signer's certificate is one of a document signer"
    case .securityObjectReadable: "the mobile security object is well-formed"
    case .securityObjectVersion: "the mobile security object is of a known version"
    case .documentType: "the document is of the type that was signed"
    case .signedWithinSigner: "the document was signed while its signer's certificate was valid"
    case .validFrom: "the document is valid already"
    case .validUntil: "the document is valid still"
    case .validityWithinSigner: "the document does not outlive its signer's certificate"
    case .digestAlgorithm: "the digest algorithm is one of the standard"
    case .elementUnique: "no element is there twice"
    case .elementCovered: "the issuer signed a digest for every element"
    case .elementSalt: "every element is salted"
    case .elementDigest: "every element's digest matches: the values are what the issuer signed"
    case .deviceAuthentication: "the device authenticated the response"
    case .deviceAuthorization: "the device signed no element that it may not"
    case .deviceMac: "the device's message authentication code verifies"
    case .deviceSignature, .deviceTranscript: "the device signature verifies: this device, this session, this origin"
    case .issuerRequested: "the request names the document's issuer, or none"
    case .issuingCountry: "the issuing country agrees with the signer's certificate"
    case .issuingJurisdiction: "the issuing jurisdiction agrees with the signer's certificate"
    case .elementRequested: "nothing was returned that nobody asked for"
    case .elementReturned: "every requested element was returned"
    }
  }

  /// Checks of the response as a whole.
  static let ofResponse: [ResponseCheck] = [.readable, .version, .status, .documentReturned]

  /// Checks of each document.
  static let ofDocument: [ResponseCheck] = allCases.filter {
    !ofResponse.contains($0) && $0 != .deviceTranscript
  }
}
