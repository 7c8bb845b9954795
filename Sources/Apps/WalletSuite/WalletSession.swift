import CaseSuites
import Crypto
import ExchangeFiles
import JSON
import Primitives

/// An error of a wallet under test: it gave no answer that can be judged.
typealias WalletFailure = CodedFailure<WalletFailureCode>

/// The kinds of errors.
enum WalletFailureCode: String, Sendable {
  /// The program cannot be started.
  case start = "wallet.start"
  /// The program ended.
  case ended = "wallet.ended"
  /// It did not answer in time.
  case timeout = "wallet.timeout"
  /// Its answer is longer than the target's limit.
  case tooLong = "wallet.answer-too-long"
  /// Its answer is not one of the protocol.
  case malformed = "wallet.malformed-answer"
  /// It does not know the message.
  case unsupported = "wallet.unsupported"
}

/// A wallet that takes messages.
protocol WalletCaller: AnyObject {
  /// Sends a message and waits for its answer.
  func ask(_ message: JSONValue, number: Int) throws(WalletFailure) -> JSONValue
  /// Ends the wallet.
  func end()
}

/// A wallet with documents of the suite. A wallet that failed is started again, with new device keys.
final class WalletSession {
  private let authorities: WalletAuthorities
  private let start: () throws(WalletFailure) -> any WalletCaller
  private var caller: (any WalletCaller)?
  private var number = 0
  /// The documents that the wallet takes.
  private(set) var documents: Set<SuiteDocument> = []

  init(
    _ authorities: WalletAuthorities, starting start: @escaping () throws(WalletFailure) -> any WalletCaller
  ) {
    self.authorities = authorities
    self.start = start
  }

  /// The view of a wallet before anybody has agreed.
  struct View {
    /// The number of the request.
    let request: Int
    /// The elements that it shows.
    let elements: Set<ReleasedElement>
    /// The warning; nil for none.
    let warning: String?
  }

  /// The reaction of a wallet to a request.
  enum Reaction {
    case shown(View)
    case refused(String)
  }

  /// The reaction of a wallet to a raw request.
  enum Answer {
    /// The encrypted response in base64url.
    case answered(String)
    case refused(String)
  }

  /// Shows a request.
  func show(_ request: MadeRequest) throws(WalletFailure) -> Reaction {
    try prepare()
    let members = [("partial", request.partial)] + (request.origin.map { [("origin", .string($0))] } ?? [])
    let (answer, number) = try tell("request", members)
    return try Reaction(answer, number: number)
  }

  /// Hands out a raw request for a view.
  func agree(to request: Int, raw: String) throws(WalletFailure) -> Answer {
    try prepare()
    return try Answer(try tell("agree", [("to", .number("\(request)")), ("raw", .string(raw))]).answer)
  }

  /// Says that the person declined.
  func decline(_ request: Int) throws(WalletFailure) {
    _ = try tell("decline", [("to", .number("\(request)"))])
  }

  /// A number that no request has.
  var unknownRequest: Int { number + 1_000 }

  /// Starts the wallet and gives it its documents, if it does not run.
  func prepare() throws(WalletFailure) {
    guard caller == nil else { return }
    caller = try start()
    documents = []
    for document in SuiteDocument.allCases {
      do throws(WalletFailure) {
        try provision(document)
        documents.insert(document)
      } catch {
        guard error.hasCode(.unsupported), document != .license else { throw error }
      }
    }
  }

  private func provision(_ document: SuiteDocument) throws(WalletFailure) {
    let roots: (readers: [UInt8], issuers: [UInt8])
    do { roots = (try authorities.readerRoot, try authorities.issuerRoot) } catch {
      throw WalletFailure(.start, "the suite's certificates cannot be made", evidence: "\(error)")
    }
    func list(_ root: [UInt8]) -> JSONValue { .array([.string(Base64URL.encode(root))]) }
    let made = try tell(
      "provision",
      [
        ("documentType", .string(document.type)), ("readerRoots", list(roots.readers)),
        ("issuerRoots", list(roots.issuers)),
      ])
    guard let member = made.answer.member("deviceKey"), let key = Self.key(member) else {
      throw failed(.malformed, "the answer to 'provision' has no member deviceKey with a public key on P-256")
    }
    let issued: [UInt8]
    do { issued = try authorities.issued(document, for: key, label: "\(document)/\(number)") } catch {
      throw WalletFailure(.start, "the suite's document cannot be issued", evidence: "\(error)")
    }
    let stored = try tell(
      "store", [("documentType", .string(document.type)), ("document", .string(Base64URL.encode(issued)))])
    guard stored.answer.member("stored") == .boolean(true) else {
      throw failed(.malformed, "the answer to 'store' does not say \"stored\": true")
    }
  }

  /// A public key as a JSON Web Key (RFC 7518, 6.2).
  private static func key(_ jwk: JSONValue) -> P256.Signing.PublicKey? {
    guard jwk.member("kty")?.text == "EC", jwk.member("crv")?.text == "P-256",
      let x = jwk.member("x")?.text.flatMap(Base64URL.decode), let y = jwk.member("y")?.text.flatMap(Base64URL.decode)
    else { return nil }
    return try? P256.Signing.PublicKey(rawRepresentation: x + y)
  }

  private func tell(
    _ word: String, _ members: [(String, JSONValue)]
  ) throws(WalletFailure) -> (answer: JSONValue, number: Int) {
    guard let caller else { throw WalletFailure(.ended, "the wallet does not run") }
    number += 1
    let message = JSONValue(members: [("id", .number("\(number)")), ("do", .string(word))] + members)
    do throws(WalletFailure) {
      let answer = try caller.ask(message, number: number)
      if answer.member("unsupported") == .boolean(true) {
        throw WalletFailure(.unsupported, "the wallet does not know '\(word)'")
      }
      return (answer, number)
    } catch {
      if !error.hasCode(.unsupported) { end() }
      throw error
    }
  }

  private func failed(_ code: WalletFailureCode, _ message: String) -> WalletFailure {
    end()
    return WalletFailure(code, message)
  }

  /// Ends the wallet.
  func end() {
    caller?.end()
    caller = nil
  }
}

extension WalletSession.Reaction {
  /// Reads the answer to a request.
  init(_ answer: JSONValue, number: Int) throws(WalletFailure) {
    if let reason = WalletSession.refusal(in: answer) {
      self = .refused(reason)
      return
    }
    guard let shows = answer.member("shows"), let elements = Self.elements(shows.member("elements")) else {
      throw WalletFailure(
        .malformed, "the answer to 'request' has neither 'shows' with 'elements' nor 'refused'",
        evidence: WalletSession.excerpt(answer))
    }
    let warning = shows.member("warning").flatMap { $0 == .null ? nil : $0.text ?? WalletSession.excerpt($0) }
    self = .shown(
      WalletSession.View(request: number, elements: elements, warning: warning?.isEmpty == true ? nil : warning))
  }

  /// The elements by document type and name space.
  private static func elements(_ value: JSONValue?) -> Set<ReleasedElement>? {
    guard case .object(let documents) = value else { return nil }
    var found: Set<ReleasedElement> = []
    for document in documents {
      guard case .object(let spaces) = document.value else { return nil }
      for space in spaces {
        guard case .array(let names) = space.value else { return nil }
        for name in names {
          guard let name = name.text else { return nil }
          found.insert(ReleasedElement(documentType: document.name, nameSpace: space.name, identifier: name))
        }
      }
    }
    return found
  }
}

extension WalletSession.Answer {
  /// Reads the answer to a raw request.
  init(_ answer: JSONValue) throws(WalletFailure) {
    if let reason = WalletSession.refusal(in: answer) {
      self = .refused(reason)
    } else if let text = answer.member("answer")?.text {
      self = .answered(text)
    } else {
      throw WalletFailure(
        .malformed, "the answer to 'agree' has neither 'answer' nor 'refused'",
        evidence: WalletSession.excerpt(answer))
    }
  }
}

extension WalletSession {
  fileprivate static let longestExcerpt = 200

  /// The beginning of an answer, for reports.
  static func excerpt(_ value: JSONValue) -> String {
    TerminalSafe.text(String(String(decoding: value.bytes, as: UTF8.self).prefix(longestExcerpt)))
  }

  /// The reason of a refusal; nil for any other answer.
  fileprivate static func refusal(in answer: JSONValue) -> String? {
    if let refused = answer.member("refused"), refused != .null, refused != .boolean(false) {
      return TerminalSafe.text(String((refused.text ?? "no reason").prefix(longestExcerpt)))
    }
    return answer.member("cancelled") == .boolean(true) ? "cancelled" : nil
  }
}
