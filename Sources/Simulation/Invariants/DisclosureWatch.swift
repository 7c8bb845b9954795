import JSON
import Messaging
import MobileDocument
import Primitives
import Proximity
import RelyingParty
import Vocabulary

/// Watches what apps answer, where their answers go, and what verifier servers verify.
struct DisclosureWatch {
  /// An answer of an app.
  private struct Answer {
    let app: Party
    let message: Message
    /// The agreement that the app answered with; nil without one.
    let agreement: Agreements.Agreement?
  }

  private typealias Name = ShownDocuments.Name

  /// A value that an issuing authority sent to an app.
  private struct Issued {
    let issuer: String
    let value: JSONValue
  }

  private let world: WorldDescription
  private let faults: InjectedFaults
  private var agreements = Agreements()
  private var answers: [SealedAnswer: Answer] = [:]
  /// The answers in messages that a fault altered, which the next party passes on as it got them.
  private var alteredAnswers: Set<SealedAnswer> = []
  /// Sealed answers that verifier servers got, by the number of the message.
  private var submissions: [Int: ObservedMessage] = [:]
  /// The newest answer in person that no terminal has verified yet, by no name: it has none on the air.
  private var answerInPerson: Answer?
  /// The requests of sessions, by the server and the session; they are read when something is verified.
  private var requests: [Party: [String: [BegunPresentment]]] = [:]
  /// Documents from issuing authorities, by the number of the message; they are read when something is verified.
  private var documents: [Party: [(question: Message?, answer: Message)]] = [:]
  private var orders: [Int: Message] = [:]
  private var raw = PatternSet()

  init(_ world: WorldDescription, _ faults: InjectedFaults) {
    self.world = world
    self.faults = faults
  }

  /// Takes the next message of a run.
  mutating func take(_ observed: ObservedMessage, _ violations: inout [InvariantViolation]) {
    let message = observed.message
    agreements.take(observed)
    if [.app, .ownWallet].contains(message.recipient.role) { judgeRawRequest(in: message, &violations) }
    switch message.kind {
    case .presentmentBegun: begin(observed)
    case .getCredential: addNeedles(of: observed)
    case .provision: orders[message.number] = message
    case .document: documents[message.recipient, default: []].append((message.answers.flatMap { orders[$0] }, message))
    case .response where message.sender.role == .app: takeAnswer(message, &violations)
    case .identityEnvelope: takeAnswer(message, &violations)
    case .response, .identityDocument, .credential:
      guard let answer = observed.answer else { return }
      judgeRelay(message, of: answer, &violations)
      if message.kind == .credential { judgeOrigin(message, of: answer, &violations) }
    case .requestData where message.sender.role == .mdoc: addNeedle(ofInPerson: message)
    case .showTerminal: judgeTerminal(message, &violations)
    case .submitResponse, .submitEnvelope: submissions[message.number] = observed
    case .verificationResult: judgeResult(observed, &violations)
    default: break
    }
  }

  // MARK: Answers

  private mutating func takeAnswer(_ message: Message, _ violations: inout [InvariantViolation]) {
    let app = message.sender
    let agreement = agreements.agreement(for: app)
    agreements.use(of: app)
    let answer = Answer(app: app, message: message, agreement: agreement)
    answers[SealedAnswer(bytes: message.bytes)] = answer
    if message.mediaType == MediaType.sealed { answerInPerson = answer }
    guard agreement == nil else { return }
    violations.add(.consent, .agreement, "The app is \(app.title).", at: [message])
  }

  /// Judges a message with which a party passes on an app's answer.
  private mutating func judgeRelay(
    _ message: Message, of answer: SealedAnswer, _ violations: inout [InvariantViolation]
  ) {
    guard answers[answer] == nil else { return }
    if faults.alteredMessages.contains(message.number) { alteredAnswers.insert(answer) }
    guard !alteredAnswers.contains(answer) else { return }
    violations.add(.messages, .relay, "The party is \(message.sender.titleWithArticle).", at: [message])
  }

  /// Judges the page that gets an app's answer.
  private func judgeOrigin(_ message: Message, of sealed: SealedAnswer, _ violations: inout [InvariantViolation]) {
    guard let answer = answers[sealed], let agreement = answer.agreement,
      let origin = originOfPage(message.recipient), agreement.screen.origin != origin
    else { return }
    violations.add(
      .origin, .page, "The person agreed to \(agreement.screen.origin); the page is of \(origin).",
      at: agreement.messages + [answer.message, message])
  }

  /// The origin that a browser presents for a page: for one in a frame, the origin of the page around it in some browsers.
  private func originOfPage(_ page: Party) -> String? {
    let browser = world.devices.first { $0.identifier == page.deviceOfPage }?.browserProfile
    let isOfPageAround = browser?.presentedOrigin == .topLevel
    let website = page.frame.flatMap { isOfPageAround ? $0.website : nil } ?? page.website
    return world.websites.first { $0.identifier == website }?.origin.serialized
  }

  // MARK: Raw requests

  /// The last bytes of a request are its signature or its last element. A needle of this length is not in another message
  /// by chance.
  private static let needleLength = 32
  /// Padding of one byte is in other messages too.
  private static let needleValues = 8

  private mutating func addNeedles(of observed: ObservedMessage) {
    guard let options = try? observed.json?.optionalItem("options"),
      let digital = try? options.optionalItem("digital"), let requests = try? digital.optionalItem("requests"),
      let elements = try? requests.elements()
    else { return }
    for request in elements {
      if let data = (try? request.optionalItem("data")) ?? nil { addNeedles(JSONValue(data)) }
    }
  }

  private mutating func addNeedles(_ data: JSONValue) {
    var texts = ["deviceRequest", "encryptionInfo"].compactMap { name in data.member(name)?.text.map { (name, $0) } }
    // Of a signed object its signature.
    if let jws = data.member("request")?.text, let signature = jws.split(separator: ".").last {
      texts.append(("request", String(signature)))
    }
    if case .array(let signatures)? = data.member("signatures") {
      texts += signatures.compactMap { $0.member("signature")?.text.map { ("signatures", $0) } }
    }
    for (name, text) in texts {
      guard let bytes = Base64URL.decode(text), bytes.count >= Self.needleLength else { continue }
      let needle = Array(bytes.suffix(Self.needleLength))
      if Set(needle).count >= Self.needleValues { raw.insert(needle, named: name) }
    }
  }

  private mutating func addNeedle(ofInPerson message: Message) {
    guard let body = message.body(RequestDataBody.self),
      let request = InPersonRequest(json: Array(body.requestData.utf8))
    else { return }
    raw.insert(Array(request.deviceRequest.suffix(Self.needleLength)), named: "deviceRequest")
  }

  private func judgeRawRequest(in message: Message, _ violations: inout [InvariantViolation]) {
    // The program of an app has the name of the app.
    guard !raw.isEmpty, agreements.agreement(for: Party(.app, message.recipient.name)) == nil,
      let name = raw.firstName(in: Base64Layers.of(message.bytes))
    else { return }
    violations.add(.rawRequest, nil, "The message to \(message.recipient.title) has the end of \(name).", at: [message])
  }

  // MARK: Verified elements

  private mutating func begin(_ observed: ObservedMessage) {
    let message = observed.message
    guard let begun = message.body(BegunPresentment.self) else { return }
    for request in begun.requests { addNeedles(request.data) }
    requests[message.sender, default: [:]][begun.session, default: []].append(begun)
  }

  /// The elements that the newest readable request of a session names; nil without one. A request that a fault made
  /// unreadable is not verified either.
  private func requested(of server: Party, in session: String) -> Set<Name>? {
    for begun in (requests[server]?[session] ?? []).reversed() {
      let names = begun.requests.compactMap(\.items).map(Self.names)
      if !names.isEmpty { return names.reduce(into: []) { $0.formUnion($1) } }
    }
    return nil
  }

  /// The elements that the documents of a request name.
  private static func names(in requests: [ItemsRequest]) -> Set<Name> {
    var names = Set(requests.flatMap(\.names))
    for items in requests {
      for name in items.alternatives.flatMap(\.sets).joined() {
        names.insert(Name(documentType: items.documentType, nameSpace: name.nameSpace, identifier: name.identifier))
      }
    }
    return names
  }

  private func judgeResult(_ observed: ObservedMessage, _ violations: inout [InvariantViolation]) {
    let result = observed.message
    guard !faults.alteredMessages.contains(result.number),
      observed.text("verdict") == VerdictEvent.Verdict.verified.rawValue,
      let submission = result.answers.flatMap({ submissions[$0] }), let json = observed.json,
      let documents = JSONValue(json).member("documents")
    else { return }
    guard let answer = submission.answer.flatMap({ answers[$0] }) else {
      violations.add(
        .consent, .source, "The server is that of \(result.sender.name).", at: [submission.message, result])
      return
    }
    let found = Self.elements(of: documents)
    judgeDocuments(documents, of: answer, in: [submission.message, result], &violations)
    judge(found, of: answer, in: [submission.message, result], session: submission.text("session"), &violations)
  }

  /// Judges the elements on a terminal's screen by the view in which the person agreed, and by what the terminal asks.
  private mutating func judgeTerminal(_ message: Message, _ violations: inout [InvariantViolation]) {
    guard let screen = message.body(PageScreen.self), let elements = screen.verified, !elements.isEmpty,
      !faults.alteredMessages.contains(message.number)
    else { return }
    guard let answer = answerInPerson else {
      violations.add(.consent, .source, "The terminal is \(message.sender.name).", at: [message])
      return
    }
    // The portrait is on the screen before the verdict.
    if screen.verdict != nil { answerInPerson = nil }
    let terminal = world.terminals.first { $0.identifier == message.sender.name }
    let names = Set((terminal?.asksInAll ?? []).flatMap(\.names))
    let shown = answer.agreement.map { Set($0.screen.given.map(\.name)) }
    for element in elements {
      let name = element.name
      let value: JSONValue = ["true", "false"].contains(element.value) ? .boolean(element.value == "true") : .null
      for (allowed, check) in [(shown, InvariantCheck.consent), (names, .origin)] {
        guard let allowed, !Self.covers(allowed, name, value) else { continue }
        violations.add(
          check, .element, "The element is \(name.identifier) of \(name.nameSpace).", at: [answer.message, message])
      }
    }
    let accepted = terminal?.acceptsIssuers ?? []
    judgeIssued(elements.map { ($0.name, $0.value) }, of: answer, accepting: { _ in accepted }) { name, shown, sent in
      ReceivedVerdict.text(of: sent, nameSpace: name.nameSpace, identifier: name.identifier) == shown
    } report: { reason, name in
      violations.add(
        .issuerSigned, reason, "The element is \(name.identifier) of \(name.nameSpace).", at: [answer.message, message])
    }
  }

  private func judge(
    _ elements: [VerdictElement], of answer: Answer, in messages: [Message], session: String?,
    _ violations: inout [InvariantViolation]
  ) {
    func report(_ check: InvariantCheck, _ reason: InvariantCheck.Reason, _ name: Name, _ more: [Message] = []) {
      violations.add(
        check, reason, "The element is \(name.identifier) of \(name.nameSpace).", at: more + [answer.message] + messages
      )
    }
    let server = messages.last?.sender
    if let agreement = answer.agreement {
      let shown = Set(agreement.screen.given.map(\.name))
      for element in elements where !Self.covers(shown, element.name, element.value) {
        report(.consent, .element, element.name, agreement.messages)
      }
    }
    if let server, let session, let asked = requested(of: server, in: session) {
      for element in elements where !Self.covers(asked, element.name, element.value) {
        report(.origin, .element, element.name)
      }
    }
    // A server outside the world has its own roots, and its own way to write values.
    if world.websites.contains(where: { $0.identifier == server?.name && $0.server != nil }) { return }
    let ofIssuer = elements.filter { !$0.isDeviceSigned }.map { ($0.name, $0.value) }
    judgeIssued(
      ofIssuer, of: answer, accepting: { world.issuers(acceptedBy: server?.name ?? "", for: $0) }, isSame: { $1 == $2 },
      report: { report(.issuerSigned, $0, $1) })
  }

  /// Judges the documents of a result by the view in which the person agreed.
  private func judgeDocuments(
    _ documents: JSONValue, of answer: Answer, in messages: [Message], _ violations: inout [InvariantViolation]
  ) {
    guard let agreement = answer.agreement, case .array(let documents) = documents else { return }
    let copies = (self.documents[answer.app] ?? []).compactMap { question, document in
      question.flatMap { ShownDocuments.Copy(ordered: $0, document) }
    }
    let verified = documents.map { document in
      ShownDocuments.Verified(
        documentType: VerdictElement.documentType(of: document),
        elements: Self.elements(of: .array([document])).filter { !$0.isDeviceSigned }.map { ($0.name, $0.value) })
    }
    for difference in ShownDocuments(view: agreement.screen, copies: copies).differences(from: verified) {
      violations.add(.shown, difference.reason, difference.detail, at: agreement.messages + [answer.message] + messages)
    }
  }

  /// Judges values by those that issuing authorities sent to the app that answered.
  /// - Parameters:
  ///   - accepted: Returns the authorities from which the verifier accepts documents of a type.
  ///   - isSame: Returns true if a verified value is one that was sent.
  private func judgeIssued<Value>(
    _ elements: [(name: Name, value: Value)], of answer: Answer, accepting accepted: (String) -> [String],
    isSame: (Name, Value, JSONValue) -> Bool, report: (InvariantCheck.Reason, Name) -> Void
  ) {
    // An app of a world that continues from its files may hold documents from before the journal begins.
    if case .folder = world.storage, documents[answer.app] == nil { return }
    let issued = issued(to: answer.app)
    for (name, value) in elements {
      let accepted = accepted(name.documentType)
      let same = (issued[name] ?? []).filter { isSame(name, value, $0.value) }
      if same.isEmpty {
        report(.value, name)
      } else if !same.contains(where: { accepted.contains($0.issuer) }) {
        report(.issuer, name)
      }
    }
  }

  /// Returns true if a set of names has an element, or an age to which the element is the nearest answer
  /// (ISO/IEC 18013-5, 7.2.5).
  private static func covers(_ names: Set<Name>, _ name: Name, _ value: JSONValue) -> Bool {
    if names.contains(name) { return true }
    guard let age = AgeOver.age(in: name.identifier), case .boolean(let flag) = value else { return false }
    return names.contains { other in
      guard other.documentType == name.documentType, other.nameSpace == name.nameSpace,
        let asked = AgeOver.age(in: other.identifier)
      else { return false }
      return AgeOver.conclusion(about: asked, from: (age, flag)) != nil
    }
  }

  /// The elements of a verifier server's result.
  private static func elements(of documents: JSONValue) -> [VerdictElement] {
    guard case .array(let documents) = documents else { return [] }
    return documents.flatMap { VerdictElement.elements(of: $0) }
  }

  /// The values that issuing authorities sent to an app.
  private func issued(to app: Party) -> [Name: [Issued]] {
    var issued: [Name: [Issued]] = [:]
    for (question, answer) in documents[app] ?? [] {
      // A document that cannot be read has no values; neither can the app answer with it.
      guard let question, let type = ObservedMessage(question).text("documentType"),
        let elements = ShownDocuments.IssuedElement.elements(of: answer.bytes, documentType: type)
      else { continue }
      for element in elements {
        issued[element.name, default: []].append(Issued(issuer: answer.sender.name, value: element.value))
      }
    }
    return issued
  }
}
