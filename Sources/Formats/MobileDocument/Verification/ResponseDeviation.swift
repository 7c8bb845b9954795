import COSE
import Checks
import StatusLists

/// Departures from the standard in a device response that are seen in the wild and do no harm: each is accepted with a
/// finding of its own, and refused by a strict policy.
public enum ResponseDeviation: String, CheckCode {
  case documentErrorsEmpty = "response.document-errors-empty"
  case documentsUnread = "response.documents-unread"
  case issuerTagged = "issuer.form.tagged"
  case issuerChainProtected = "issuer.form.chain-protected"
  case issuerChainOfOneAsArray = "issuer.form.chain-of-one-as-array"
  case issuerChainUnreadable = "issuer.form.chain-unreadable"
  case issuerHeaderEncoding = "issuer.form.header-encoding"
  case issuerAlgorithmFullySpecified = "issuer.form.algorithm-fully-specified"
  case securityObjectEncoding = "mso.form.encoding"
  case statusNull = "mso.form.status-null"
  case statusIdentifierText = "mso.form.text-identifier"
  case dateUntagged = "mso.date.untagged"
  case dateFraction = "mso.date.fraction"
  case dateLowerCase = "mso.date.lower-case"
  case validityOfNoLength = "mso.validity.ends-at-beginning"
  case updateAfterEnd = "mso.validity.update-after-end"
  case deviceKeyCompressed = "mso.device-key.compressed"
  case deviceTagged = "device.form.tagged"
  case devicePayloadAttached = "device.form.payload-attached"
  case deviceHeaderEncoding = "device.form.header-encoding"
  case deviceAlgorithmFullySpecified = "device.form.algorithm-fully-specified"
  case deviceChain = "device.form.chain"

  /// What departs, for a person to read.
  public var sentence: String {
    switch self {
    case .documentErrorsEmpty: "the documentErrors of the response are there and empty"
    case .documentsUnread: "the response holds documents of a kind that is not read here"
    case .issuerTagged: "the issuer's signature stands in its tag"
    case .issuerChainProtected: "the certificate chain stands in the protected header"
    case .issuerChainOfOneAsArray: "a chain of one certificate came as an array"
    case .issuerChainUnreadable: "a certificate behind the signer's cannot be read; it is ignored"
    case .issuerHeaderEncoding: "the protected header of the issuer's signature is not in the required encoding"
    case .issuerAlgorithmFullySpecified: "the identifier of the issuer's algorithm names its curve too"
    case .securityObjectEncoding: "the mobile security object is not in the required encoding"
    case .statusNull: StatusDeviation.null.sentence
    case .statusIdentifierText: StatusDeviation.identifierText.sentence
    case .dateUntagged: "a date has no tag 0"
    case .dateFraction: "a date has fractional seconds"
    case .dateLowerCase: "a date has a T or Z in lower case"
    case .validityOfNoLength: "the document's validity ends when it begins"
    case .updateAfterEnd: "an update is expected after the document has expired"
    case .deviceKeyCompressed: "the device key is a compressed point"
    case .deviceTagged: "the device authentication stands in its tag"
    case .devicePayloadAttached: "the payload of the device authentication is attached"
    case .deviceHeaderEncoding: "the protected header of the device authentication is not in the required encoding"
    case .deviceAlgorithmFullySpecified: "the identifier of the device's algorithm names its curve too"
    case .deviceChain: "the device authentication has a certificate chain in a form that departs; it is ignored"
    }
  }

  /// Documents of other kinds are the standard's own: that they are not read here is no fault of the response.
  public var isAboutTheStandard: Bool { self != .documentsUnread }

  /// A deviation in the status that a mobile security object has.
  init(status deviation: StatusDeviation) {
    switch deviation {
    case .null: self = .statusNull
    case .identifierText: self = .statusIdentifierText
    }
  }

  /// A departure in the form of the issuer's signature; nil for a chain that is empty, which a check of its own refuses.
  init?(issuer deviation: COSEDeviation) {
    switch deviation {
    case .tagged: self = .issuerTagged
    case .chainInProtectedHeader: self = .issuerChainProtected
    case .chainOfOneAsArray: self = .issuerChainOfOneAsArray
    case .headerEncoding: self = .issuerHeaderEncoding
    case .fullySpecifiedAlgorithm: self = .issuerAlgorithmFullySpecified
    // An issuer's payload is always attached.
    case .emptyChain, .attachedPayload: return nil
    }
  }

  /// A departure in the form of the device's signature or message authentication code.
  init(device deviation: COSEDeviation) {
    switch deviation {
    case .tagged: self = .deviceTagged
    case .attachedPayload: self = .devicePayloadAttached
    case .headerEncoding: self = .deviceHeaderEncoding
    case .fullySpecifiedAlgorithm: self = .deviceAlgorithmFullySpecified
    case .chainInProtectedHeader, .chainOfOneAsArray, .emptyChain: self = .deviceChain
    }
  }
}
