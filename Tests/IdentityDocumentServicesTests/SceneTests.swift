import Foundation
import IdentityDocumentServices
import Synchronization
import Testing

@Suite("Provider extensions and their scenes")
struct SceneTests {
  private static func present(_ provider: any IdentityDocumentProvider) async -> [String] {
    let session = QuietSession()
    await provider.present(
      ISO18013MobileDocumentRequestContext(
        request: .asking([]), requestingWebsiteOrigin: URL(string: "https://rentals.example"), session: session))
    return session.log
  }

  @Test("The scene of a body gets the context")
  func plain() async {
    #expect(await Self.present(OneScene()) == ["answered https://rentals.example"])
  }

  @Test("A conditional scene gets the context, or the presentment ends", arguments: [true, false])
  func conditional(isThere: Bool) async {
    #expect(
      await Self.present(PerhapsAScene(isThere: isThere))
        == [isThere ? "answered https://rentals.example" : "cancelled"])
  }

  @Test("A scene in an availability check gets the context")
  func availability() async {
    #expect(await Self.present(AvailableScene()) == ["answered https://rentals.example"])
  }

  @Test("The view's context has the request and the origin, and its functions answer and cancel")
  func context() async throws {
    let request = Request.asking([([[Request.document("org.iso.18013.5.1.mDL", issuers: [Data([1])])]], true)])
    let seen = Mutex<[ISO18013MobileDocumentRequestContext]>([])
    let session = QuietSession(requestData: Data("raw".utf8))
    await ContextScene { context in seen.withLock { $0.append(context) } }.present(
      ISO18013MobileDocumentRequestContext(
        request: request, requestingWebsiteOrigin: URL(string: "https://rentals.example"), session: session))
    let context = try #require(seen.withLock { $0.first })
    #expect(context.request == request && context.request != .asking([]))
    #expect(context.requestingWebsiteOrigin == URL(string: "https://rentals.example"))
    #expect(session.log.isEmpty)
    try await context.sendResponse { raw in
      ISO18013MobileDocumentResponse(responseData: Data("answer to ".utf8) + raw.requestData)
    }
    context.cancel()
    #expect(session.log == ["released", "answered answer to raw", "cancelled"])
  }

  @Test("An error of the handler ends the presentment, and sendResponse throws it")
  func handlerThrows() async throws {
    struct Reason: Error {}
    let session = QuietSession()
    let context = ISO18013MobileDocumentRequestContext(
      request: .asking([]), requestingWebsiteOrigin: nil, session: session)
    await #expect(throws: Reason.self) { try await context.sendResponse { _ in throw Reason() } }
    #expect(session.log == ["abandoned Reason()"])
    context.cancel()
    #expect(session.log.last == "cancelled")
  }

  @Test("Errors match by their codes")
  func errors() {
    let error: any Error = IdentityDocumentPresentmentError(.cancelled, debugDescription: "closed")
    #expect(IdentityDocumentPresentmentError.cancelled ~= error)
    #expect(!(IdentityDocumentPresentmentError.unknown ~= error))
    #expect(!(IdentityDocumentPresentmentError.cancelled ~= CancellationError()))
    #expect(error.localizedDescription == "The request was cancelled.")
    #expect(error as? IdentityDocumentPresentmentError == IdentityDocumentPresentmentError(.cancelled))
    #expect(error as? IdentityDocumentPresentmentError != IdentityDocumentPresentmentError(.notEntitled))
  }
}

private func scene() -> ISO18013MobileDocumentRequestScene {
  ISO18013MobileDocumentRequestScene { context in
    let origin = context.requestingWebsiteOrigin?.absoluteString ?? "no origin"
    try? await context.sendResponse { _ in ISO18013MobileDocumentResponse(responseData: Data(origin.utf8)) }
  }
}

private struct ContextScene: IdentityDocumentProvider {
  let view: @Sendable (ISO18013MobileDocumentRequestContext) async -> Void

  var body: some IdentityDocumentRequestScene { ISO18013MobileDocumentRequestScene { await view($0) } }
  func performRegistrationUpdates() async {}
}

private struct OneScene: IdentityDocumentProvider {
  var body: some IdentityDocumentRequestScene { scene() }
  func performRegistrationUpdates() async {}
}

private struct PerhapsAScene: IdentityDocumentProvider {
  let isThere: Bool
  var body: some IdentityDocumentRequestScene { if isThere { scene() } }
  func performRegistrationUpdates() async {}
}

private struct AvailableScene: IdentityDocumentProvider {
  var body: some IdentityDocumentRequestScene { if #available(iOS 26, *) { scene() } }
  func performRegistrationUpdates() async {}
}

final class QuietSession: PresentmentSession {
  private let entries = Mutex<[String]>([])
  /// The raw request to release; nil for an empty one, whose release is not noted.
  private let requestData: Data?

  init(requestData: Data? = nil) { self.requestData = requestData }

  var log: [String] { entries.withLock { $0 } }

  func releaseRawRequest() async throws -> IdentityDocumentWebPresentmentRawRequest {
    if requestData != nil { note("released") }
    return IdentityDocumentWebPresentmentRawRequest(
      requestType: .iso18013MobileDocument, requestData: requestData ?? Data())
  }

  func deliver(_ response: ISO18013MobileDocumentResponse) async throws {
    note("answered \(String(decoding: response.responseData, as: UTF8.self))")
  }

  func abandon(because error: any Error) { note("abandoned \(error)") }

  func cancel() { note("cancelled") }

  private func note(_ entry: String) { entries.withLock { $0.append(entry) } }
}
