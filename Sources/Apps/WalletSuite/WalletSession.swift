import OwnWallets
import Primitives

/// A wallet that takes messages.
protocol WalletCaller: AnyObject {
  /// Sends a message and waits for its answer.
  /// - Returns: The line of the answer.
  func ask(_ message: [UInt8], number: Int) throws(WalletFailure) -> [UInt8]
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
  /// True if two answers have the same issuer's signature.
  var sharesSignature = false

  init(_ authorities: WalletAuthorities, starting start: @escaping () throws(WalletFailure) -> any WalletCaller) {
    self.authorities = authorities
    self.start = start
  }

  /// Shows a request.
  /// - Returns: The view, and the number of the request.
  func show(_ request: MadeRequest) throws(WalletFailure) -> (reply: WalletAnswer.Reply<WalletView>, request: Int) {
    try prepare()
    let (answer, number) = try tell(.request(origin: request.origin, request.partial))
    return (try answer.view(), number)
  }

  /// Hands out a raw request for a view.
  /// - Returns: The encrypted response in base64url.
  func agree(to request: Int, raw: String) throws(WalletFailure) -> WalletAnswer.Reply<String> {
    try prepare()
    return try tell(.agree(to: request, raw: raw)).answer.response()
  }

  /// Says that the person declined.
  func decline(_ request: Int) throws(WalletFailure) { _ = try tell(.decline(to: request)) }

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
    let revoked: [UInt8]
    do { revoked = try authorities.revocationList } catch {
      throw WalletFailure(.start, "the suite's certificates cannot be made", evidence: "\(error)")
    }
    let place = WalletMessage.Document(type: document.type, identifier: "\(document)")
    let order = WalletMessage.provision(
      place, readerRoots: [authorities.readerRoot], issuerRoots: [authorities.issuerRoot], revocationLists: [revoked])
    let made = try tell(order).answer
    let key = try ending { () throws(WalletFailure) in try made.deviceKey() }
    let issued: [UInt8]
    do { issued = try authorities.issued(document, for: key, label: "\(document)/\(number)") } catch {
      throw WalletFailure(.start, "the suite's document cannot be issued", evidence: "\(error)")
    }
    let stored = try tell(.store(place, issued: issued)).answer
    try ending { () throws(WalletFailure) in try stored.confirm("stored", of: "store") }
  }

  private func tell(_ message: WalletMessage) throws(WalletFailure) -> (answer: WalletAnswer, number: Int) {
    guard let caller else { throw WalletFailure(.ended, "the wallet does not run") }
    number += 1
    do throws(WalletFailure) {
      let line = try caller.ask(WalletMessage.numbered(message.encoded, number), number: number)
      let answer = try WalletAnswer(line: line)
      if answer.isUnsupported { throw WalletFailure(.unsupported, "the wallet does not know '\(message.word)'") }
      return (answer, number)
    } catch {
      if !error.hasCode(.unsupported) { end() }
      throw error
    }
  }

  /// Reads an answer, and ends a wallet whose answer is not one of the protocol.
  private func ending<Content>(_ body: () throws(WalletFailure) -> Content) throws(WalletFailure) -> Content {
    do throws(WalletFailure) { return try body() } catch {
      end()
      throw error
    }
  }

  /// Ends the wallet.
  func end() {
    caller?.end()
    caller = nil
  }
}
