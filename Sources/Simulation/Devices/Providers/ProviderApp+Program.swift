import COSE
import Checks
import DevicePlatform
import Foundation
import IdentityDocumentServices
import JSON
import Messaging
import MobileDocument
import OpenID4VP
import OwnWallets
import Primitives
import ProviderStyles
import Storage
import Vocabulary
import X509

/// The part of an app whose documents are in a program outside the world. The program holds the device keys, says what the
/// view shows, and answers; the view, the person's decision and the release of the raw request stay in the world.
///
/// ```
/// app --provision-->                 program    a device key, for which the issuing authority issues
/// app --store-->                     program    the document
/// app --registrations-->             program    what the system may offer
/// app --request-->                   program    partial request and origin; it says what the view shows
/// app --agree, raw request-->        program    after the person agreed; it says the encrypted response
/// app --decline-->                   program    or the person did not agree
/// ```
extension ProviderApp {
  private var outside: Party { OwnWallet.party(of: station.party) }

  /// Sends a message to the program.
  /// - Returns: The answer; nil without one, which leaves the case undecided.
  private func tell(_ message: WalletMessage) async -> WalletAnswer? {
    guard
      let answer = try? await station.endpoint.request(
        .walletMessage, message.encoded, as: MediaType.json, to: outside),
      answer.kind == .walletAnswer
    else { return nil }
    return understood { () throws(WalletFailure) in try WalletAnswer(line: answer.bytes) }
  }

  /// Reads an answer. One that cannot be read leaves the case undecided.
  private func understood<Content>(_ body: () throws(WalletFailure) -> Content) -> Content? {
    do throws(WalletFailure) { return try body() } catch {
      disturb(error.sentence)
      return nil
    }
  }

  private func disturb(_ reason: String) {
    station.note(.ownWalletFailed, reason)
    station.scheduler.disturb("the program of \(name): \(reason)")
  }

  /// Ends the program of an app that was removed.
  func endProgram() { if program.outside != nil { station.send(.removed, [String](), to: outside) } }

  // MARK: Documents

  /// Lets the program make a device key, orders a document for it, and gives the document to the program.
  func provisionByProgram(_ order: AppProgram.Order) async throws -> StoredDocument {
    let document = WalletMessage.Document(type: order.documentType, identifier: order.identifier)
    let root = try await station.request(.root, [String](), to: Party(.issuer, order.issuer)).bytes
    let message = WalletMessage.provision(document, readerRoots: anchors.map(\.der), issuerRoots: [root])
    guard let answer = await tell(message) else { throw ProgramRefusal("it did not answer") }
    if answer.isUnsupported { throw ProgramRefusal("it takes no \(order.documentType)") }
    if let refusal = answer.refusal { throw ProgramRefusal(refusal) }
    guard let key = understood({ () throws(WalletFailure) in try answer.deviceKey() }) else {
      throw ProgramRefusal("it made no device key")
    }
    let publicKey = COSEKey(key)
    let issued = try await self.order(order, boundTo: publicKey)
    let held = try HeldDocument(issued: issued, deviceKey: publicKey)
    try await store(issued, as: document)
    return StoredDocument(
      identifier: order.identifier, issued: issued, boundKey: publicKey, credential: .mobileDocument(held),
      deviceKey: nil,
      invalidationDate: order.registersInvalidationDate ? held.validity.validUntil : nil)
  }

  private func store(_ issued: [UInt8], as document: WalletMessage.Document) async throws {
    guard let answer = await tell(.store(document, issued: issued)) else { throw ProgramRefusal("it did not answer") }
    if let refusal = answer.refusal { throw ProgramRefusal(refusal) }
    let isStored: Void? = understood { () throws(WalletFailure) in try answer.confirm("stored", of: "store") }
    guard isStored != nil else { throw ProgramRefusal("it did not store the document") }
  }

  /// Says that the person deleted a document. A program that does not know the message keeps it.
  func deleteInProgram(_ stored: StoredDocument) async {
    guard program.outside != nil, let answer = await tell(.delete(place(of: stored))), !answer.isUnsupported else {
      return
    }
    _ = understood { () throws(WalletFailure) in try answer.confirm("deleted", of: "delete") }
  }

  private func place(of stored: StoredDocument) -> WalletMessage.Document {
    WalletMessage.Document(type: stored.credential.registeredType, identifier: stored.identifier)
  }

  // MARK: Registrations

  /// The registrations that the program wants.
  enum ProgramRegistrations {
    /// The program has listed them.
    case given([MobileDocumentRegistration])
    /// It did not answer.
    case unanswered
    /// The app has no program, or one that leaves them to the app.
    case none
  }

  /// Asks the program for its registrations.
  func registrationsOfProgram() async -> ProgramRegistrations {
    guard program.outside != nil else { return .none }
    guard let answer = await tell(.registrations) else { return .unanswered }
    if answer.isUnsupported { return .none }
    guard let wanted = understood({ () throws(WalletFailure) in try answer.registrations() }) else {
      return .unanswered
    }
    var registrations: [MobileDocumentRegistration] = []
    for one in wanted {
      let known = documents.first { $0.identifier == one.document.identifier }
      let roots = one.readerRoots.compactMap { try? Certificate(derEncoded: $0) }
      guard roots.count == one.readerRoots.count else {
        disturb("a root in the registration of \(TerminalSafe.text(one.document.identifier)) is not a certificate")
        return .unanswered
      }
      var registration = MobileDocumentRegistration(
        mobileDocumentType: one.document.type,
        supportedIssuerKeyIdentifiers: known?.credential.issuerKeyIdentifiers.map { Data($0) } ?? [],
        supportedAuthorityKeyIdentifiers: roots.map { Data($0.subjectKeyIdentifier ?? []) },
        documentIdentifier: one.document.identifier, invalidationDate: known?.invalidationDate?.date)
      registration.supportedAuthorityCertificates = one.readerRoots.map { Data($0) }
      registrations.append(registration)
    }
    return .given(registrations)
  }

  // MARK: Presentments

  /// Shows what the program says, and answers as it does or cancels.
  /// - Parameter view: Makes the heading, the lines and the controls of the app's style.
  func authorizeByProgram(
    _ context: ISO18013MobileDocumentRequestContext, in presentment: Int?,
    view: @escaping @Sendable (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) async {
    guard let partial = partialRequest(of: presentment) else { return }
    guard !context.isInPerson else {
      station.note(.providerFailed, "a program outside the world answers websites, and no reader nearby")
      return context.cancel()
    }
    let origin = context.requestingWebsiteOrigin?.serializedOrigin
    guard let answer = await tell(.request(origin: origin, PartialRequestText(partial))), let request = answer.number,
      let reply = understood({ () throws(WalletFailure) in try answer.view() })
    else { return context.cancel() }
    switch reply {
    case .refused(let reason):
      station.record(OwnWalletCheck.request.refusal(reason))
      context.cancel()
    case .given(let shown):
      station.record(OwnWalletCheck.request.passed)
      let screen = screen(of: shown, about: partial, origin: origin ?? "", view: view)
      switch await ask(ViewContents(screen), in: presentment).decision {
      case .agrees: await respond(to: context, request: request, showing: screen)
      case .declines:
        _ = await tell(.decline(to: request))
        context.cancel()
      case .ended: _ = await tell(.decline(to: request))
      }
    }
  }

  /// The view of the app's style with what the program shows.
  private func screen(
    of shown: WalletView, about partial: PartialRequestBody, origin: String,
    view: (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) -> AuthorizationScreen {
    // A view says by a warning that the name is not certified.
    let requester = RequesterIdentity(name: shown.requester ?? origin.withoutScheme, isCertified: shown.warning == nil)
    let retained = partial.retainedElements
    let elements = shown.elements.sorted { left, right in
      (left.documentType, left.nameSpace, left.identifier) < (right.documentType, right.nameSpace, right.identifier)
    }.map { element in
      AuthorizationScreen.Element(
        documentType: element.documentType, nameSpace: element.nameSpace, identifier: element.identifier,
        label: DataElementCatalogue.label(nameSpace: element.nameSpace, identifier: element.identifier),
        isRetained: retained.contains(element))
    }
    let look = view(requester, elements)
    let lines = look.lines + (shown.warning.map { [$0] } ?? [])
    var screen = AuthorizationScreen(
      app: name, title: look.title, lines: lines.isEmpty ? nil : lines, requester: requester.name,
      isRequesterCertified: requester.isCertified, origin: origin, documents: named(by: shown), elements: elements,
      agreeing: look.agreeing, declining: look.declining)
    screen.ownTexts = look.texts
    return screen
  }

  /// The documents that a view names: those that the program says, or the only one of each type. Of several of one type
  /// the view does not say which it is.
  private func named(by shown: WalletView) -> [AuthorizationScreen.Document] {
    let types = Set(shown.elements.map(\.documentType))
    let stored = documents.filter { document in
      shown.documents?.contains(document.identifier) ?? types.contains(document.credential.registeredType)
    }
    let found = stored.map(\.credential.registeredType)
    guard shown.documents != nil || found.count == Set(found).count else { return [] }
    return stored.map { AuthorizationScreen.Document($0, isChosen: true) }
  }

  /// Hands the raw request to the program and its answer to the system.
  private func respond(
    to context: ISO18013MobileDocumentRequestContext, request: Int, showing screen: AuthorizationScreen
  ) async {
    do {
      try await context.sendResponse { [self] raw in try await answer(to: raw, of: request, showing: screen) }
      station.record(.consent(.answered(app: name)))
    } catch is ProgramRefusal {
      // The refusal is recorded.
    } catch {
      station.note(.providerFailed, "\(error)")
    }
  }

  private func answer(
    to raw: IdentityDocumentWebPresentmentRawRequest, of request: Int, showing screen: AuthorizationScreen
  ) async throws -> ISO18013MobileDocumentResponse {
    for stored in documents where screen.documents.isEmpty || screen.documents.contains(stored) {
      guard let issued = try await responseBuilder.reissued(stored, from: self) else { continue }
      try await store(issued, as: place(of: stored))
    }
    let message = WalletMessage.agree(to: request, raw: String(decoding: raw.requestData, as: UTF8.self))
    guard let answer = await tell(message),
      let reply = understood({ () throws(WalletFailure) in try answer.response() })
    else { throw ProgramRefusal("it did not answer") }
    switch reply {
    case .refused(let reason):
      station.record(OwnWalletCheck.rawRequest.refusal(reason))
      throw ProgramRefusal(reason)
    case .given(let text):
      guard let response = Base64URL.decode(text) else {
        disturb("the answer to 'agree' is not base64url: \(answer.excerpt)")
        throw ProgramRefusal("its answer is not base64url")
      }
      station.record(OwnWalletCheck.rawRequest.passed)
      return ISO18013MobileDocumentResponse(responseData: Data(response))
    }
  }
}

/// The refusal of an app's program.
private struct ProgramRefusal: Error, CustomStringConvertible {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  var description: String { "the app's program refuses: \(reason)" }
}

extension OwnWalletCheck {
  fileprivate func refusal(_ reason: String) -> CheckResult {
    CheckFailure(self, evidence: [CheckResult.Evidence("reason", found: reason)]).result
  }
}

extension [AuthorizationScreen.Document] {
  fileprivate func contains(_ stored: StoredDocument) -> Bool { contains { $0.identifier == stored.identifier } }
}
