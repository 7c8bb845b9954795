import CommandSupport
import Crypto
import ExchangeFiles
import Foundation
import InteractiveWorlds
import JSON
import MobileDocument
import OwnServers
import Primitives
import Synchronization
import Testing

@testable import VerifierSuite

/// A verifier server in this process, for the suite: presentment's own verifier with some of its checks taken out.
final class MemoryServer: Sendable {
  /// A mistake of the server.
  enum Mistake: Sendable, Hashable {
    /// A check decides nothing.
    case without(check: String)
    /// Nothing decides anything.
    case acceptsAll
    /// Everything is refused.
    case refusesAll
    /// A session takes any number of answers.
    case keepsSessions
    /// The session of an answer is the latest one, whatever the answer says.
    case anySession
    /// Every session has the same nonce, or the same key.
    case sameNonce, sameKey
    /// The answer to a malformed body has the status 500.
    case failsOnMalformed
    /// A refusal shows the values.
    case showsRefused
    /// The answer that begins a session has the private key.
    case tellsKey
    /// Its view of a session says that it is verified, or that it is not, whatever the verdict was.
    case alwaysShown, neverShown
    /// It closes the connection of a long body.
    case closesOnLongBodies
    /// From some number of answers on, everything is refused.
    case limitsAnswers(Int)
    /// Its transcript has the origin with a slash at its end.
    case slash
    /// Answers are taken elsewhere.
    case answersElsewhere
    /// It sends the data of a request, and takes that of an answer: no mistake.
    case takesData
    /// Its origin is that of the header `Origin`.
    case believesOriginHeader
    /// It shows another given name than was sent.
    case showsAnother
    /// Its refusals of malformed bodies show the values.
    case showsMalformed
    /// It gives no answer to a credential.
    case neverAnswers
    /// Its requests are signed.
    case signs(Signing)
    /// Its requests have another form.
    case requests(RequestForm)
  }

  /// The reader certificate of signed requests.
  enum Signing: Sendable, Hashable {
    /// For the host of the page: no mistake.
    case right
    case otherDomain, expired
  }

  /// Other forms of requests.
  enum RequestForm: Sendable, Hashable {
    case padded, indefiniteLengths, firstVersion, signatureAltered
  }

  static let text = """
    target: Memory
    origin: http://localhost:9000
    begin: POST http://localhost:9000/request
    submit: POST http://localhost:9000/response
    accepted: { json: /verdict, is: verified }
    reason: { json: /failure }
    """.replacing("reason: { json: /failure }", with: "reason: /failure\n")

  /// The target with a call for the view of a session.
  static let textWithView =
    text + """
      shown: { call: GET http://localhost:9000/view/$session, verified: { json: /state, is: verified } }

      """

  /// The target with the place of the verified elements.
  static let textWithElements = text + "elements: /documents\n"

  private struct State {
    var answers = 0
    var verified: Set<String> = []
    var sessions: [String: ExchangeFile] = [:]
    var latest: ExchangeFile?
    var count = 0
  }

  private let mistakes: Set<Mistake>
  private let roots: [UInt8]
  private let documents: [ItemsRequest]
  private let useCases: [DeviceRequestInfo.UseCase]
  private let state = Mutex(State())
  /// The status lists that the server fetches; nil for a server that fetches none.
  private let lists: StatusListShelf?
  private let key = P256.KeyAgreement.PrivateKey()

  init(
    _ mistakes: Set<Mistake> = [], roots: [UInt8], asking elements: [String] = MemoryServer.elements,
    elementsOfPhotoID: [String] = [], useCases: [DeviceRequestInfo.UseCase] = [], lists: StatusListShelf? = nil
  ) throws {
    self.mistakes = mistakes
    self.lists = lists
    self.useCases = useCases
    self.roots = roots
    documents = try [(SuiteWorld.Kind.license, elements), (.photoID, elementsOfPhotoID)].filter { !$0.1.isEmpty }.map {
      try RequestedElements.items(documentType: $0.0.rawValue, elements: $0.1)
    }
  }

  /// Elements of every type, so that every mistake has room in an answer.
  static let elements = VerifierFiles.elements

  /// The number of credentials that were handed in.
  var answers: Int { state.withLock { $0.answers } }

  func answer(_ call: HTTPCall) throws(HTTPFailure) -> HTTPAnswer {
    let origin =
      mistakes.contains(.believesOriginHeader) ? call.headers.first { $0.name == "Origin" }?.value ?? "" : Self.origin
    if call.address.hasSuffix("/request") { return begin(origin) }
    if call.address.hasSuffix("/page") {
      return HTTPAnswer(status: 200, headers: [], body: Array("<html></html>".utf8), time: .milliseconds(1))
    }
    if call.method == "GET" { return view(of: call.address.split(separator: "/").last.map(String.init) ?? "") }
    state.withLock { $0.answers += 1 }
    if mistakes.contains(.neverAnswers) { throw HTTPFailure(.timeout, "the server did not answer in time") }
    if mistakes.contains(.closesOnLongBodies), (call.body ?? []).count > Self.longBody {
      throw HTTPFailure(.unreachable, "the server gave no answer")
    }
    if mistakes.contains(.answersElsewhere) { return reply(404, []) }
    let answer = submit(call.body ?? [], origin)
    if answer.json?.member("verdict") == .string("verified"),
      let session = call.body.flatMap({ try? JSONReader.read($0) })?.member("session")?.text
    {
      state.withLock { _ = $0.verified.insert(session) }
    }
    return answer
  }

  private static let longBody = 1 << 20
  private static let origin = "http://localhost:9000"

  private func view(of session: String) -> HTTPAnswer {
    let isVerified = state.withLock { $0.verified.contains(session) }
    let isShown = mistakes.contains(.alwaysShown) || (isVerified && !mistakes.contains(.neverShown))
    return reply(200, [("state", .string(isShown ? "verified" : "open"))])
  }

  private func reply(_ status: Int, _ members: [(String, JSONValue)]) -> HTTPAnswer {
    HTTPAnswer(status: status, headers: [], body: JSONValue(members: members).bytes, time: .milliseconds(1))
  }

  /// The readers that sign requests.
  private func readers() throws -> [DeviceRequestDraft.Reader] {
    for case .signs(let signing) in mistakes {
      if case .expired = signing {
        let ingredients = AuthorityIngredients(
          rootKey: P256.Signing.PrivateKey(), leafKey: P256.Signing.PrivateKey(),
          serialNumbers: (SystemBytes.draw(16), SystemBytes.draw(16)))
        let moment = DateTime(Date()).adding(days: -400)
        return [try ThrowawayReader(named: "Shop", domain: "localhost", at: moment, from: ingredients).reader]
      }
      let files = try SuiteRoots.reader(for: signing == .right ? "localhost" : "attacker.example", seed: 1)
      return [
        try ReaderFiles.reader(
          certificates: ("certificate.pem", files.certificate), key: ("key.pem", files.key))
      ]
    }
    return []
  }

  /// The options with the device request in another form.
  private func changed(_ page: JSONValue) -> JSONValue {
    for case .requests(let form) in mistakes {
      guard let digital = page.member("digital"), case .array(let requests)? = digital.member("requests"),
        let request = requests.first, let data = request.member("data"), var text = data.member("deviceRequest")?.text,
        var bytes = Base64URL.decode(text)
      else { return page }
      switch form {
      case .padded: text += "="
      case .indefiniteLengths: bytes = [0xBF] + bytes.dropFirst() + [0xFF]
      case .firstVersion: bytes.replace(Array("1.1".utf8), with: Array("1.0".utf8), maxReplacements: 1)
      case .signatureAltered:
        // The signature is the last byte string of 64 bytes.
        let found = bytes.ranges(of: [0x58, 0x40]).last
        if let found { bytes[found.upperBound] ^= 1 }
      }
      if form != .padded { text = Base64URL.encode(bytes) }
      let other = request.setting("data", data.setting("deviceRequest", .string(text)))
      return page.setting("digital", digital.setting("requests", .array([other] + requests.dropFirst())))
    }
    return page
  }

  private func begin(_ origin: String) -> HTTPAnswer {
    do {
      let builder = RequestBuilder(
        origin: try RequestBuilder.origin(origin), documents: documents, useCases: useCases,
        readers: try readers(), trustedIssuers: [String(decoding: roots, as: UTF8.self)])
      let nonce = mistakes.contains(.sameNonce) ? [UInt8](repeating: 7, count: 32) : SystemBytes.draw(32)
      let made = try builder.make(
        recipientKey: mistakes.contains(.sameKey) ? key : P256.KeyAgreement.PrivateKey(), nonce: nonce)
      let session = UUID().uuidString
      state.withLock { state in
        state.sessions[session] = made.exchange
        state.latest = made.exchange
      }
      var members = [("session", JSONValue.string(session)), ("options", changed(try JSONReader.read(made.page)))]
      if mistakes.contains(.takesData) {
        let place = JSONPointer("/digital/requests/0/data")
        members[1] = ("request", place?.value(in: members[1].1) ?? .null)
      }
      if mistakes.contains(.tellsKey) { members.append(("recipientPrivateKey", .string("d"))) }
      return reply(200, members)
    } catch {
      return reply(500, [])
    }
  }

  private func malformed() -> HTTPAnswer {
    let values = mistakes.contains(.showsMalformed) ? [("text", JSONValue.string(Self.markers(1...5000)))] : []
    return reply(mistakes.contains(.failsOnMalformed) ? 500 : 400, values)
  }

  private func submit(_ body: [UInt8], _ origin: String) -> HTTPAnswer {
    let isData = mistakes.contains(.takesData)
    guard let json = (try? JSONReader.read(body)).map({ isData ? Self.credential(with: $0) : $0 }),
      let name = json.member("session")?.text, let identifier = json.member("protocol"),
      let data = json.member("data"), case .object = data,
      data.member("response")?.text?.isEmpty == false
    else { return malformed() }
    let (found, count) = state.withLock { state in
      state.count += 1
      let found = state.sessions[name] ?? (mistakes.contains(.anySession) ? state.latest : nil)
      if !mistakes.contains(.keepsSessions) { state.sessions[name] = nil }
      return (found, state.count)
    }
    guard let found, !mistakes.contains(.refusesAll) else { return reply(200, [("verdict", .string("refused"))]) }
    for case .limitsAnswers(let most) in mistakes where count > most {
      return reply(200, [("verdict", .string("refused"))])
    }
    if mistakes.contains(.acceptsAll) { return reply(200, [("verdict", .string("verified"))]) }
    let credential = JSONValue(members: [("protocol", identifier), ("data", data)])
    do {
      let asked = try ExchangeFile(try JSONReader.read(found.bytes).setting("origin", .string(origin)).bytes)
      let answered = try SuiteOracle.exchange(asked, with: credential, lists?.all ?? [:])
      let report = try CallingThread.report(on: answered, at: DateTime(Date()))
      if mistakes.contains(.slash) {
        let isAsItsOwn = report.failure?.evidence.contains { $0.found == "transcript.origin.trailing-slash" } == true
        return reply(200, [("verdict", .string(isAsItsOwn ? "verified" : "refused"))])
      }
      let failed = report.checks.filter { $0.status == .failed }.filter {
        !mistakes.contains(.without(check: $0.check))
      }
      guard let first = failed.first else {
        let json = mistakes.contains(.showsAnother) ? report.json.replacing("Kelly", with: "Mallory") : report.json
        let documents = try JSONReader.read(Array(json.utf8)).member("documents") ?? .null
        return reply(200, [("verdict", .string("verified")), ("documents", documents)])
      }
      return reply(
        200,
        [("verdict", .string("refused")), ("failure", .string(first.name))]
          + (mistakes.contains(.showsRefused) ? [("text", .string(Self.markers(1...5000)))] : []))
    } catch {
      return reply(400, [])
    }
  }

  /// The body with the data of an answer as one with a credential.
  private static func credential(with json: JSONValue) -> JSONValue {
    json.setting("protocol", .string("org-iso-mdoc"))
      .setting("data", JSONValue(members: json.member("response").map { [("response", $0)] } ?? []))
  }

  private static func markers(_ numbers: ClosedRange<Int>) -> String {
    numbers.flatMap { SuiteWorld(number: $0).markers }.joined(separator: " ")
  }
}

/// The client of a server in this process.
struct MemoryClient: HTTPCaller {
  let server: MemoryServer

  func send(_ call: HTTPCall) throws(HTTPFailure) -> HTTPAnswer { try server.answer(call) }
}
