/// What messages are about: the operations between the parties.
package enum Subject {
  package static let refused = "refused"

  // To authorities.
  package static let root = "root certificate"
  package static let issuing = "issuing certificate"
  package static let provision = "provision document"
  package static let document = "document"
  package static let certify = "certify reader"
  package static let certificate = "reader certificate"

  // To whoever publishes lists.
  package static let getList = "GET status list"
  package static let list = "200 status list"
  package static let noList = "404 status list"

  // Between page and server.
  package static let beginPresentment = PageMessage.Operation.beginPresentment.rawValue
  package static let presentmentBegun = "201 presentment"
  package static let submitResponse = PageMessage.Operation.submitResponse.rawValue
  package static let verificationResult = "200 verification result"

  // Between person, browser and page.
  package static let visit = "visit"
  package static let tap = "tap"
  package static let load = "load"
  package static let click = "click"
  package static let showPage = "show page"

  // Between page and browser.
  package static let getCredential = PageMessage.Operation.getCredential.rawValue
  package static let abortCredential = PageMessage.Operation.abortCredential.rawValue
  package static let credential = "DigitalCredential"
  package static let exception = "DOMException"

  // Between browser and operating system.
  package static let present = "present document"
  package static let dismiss = "dismiss presentment"
  package static let response = "document response"
  package static let presentmentFailed = "presentment failed"

  // Between operating system and sandbox.
  package static let parse = "parse request"
  package static let partialRequest = "partial request"
  package static let sandboxRefusal = "request refused"

  // Between operating system and person.
  package static let showSelector = "show selector"
  package static let dismissInterface = "dismiss interface"
  package static let showPrompt = "show prompt"
  package static let dismissPrompt = "dismiss prompt"

  // Between operating system and app.
  package static let addRegistration = "addRegistration"
  package static let removeRegistration = "removeRegistration"
  package static let registrations = "registrations"
  package static let status = "status"
  package static let updateRegistrations = "performRegistrationUpdates"
  package static let launch = "launch app"
  package static let removed = "app removed"
  package static let authorize = "ISO18013MobileDocumentRequestContext"
  package static let show = "show view"
  package static let sendResponse = "sendResponse"
  package static let rawRequest = "raw request"
  package static let withheld = "raw request withheld"
  package static let cancel = "cancel"
  package static let abandon = "abandon"
  package static let endApp = "end extension"
  package static let done = "done"
}
