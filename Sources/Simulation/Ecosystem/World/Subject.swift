/// What messages are about: the operations between the parties.
enum Subject {
  static let refused = "refused"

  // To authorities.
  static let root = "root certificate"
  static let issuing = "issuing certificate"
  static let provision = "provision document"
  static let document = "document"
  static let certify = "certify reader"
  static let certificate = "reader certificate"

  // To whoever publishes lists.
  static let getList = "GET status list"
  static let list = "200 status list"
  static let noList = "404 status list"

  // Between page and server.
  static let beginPresentment = PageMessage.Operation.beginPresentment.rawValue
  static let presentmentBegun = "201 presentment"
  static let submitResponse = PageMessage.Operation.submitResponse.rawValue
  static let verificationResult = "200 verification result"

  // Between person, browser and page.
  static let visit = "visit"
  static let tap = "tap"
  static let load = "load"
  static let click = "click"
  static let showPage = "show page"

  // Between page and browser.
  static let getCredential = PageMessage.Operation.getCredential.rawValue
  static let abortCredential = PageMessage.Operation.abortCredential.rawValue
  static let credential = "DigitalCredential"
  static let exception = "DOMException"

  // Between browser and operating system.
  static let present = "present document"
  static let dismiss = "dismiss presentment"
  static let response = "document response"
  static let presentmentFailed = "presentment failed"

  // Between operating system and sandbox.
  static let parse = "parse request"
  static let partialRequest = "partial request"
  static let sandboxRefusal = "request refused"

  // Between operating system and person.
  static let showSelector = "show selector"
  static let dismissInterface = "dismiss interface"
  static let showPrompt = "show prompt"
  static let dismissPrompt = "dismiss prompt"

  // Between operating system and app.
  static let addRegistration = "addRegistration"
  static let removeRegistration = "removeRegistration"
  static let registrations = "registrations"
  static let status = "status"
  static let updateRegistrations = "performRegistrationUpdates"
  static let launch = "launch app"
  static let removed = "app removed"
  static let authorize = "ISO18013MobileDocumentRequestContext"
  static let show = "show view"
  static let sendResponse = "sendResponse"
  static let rawRequest = "raw request"
  static let withheld = "raw request withheld"
  static let cancel = "cancel"
  static let abandon = "abandon"
  static let endApp = "end extension"
  static let done = "done"
}
