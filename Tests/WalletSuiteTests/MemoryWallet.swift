import Certificates
import CommandSupport
import Crypto
import ExchangeFiles
import Foundation
import IdentityDocumentServices
import JSON
import MobileDocument
import OwnWallets
import Primitives
import X509

@testable import WalletSuite

/// A wallet in this process: presentment's own responder, with mistakes.
final class MemoryWallet: WalletCaller {
  /// A mistake of the wallet.
  enum Mistake: Sendable, Hashable {
    /// It refuses every request, or answers every one that it can read.
    case refusesAll, answersAll
    /// It takes no photo ID.
    case takesLicensesOnly
    /// From some number of raw requests on, it refuses.
    case limitsAnswers(Int)
    /// It warns of every request.
    case warnsAlways
    /// It warns of readers that it does not know, and answers them.
    case warnsOfReaders
    /// It ends at a raw request that cannot be read.
    case endsAtUnreadable
    /// It does not know the message.
    case doesNotKnow(String)
    /// It has another idea of the protocol.
    case showsNothing
    /// Its answers have no document.
    case answersEmpty
    /// It ends at each raw request.
    case ends
  }

  private struct View {
    let request: ISO18013MobileDocumentRequest
    let origin: URL?
  }

  private let mistakes: Set<Mistake>
  private let moment: DateTime
  private var keys: [String: P256.Signing.PrivateKey] = [:]
  private var documents: [PresentableDocument] = []
  private var roots: [Data] = []
  private var revocationLists: [CertificateRevocationList] = []
  private var views: [Int: View] = [:]
  private var answers = 0

  init(_ mistakes: Set<Mistake> = [], at moment: DateTime) {
    self.mistakes = mistakes
    self.moment = moment
  }

  func end() {}

  func ask(_ message: [UInt8], number: Int) throws(WalletFailure) -> [UInt8] {
    guard let json = try? JSONReader.read(message) else { throw WalletFailure(.malformed, "the message is not JSON") }
    return try answer(to: json, number: number).bytes
  }

  private func answer(to message: JSONValue, number: Int) throws(WalletFailure) -> JSONValue {
    let word = message.member("do")?.text ?? ""
    if mistakes.contains(.doesNotKnow(word)) { return JSONValue(members: [("unsupported", .boolean(true))]) }
    do {
      switch word {
      case "provision": return try provision(message)
      case "store": return try store(message)
      case "request": return try show(message, number)
      case "decline":
        if !mistakes.contains(.answersAll) { views[Self.view(message)] = nil }
        return JSONValue(members: [("cancelled", .boolean(true))])
      case "agree": return try agree(message)
      default: return JSONValue(members: [("unsupported", .boolean(true))])
      }
    } catch let error as WalletFailure {
      throw error
    } catch {
      return Self.refused("\(error)")
    }
  }

  private static func refused(_ reason: String) -> JSONValue { JSONValue(members: [("refused", .string(reason))]) }

  private static func view(_ message: JSONValue) -> Int {
    if case .number(let spelling)? = message.member("to") { Int(spelling) ?? 0 } else { 0 }
  }

  private struct Unreadable: Error {}

  private func bytes(_ value: JSONValue?) throws -> [UInt8] {
    guard let bytes = value?.text.flatMap(Base64URL.decode) else { throw Unreadable() }
    return bytes
  }

  private func list(_ value: JSONValue?) throws -> [JSONValue] {
    guard case .array(let items)? = value else { throw Unreadable() }
    return items
  }

  private func members(_ value: JSONValue?) throws -> [JSONValue.Member] {
    guard case .object(let members)? = value else { throw Unreadable() }
    return members
  }

  private func provision(_ message: JSONValue) throws -> JSONValue {
    let type = message.member("documentType")?.text ?? ""
    if mistakes.contains(.takesLicensesOnly), type != SuiteDocument.license.type {
      return JSONValue(members: [("unsupported", .boolean(true))])
    }
    let key = P256.Signing.PrivateKey()
    keys[type] = key
    roots = try list(message.member("readerRoots")).map { Data(try bytes($0)) }
    revocationLists = try list(message.member("revocationLists")).map {
      try CertificateRevocationList(derEncoded: bytes($0))
    }
    let agreement = try P256.KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
    return JSONValue(members: [("deviceKey", PrivateKeyFile.jwk(agreement))])
  }

  private func store(_ message: JSONValue) throws -> JSONValue {
    guard let key = keys[message.member("documentType")?.text ?? ""] else { throw Unreadable() }
    documents.append(
      try PresentableDocument(issuedDocument: Data(bytes(message.member("document"))), deviceKey: key))
    return JSONValue(members: [("stored", .boolean(true))])
  }

  private func show(_ message: JSONValue, _ number: Int) throws -> JSONValue {
    if mistakes.contains(.refusesAll) { return Self.refused("it refuses everything") }
    if mistakes.contains(.showsNothing) { return JSONValue(members: [("shows", .string("a view"))]) }
    guard let partial = message.member("partial") else { throw Unreadable() }
    let request = try request(partial)
    views[number] = View(request: request, origin: message.member("origin")?.text.flatMap { URL(string: $0) })
    let elements = try list(partial.member("documents")).map { document in
      (
        document.member("documentType")?.text ?? "",
        JSONValue(
          members: try members(document.member("elements")).map { space in
            (space.name, .array(try members(space.value).map { .string($0.name) }))
          })
      )
    }
    let isKnown = request.requestAuthentications.count == 1
    let warns =
      mistakes.contains(.warnsAlways) || mistakes.contains(.warnsOfReaders) && !isKnown
    return JSONValue(members: [
      (
        "shows",
        JSONValue(members: [
          ("elements", JSONValue(members: elements)), ("warning", warns ? .string("Who is this?") : .null),
        ])
      )
    ])
  }

  /// The partial request in Apple's form.
  private func request(_ partial: JSONValue) throws -> ISO18013MobileDocumentRequest {
    typealias Request = ISO18013MobileDocumentRequest
    let documents = try list(partial.member("documents")).map { document in
      var spaces: [String: [String: Request.ElementInfo]] = [:]
      for space in try members(document.member("elements")) {
        for element in try members(space.value) {
          spaces[space.name, default: [:]][element.name] = Request.ElementInfo(
            isRetaining: element.value == .boolean(true))
        }
      }
      return Request.DocumentRequest(
        documentType: document.member("documentType")?.text ?? "", namespaces: spaces)
    }
    let useCases = try list(partial.member("useCases")).map { useCase in
      Request.PresentmentRequest(
        documentRequestSets: try list(useCase.member("sets")).map { set in
          Request.DocumentRequestSet(
            requests: try list(set).map { index in
              guard case .number(let spelling) = index, let place = Int(spelling) else { throw Unreadable() }
              return documents[place]
            })
        }, isMandatory: useCase.member("mandatory") == .boolean(true))
    }
    let readers = try list(partial.member("readers")).map { chain in
      Request.RequestAuthentication(
        authenticationCertificateChain: try list(chain).map { try Certificate(derEncoded: bytes($0)) })
    }
    return Request(presentmentRequests: useCases, requestAuthentications: readers)
  }

  private func agree(_ message: JSONValue) throws -> JSONValue {
    answers += 1
    for case .limitsAnswers(let most) in mistakes where answers > most { return Self.refused("too many") }
    let number = Self.view(message)
    guard let view = views[number] else { return Self.refused("no view") }
    if !mistakes.contains(.answersAll) { views[number] = nil }
    let raw = IdentityDocumentWebPresentmentRawRequest(
      requestType: .iso18013MobileDocument, requestData: Data((message.member("raw")?.text ?? "").utf8))
    let answersEverybody = mistakes.contains(.answersAll) || mistakes.contains(.warnsOfReaders)
    var responder = try MobileDocumentResponder(
      trustedReaderRoots: roots, answersUntrustedReaders: answersEverybody)
    responder.answersOtherDomains = answersEverybody
    if !answersEverybody { responder.revocationLists = revocationLists }
    if mistakes.contains(.ends) { throw WalletFailure(.ended, "the wallet ended") }
    let (held, date, isEmpty) = (documents, moment.date, mistakes.contains(.answersEmpty))
    let made = responder
    let answer = try CallingThread.wait {
      await made.answer(raw, shownAs: view.request, origin: view.origin, at: date) { validated in
        if isEmpty {
          let empty = DeviceResponseWriter.encoded(documents: [])
          return Data(try validated.sealed(empty, ephemeralKey: P256.KeyAgreement.PrivateKey()))
        }
        return try made.buildAndEncryptResponse(
          to: validated, with: held, ephemeralKey: P256.KeyAgreement.PrivateKey())
      }
    }
    switch answer.response {
    case .success(let data): return JSONValue(members: [("answer", .string(Base64URL.encode([UInt8](data))))])
    case .failure:
      let name = answer.checks.first { $0.status == .failed }?.name ?? ""
      if mistakes.contains(.endsAtUnreadable), name == "provider.raw-request/unreadable" {
        throw WalletFailure(.ended, "the wallet ended")
      }
      return Self.refused("[\(name)]")
    }
  }
}
