import Foundation
import IdentityDocumentServices
import JSON
import Messaging
import Primitives
import SimulationKernel
import Synchronization
import Vocabulary
import WebPresentment

/// An app's connection to its operating system, which receives the calls of the registration store.
struct SystemConnection: IdentityDocumentServicesSystem {
  let station: Station
  let operatingSystem: Party
  let identifiers: SharedEntropy

  typealias StoreError = IdentityDocumentProviderRegistrationStore.RegistrationError

  private func ask(_ kind: MessageKind, _ body: some JSONWritable) async throws -> Message {
    let answer: Message
    do {
      answer = try await station.request(kind, body, to: operatingSystem)
    } catch {
      throw StoreError.unknown
    }
    guard answer.kind == .done else {
      let code = answer.body(RefusalBody.self)?.code
      throw code.flatMap(StoreError.init(rawValue:)) ?? .unknown
    }
    return answer
  }

  func addRegistration(_ registration: MobileDocumentRegistration) async throws {
    _ = try await ask(.addRegistration, registration)
  }

  func removeRegistration(forDocumentIdentifier documentIdentifier: String) async throws {
    _ = try await ask(.removeRegistration, RemoveRegistrationBody(documentIdentifier: documentIdentifier))
  }

  func registrations() async throws -> [MobileDocumentRegistration] {
    let answer = try await ask(.registrations, [String]())
    guard let found = answer.body([MobileDocumentRegistration].self) else { throw StoreError.unknown }
    return found
  }

  func status() async -> IdentityDocumentProviderRegistrationStore.Status {
    guard let answer = try? await ask(.status, [String]()),
      let text = answer.body([String].self)?.first
    else { return .notSupported }
    return IdentityDocumentProviderRegistrationStore.Status(rawValue: text) ?? .notSupported
  }

  /// A random UUID (RFC 9562, version 4) from the app's own stream.
  func makeDocumentIdentifier() -> String {
    var bytes = identifiers.bytes(16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
      .map { hexadecimal($0).uppercased() }.joined(separator: "-")
  }
}

/// A stream of randomness that several tasks of one party draw from.
final class SharedEntropy: Sendable {
  private let stream: Mutex<EntropyStream>

  package init(_ stream: EntropyStream) { self.stream = Mutex(stream) }

  func bytes(_ count: Int) -> [UInt8] { stream.withLock { $0.bytes(count) } }
}

/// One presentment, from the app's side of the system.
struct AppPresentmentSession: PresentmentSession {
  let station: Station
  let operatingSystem: Party
  let rawRequests: RawRequestInbox
  let isInPerson: Bool
  let requestType: IdentityDocumentWebPresentmentRawRequest.RequestType

  func releaseRawRequest() async throws -> IdentityDocumentWebPresentmentRawRequest {
    let data = await rawRequests.next { station.send(.sendResponse, [String](), to: operatingSystem) }
    guard let data else {
      throw IdentityDocumentPresentmentError(.unknown, debugDescription: "the system withholds the raw request")
    }
    return IdentityDocumentWebPresentmentRawRequest(requestType: requestType, requestData: Data(data))
  }

  func deliver(_ response: ISO18013MobileDocumentResponse) async throws {
    let mediaType =
      if case .openID4VP = requestType { MediaType.json } else { isInPerson ? MediaType.sealed : MediaType.cbor }
    station.send(.response, bytes: [UInt8](response.responseData), as: mediaType, to: operatingSystem)
  }

  func abandon(because error: any Error) {
    let reason = (error as? ProviderRefusal).map { "\($0.description) (\($0.name))" } ?? "\(error)"
    station.send(.abandon, AbandonBody(reason: reason), to: operatingSystem)
  }

  func cancel() { station.send(.cancel, [String](), to: operatingSystem) }
}

/// The place where an app's code waits for the raw request of its presentment, which the browser sends after the operating
/// system has released it.
final class RawRequestInbox: Sendable {
  private let waiting = Mutex<CheckedContinuation<[UInt8]?, Never>?>(nil)

  /// Asks for the raw request and waits for it. An earlier call that still waits gets nil.
  /// - Returns: UTF-8 JSON, or nil if the system withholds the raw request or the presentment ends.
  func next(asking: () -> Void) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      let earlier = waiting.withLock { waiting in
        defer { waiting = continuation }
        return waiting
      }
      earlier?.resume(returning: nil)
      asking()
    }
  }

  /// Delivers the raw request.
  /// - Returns: False if no code waits for it.
  func deliver(_ data: [UInt8]) -> Bool { resume(data) }

  /// Ends waiting without a raw request.
  func end() { _ = resume(nil) }

  private func resume(_ data: [UInt8]?) -> Bool {
    let code = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    code?.resume(returning: data)
    return code != nil
  }
}
