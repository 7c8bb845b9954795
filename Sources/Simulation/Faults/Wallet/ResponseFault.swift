/// A fault in a response, made by a provider app that holds a correct document.
public enum ResponseFault: String, Sendable, CaseIterable {
  case valueChanged = "value-changed"
  case elementTwice = "element-twice"
  case elementNotRequested = "element-not-requested"
  case ageNotRequested = "age-not-requested"
  case errorForReturned = "error-for-returned"
  case errorsMalformed = "errors-malformed"
  case issuerNotRequested = "issuer-not-requested"
  case deviceNotSigned = "device-not-signed"
  case deviceAuthTwice = "device-auth-twice"
  case deviceMac = "device-mac"
  case deviceSignatureLength = "device-signature-length"
  case deviceHeaderTwice = "device-header-twice"
  case deviceHeaderEncoding = "device-header-encoding"
  case deviceAlgorithmFullySpecified = "device-algorithm-fully-specified"
  case deviceChainProtected = "device-chain-protected"
  case deviceSignatureMalformed = "device-signature-malformed"
  case deviceAlgorithm = "device-algorithm"
  case anotherDeviceKey = "another-device-key"
  case payloadAttached = "payload-attached"
  case anotherPayloadAttached = "another-payload-attached"
  case deviceSignatureTagged = "device-signature-tagged"
  case deviceElement = "device-element"
  case signsForAnotherOrigin = "signs-for-another-origin"
  case signsForAnotherNonce = "signs-for-another-nonce"
  case anotherNonce = "another-nonce"
  case responseVersion = "response-version"
  case responseStatus = "response-status"
  case documentTwice = "document-twice"
  case documentsOfAnotherKind = "documents-of-another-kind"
  case otherKindMalformed = "other-kind-malformed"
  case documentErrorsEmpty = "document-errors-empty"
  case documentErrorForTwo = "document-error-for-two"
  case noDocuments = "no-documents"
  case emptyDocuments = "empty-documents"
  case notWellFormed = "not-well-formed"
  case textNotUTF8 = "text-not-utf8"
  case mapKeyTwice = "map-key-twice"
  case byteAfterTheEnd = "byte-after-the-end"
  case byteAfterAnElement = "byte-after-an-element"
  case tooDeep = "too-deep"
  case tooManyElements = "too-many-elements"
  case lengthBeyondTheEnd = "length-beyond-the-end"
  case memberMissing = "member-missing"
  case elementOutsideItsTag = "element-outside-its-tag"
  case elementTagNested = "element-tag-nested"
  case elementTagAroundText = "element-tag-around-text"
  case nameSpacesEmpty = "name-spaces-empty"
  case nameSpaceEmpty = "name-space-empty"
  case headLongerThanNeeded = "head-longer-than-needed"
  case indefiniteLength = "indefinite-length"
  case indefiniteLengthWithin = "indefinite-length-within"
  case envelopeMarker = "envelope-marker"
  case envelopeMemberMissing = "envelope-member-missing"
  case envelopeByteAfterTheEnd = "envelope-byte-after-the-end"
  case anotherRecipientKey = "another-recipient-key"

  /// The title and what the verifier finds.
  public var declaration: FaultDeclaration {
    switch self {
    case .valueChanged:
      FaultDeclaration("A value is changed after the issuer signed its digest", .fails("element.digest"))
    case .elementTwice: FaultDeclaration("An element is returned twice", .fails("element.twice"))
    case .elementNotRequested:
      FaultDeclaration("An element is returned that was not requested", .fails("element.not-requested"))
    case .ageNotRequested:
      FaultDeclaration("An age is returned that does not answer the requested one", .fails("element.not-requested"))
    case .errorForReturned:
      FaultDeclaration(
        "The document has an error for an element that is returned",
        .fails("element.error-contradiction"))
    case .errorsMalformed: FaultDeclaration("The errors of the document are malformed", .fails("response.malformed"))
    case .issuerNotRequested:
      FaultDeclaration("The document is of an issuer that the request does not name", .fails("issuer.not-requested"))
    case .deviceNotSigned: FaultDeclaration("The document has no device authentication", .fails("device.not-signed"))
    case .deviceAuthTwice:
      FaultDeclaration(
        "The device gives a signature and a message authentication code",
        .fails("device.signed-twice"))
    case .deviceMac:
      FaultDeclaration("The device gives a message authentication code instead of a signature", .fails("device.mac"))
    case .deviceSignatureLength:
      FaultDeclaration("The device's signature is a byte short", .fails("device.signature-form"))
    case .deviceHeaderTwice:
      FaultDeclaration(
        "The protected header of the device's signature names the algorithm twice",
        .fails("device.header-twice"))
    case .deviceHeaderEncoding:
      FaultDeclaration(
        "The protected header of the device's signature is not in its shortest encoding",
        .deviates("device.form.header-encoding"))
    case .deviceAlgorithmFullySpecified:
      FaultDeclaration(
        "The device names the signature algorithm by a fully specified identifier",
        .deviates("device.form.algorithm-fully-specified"))
    case .deviceChainProtected:
      FaultDeclaration(
        "The device's signature has a certificate chain in its protected header",
        .deviates("device.form.chain"))
    case .deviceSignatureMalformed:
      FaultDeclaration("The device's signature has three parts instead of four", .fails("device.malformed"))
    case .deviceAlgorithm:
      FaultDeclaration(
        "The device names the signature algorithm of another curve than its key's",
        .fails("device.algorithm"))
    case .anotherDeviceKey: FaultDeclaration("Another device's key signs", .fails("device.signature"))
    case .payloadAttached:
      FaultDeclaration("The device's signature has its payload attached", .deviates("device.form.payload-attached"))
    case .anotherPayloadAttached:
      FaultDeclaration(
        "The device's signature has another payload attached",
        .fails("device.payload", deviating: ["device.form.payload-attached"]))
    case .deviceSignatureTagged:
      FaultDeclaration("The device's signature is in a CBOR tag", .deviates("device.form.tagged"))
    case .deviceElement:
      FaultDeclaration(
        "The device signs an element that the issuer did not authorize",
        .fails("device.not-authorized"))
    case .signsForAnotherOrigin:
      FaultDeclaration(
        "The device signs for an unknown origin; the response is sealed for the right one",
        .fails("device.signature"))
    case .signsForAnotherNonce:
      FaultDeclaration(
        "The device signs for an unknown nonce; the response is sealed for the right one",
        .fails("device.signature"))
    case .anotherNonce: FaultDeclaration("The app signs and seals for another nonce", .fails("response.hpke-open"))
    case .responseVersion: FaultDeclaration("The response is of version 2.0", .fails("response.version"))
    case .responseStatus:
      FaultDeclaration("The response reports a general error and returns documents", .fails("response.status"))
    case .documentTwice:
      FaultDeclaration("The document is returned twice for one request", .fails("document.surplus"))
    case .documentsOfAnotherKind:
      FaultDeclaration(
        "The response also has a document of a kind that is not read",
        .deviates("response.documents-unread"))
    case .otherKindMalformed:
      FaultDeclaration("The response has a malformed encrypted document", .fails("response.malformed"))
    case .documentErrorsEmpty:
      FaultDeclaration(
        "The response has an empty array of document errors",
        .deviates("response.document-errors-empty"))
    case .documentErrorForTwo:
      FaultDeclaration("The response has one error for two documents", .fails("response.malformed"))
    case .noDocuments: FaultDeclaration("The response lacks documents", .fails("response.document-missing"))
    case .emptyDocuments:
      FaultDeclaration("The response has an empty array of documents", .fails("response.malformed"))
    case .notWellFormed:
      FaultDeclaration("The response begins with a reserved byte", .fails("response.not-well-formed"))
    case .textNotUTF8: FaultDeclaration("A text of the response is not UTF-8", .fails("response.not-well-formed"))
    case .mapKeyTwice: FaultDeclaration("The response has its status twice", .fails("response.duplicate-key"))
    case .byteAfterTheEnd: FaultDeclaration("A byte follows the response", .fails("response.trailing-bytes"))
    case .byteAfterAnElement:
      FaultDeclaration("A byte follows an element inside its tag", .fails("response.trailing-bytes"))
    case .tooDeep:
      FaultDeclaration("The response is nested more deeply than the limit", .fails("response.out-of-bounds"))
    case .tooManyElements:
      FaultDeclaration("The response has more elements than the limit", .fails("response.out-of-bounds"))
    case .lengthBeyondTheEnd:
      FaultDeclaration("A length in the response exceeds its end", .fails("response.not-well-formed"))
    case .memberMissing: FaultDeclaration("The response lacks its version", .fails("response.malformed"))
    case .elementOutsideItsTag: FaultDeclaration("An element is not in tag 24", .fails("response.malformed"))
    case .elementTagNested: FaultDeclaration("An element is in an additional tag", .fails("response.malformed"))
    case .elementTagAroundText: FaultDeclaration("A text is in the tag of an element", .fails("response.malformed"))
    case .nameSpacesEmpty: FaultDeclaration("The map of name spaces is empty", .fails("response.malformed"))
    case .nameSpaceEmpty: FaultDeclaration("A name space of the document is empty", .fails("response.malformed"))
    case .headLongerThanNeeded:
      FaultDeclaration("The response is not in its shortest encoding", .deviates("response.encoding"))
    case .indefiniteLength:
      FaultDeclaration("The response is a map of indefinite length", .deviates("response.encoding"))
    case .indefiniteLengthWithin:
      FaultDeclaration(
        "The documents of the response are an array of indefinite length",
        .deviates("response.encoding"))
    case .envelopeMarker:
      FaultDeclaration("The encrypted response begins with another text than dcapi", .fails("response.envelope"))
    case .envelopeMemberMissing: FaultDeclaration("The encrypted response lacks enc", .fails("response.envelope"))
    case .envelopeByteAfterTheEnd:
      FaultDeclaration("A byte follows the encrypted response", .fails("response.envelope"))
    case .anotherRecipientKey:
      FaultDeclaration("The response is sealed for another recipient", .fails("response.hpke-open"))
    }
  }
}
