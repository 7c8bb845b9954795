import DigitalCredentials
import JSON
import Messaging
import Primitives
import RelyingParty
import SimulationKernel
import Vocabulary
import WebPresentment

/// A website's page and its script.
///
/// ```
/// browser --load-->  page --POST /presentments--> server      the request is fetched in advance
/// browser --click--> page --navigator.credentials.get--> browser
/// browser --DigitalCredential--> page --POST .../response--> server --verification result--> page
/// page   --POST /orders--> server                              after a verified answer, if the page has a checkout
/// browser --DOMException-->      page falls back to a form
/// browser --choose file--> page --POST /fallback--> server      a picture of an ID, in the form
/// page    --show page--> person  whatever the page shows
/// ```
package actor WebsitePage: StationedActor {
  package nonisolated let station: Station
  private let website: WorldDescription.Website
  /// The merchant identifier of the server's first app.
  private let merchant: String?
  private let browser: Party
  private var begun: BegunPresentment?
  /// The sessions of the pending calls, by call.
  private var pending: [Int: BegunPresentment] = [:]
  private var nextCall = 1
  private var lastSubmission: SubmittedResponse?
  /// The session of the newest request, which an order and an uploaded picture belong to.
  private var session: String?
  private var item: WorldDescription.Website.Checkout.Item?
  /// The page as it is on the screen.
  private var screen: PageScreen
  /// True for a page that could not reach its server when it was loaded, because the device is in flight mode.
  private var isOffline = false
  private var boundaries: EntropyStream

  /// The label of the button that asks for an ID.
  static let verifyButton = "Verify Identity"
  /// The label of the button that ends the checkout.
  static let orderButton = "Place Order"

  package init(_ website: WorldDescription.Website, merchant: String?, browser: Party, station: Station) {
    self.station = station
    self.website = website
    self.merchant = merchant
    self.browser = browser
    screen = PageScreen(title: website.brand.name, buttons: [])
    boundaries = station.stream("form boundaries")
  }

  private var server: Party { Party(.server, website.identifier) }

  package func receive(_ message: Message) async {
    // An external script reads its messages in the journal.
    guard website.script == .own else { return }
    switch message.kind {
    case .load:
      isOffline = await begin() == .offline
      open()
    case .click: await tapped(message.body(TapBody.self)?.label ?? "")
    case .choose: await upload(message)
    case .credential:
      guard let answer = station.body(CredentialAnswer.self, of: message) else { return }
      await submit(answer)
    case .exception:
      guard let exception = station.body(CallErrorBody.self, of: message) else { return }
      fallBack(exception)
    default: station.ignore(message)
    }
  }

  /// Fetches a request.
  /// - Returns: The reason why the server was not asked; nil if it was.
  @discardableResult
  private func begin() async -> SimulationErrorCode? {
    // A page may ask any server for a request; the verifier must notice that it uses another site's.
    let source = website.replaysRequestsOf.map { Party(.server, $0) } ?? server
    let answer: Message
    do {
      answer = try await station.request(.beginPresentment, [String](), to: source)
    } catch {
      return (error as? SimulationError)?.code
    }
    guard answer.kind == .presentmentBegun else { return nil }
    begun = answer.body(BegunPresentment.self)
    session = begun?.session
    return nil
  }

  /// Shows the first step: the items if there are several, otherwise the button.
  private func open() {
    let items = website.checkout?.items ?? []
    item = items.count == 1 ? items.first : nil
    if isOffline {
      item = nil
      return showUnavailable()
    }
    guard items.count > 1 else { return show(identityStep()) }
    var page = PageScreen(title: website.brand.name, buttons: items.map(\.name))
    page.step = .selection
    show(page)
  }

  private func showUnavailable() {
    var page = identityStep(buttons: [])
    page.fallback = "The site is not available right now."
    show(page)
  }

  /// The step with the button that asks for an ID.
  private func identityStep(buttons: [String] = [verifyButton]) -> PageScreen {
    PageScreen(title: website.brand.name, item: item, buttons: buttons)
  }

  private func tapped(_ label: String) async {
    switch screen.step {
    case .selection:
      item = website.checkout?.items.first { $0.name == label }
      if item != nil { show(identityStep()) }
    case .summary where label == Self.orderButton: await placeOrder()
    case .identity, .summary, .ordered, .review: await call()
    }
  }

  /// Calls the API, by default with the fetched request. A scenario can let the page's script do so without the person's
  /// gesture.
  package func call(_ scripted: Action.PageCall = Action.PageCall()) async {
    if begun == nil { await begin() }
    guard let begun else { return showUnavailable() }
    // Clears the result of an earlier attempt.
    if pending.isEmpty { show(identityStep()) }
    let number = nextCall
    nextCall += 1
    pending[number] = begun
    if scripted != Action.PageCall() { return call(number, scripted, begun) }
    station.send(.getCredential, CallBody(call: number, options: begun.usualOptions), to: browser)
  }

  /// Calls the API with options, or in a way, of a scenario.
  private func call(_ number: Int, _ scripted: Action.PageCall, _ begun: BegunPresentment) {
    let options = scripted.options.flatMap { try? JSONReader.read(Array($0.utf8)) } ?? scripted.method.usualOptions
    station.send(
      .getCredential,
      CallBody(
        call: number, options: RequestPlaceholder.filled(options, from: begun), method: scripted.method,
        aborted: scripted.abortedBefore.map { AbortReason(name: "AbortError", message: $0) }),
      to: browser)
  }

  /// Aborts the newest pending call.
  package func abort(reason: String, name: String) {
    guard let call = pending.keys.max() else { return }
    station.send(.abortCredential, CallErrorBody(call: call, name: name, message: reason), to: browser)
  }

  /// Changes the page, or the page around the frame.
  package func change(_ change: Action.PageChange) {
    station.send(.changePage, PageChangeBody(change: change), to: browser)
  }

  private func submit(_ answer: CredentialAnswer) async {
    guard let begun = pending.removeValue(forKey: answer.call) else { return }
    if self.begun?.session == begun.session { self.begun = nil }
    await submit(SubmittedResponse(session: begun.session, protocol: answer.protocol, data: answer.data))
  }

  /// Sends a response to a new session of the server's app.
  private func submitToIdentityRequest(_ submission: SubmittedResponse) async {
    guard let merchant, let response = submission.data.response,
      let answer = try? await station.request(
        .beginIdentityRequest, MerchantBody(merchantIdentifier: merchant), to: server),
      let begun = answer.body(BegunIdentityRequest.self)
    else { return }
    let envelope = SubmittedEnvelope(session: begun.session, encryptedData: response)
    showResult(of: try? await station.request(.submitEnvelope, envelope, to: server))
  }

  private func submit(_ submission: SubmittedResponse) async {
    lastSubmission = submission
    showResult(of: try? await station.request(.submitResponse, submission, to: server))
  }

  private func showResult(of answer: Message?) {
    guard let answer, let result = ReceivedVerdict(json: answer.bytes) else {
      var page = identityStep(buttons: [])
      page.fallBack("The site could not verify the answer.")
      return show(page)
    }
    var page = identityStep(buttons: [])
    page.verdict = result.verdict
    page.code = result.failure
    page.verified = result.elements
    if result.verdict == "verified" {
      page.step = .summary
      if let checkout = website.checkout {
        page.buttons = [Self.orderButton]
        page.notices = [checkout.success]
      }
    } else {
      page.fallBack()
    }
    show(page)
  }

  private func placeOrder() async {
    let order = OrderBody(session: lastSubmission?.session ?? "", item: item?.name)
    var page = screen
    page.buttons = []
    if let answer = try? await station.request(.placeOrder, order, to: server), answer.kind == .orderPlaced,
      let placed = answer.body(OrderAnswer.self)
    {
      page.step = .ordered
      page.order = placed.number
      page.notices = [placed.message]
    } else {
      page.notices = ["The site could not take the order."]
    }
    show(page)
  }

  /// Sends a file of the person to the server, in the form.
  private func upload(_ message: Message) async {
    guard screen.form != nil, let file = UploadedFile(message.bytes, contentType: message.mediaType) else {
      return station.ignore(message)
    }
    func field(_ name: String, _ text: String?) -> [MultipartForm.Part] {
      text.map { [MultipartForm.Part(name, bytes: Array($0.utf8))] } ?? []
    }
    let picture = MultipartForm.Part(
      IdentityScan.fieldName, fileName: file.name, mediaType: file.mediaType, bytes: file.bytes)
    let form = MultipartForm(field("session", session) + field("item", item?.name) + [picture])
    let boundary = "form-\(Base64URL.encode(boundaries.bytes(12)))"
    let answer = try? await station.endpoint.request(
      .uploadScan, form.encoded(boundary: boundary), as: MultipartForm.contentType(boundary: boundary), to: server)
    var page = screen
    if let answer, answer.kind == .scanReceived,
      let kept = answer.body(OrderAnswer.self)
    {
      page = identityStep(buttons: [])
      page.step = .review
      page.order = kept.number
      page.notices = ["Thank you.", kept.message]
    } else {
      let refusal = answer.flatMap { $0.body(RefusalBody.self) }
      page.form?.refusal = refusal?.code
      page.form?.message = refusal?.message ?? "the site does not answer"
    }
    show(page)
  }

  /// Sends the last response again: to the session it was for, or to another one.
  package func replayResponse(to session: Action.ReplayedSession) async {
    guard var submission = lastSubmission else { return }
    switch session {
    case .same: break
    case .otherKind: return await submitToIdentityRequest(submission)
    case .new:
      begun = nil
      await begin()
      guard let begun else { return }
      submission.session = begun.session
    }
    await submit(submission)
  }

  private func fallBack(_ exception: CallErrorBody) {
    pending.removeValue(forKey: exception.call)
    // A failed second call leaves the first one pending.
    guard pending.isEmpty else { return }
    // A request of a failed call is not used again.
    begun = nil
    var page = identityStep()
    page.exception = exception.name
    page.exceptionMessage = exception.message
    page.fallBack()
    show(page)
  }

  /// Sends a message of an external script.
  package func send(_ message: PageMessage) {
    let recipient =
      switch message.operation {
      case .beginPresentment, .submitResponse, .placeOrder: server
      case .getCredential, .abortCredential, .setVirtualWallet: browser
      }
    station.send(message.operation.kind, bytes: Array(message.body.utf8), as: MediaType.json, to: recipient)
  }

  private func show(_ screen: PageScreen) {
    self.screen = screen
    station.send(.showPage, screen, as: MediaType.screen, to: Party.person)
  }
}

extension CredentialOperation {
  /// Options with the fetched request.
  fileprivate var usualOptions: JSONValue {
    let request = JSONValue(members: [(RequestPlaceholder.fetched.rawValue, .string("request"))])
    let requests = JSONValue(members: [("requests", .array([request]))])
    return self == .issue ? requests : JSONValue(members: [("digital", requests)])
  }
}

extension PageScreen {
  /// Offers the form in place of a presentment.
  fileprivate mutating func fallBack(_ text: String = "Upload a picture of your ID instead.") {
    fallback = text
    form = .blank
  }
}
