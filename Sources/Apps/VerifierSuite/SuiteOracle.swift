import Authorities
import CommandSupport
import ExchangeFiles
import Foundation
import JSON
import MobileDocument
import Primitives

/// Presentment's own verifier beside the server under test. It asks for the same, with a key of its own, and verifies an
/// answer with the same mistake: a case counts only if its mistake is in the answer, and no other.
struct SuiteOracle: Sendable {
  let answers: AnswerMaker
  /// The roots of the suite's issuing authorities, in PEM.
  let roots: [UInt8]

  /// The finding of the verifier.
  struct Finding: Sendable {
    /// The reason why the case cannot be tried; nil if it can.
    var obstacle: String?
    /// True if it is a mistake of the suite.
    var isOwnMistake = false
    /// The exchange with the private key, which `presentment verify` explains; nil if no answer was made.
    var exchange: [UInt8]?
  }

  /// Verifies an answer with a case's mistake to the same request.
  func finding(of suiteCase: VerifierCase, _ plan: AnswerPlan, options: JSONValue, number: Int) -> Finding {
    do {
      let made = try request(options)
      let earlier = plan.followsAnother ? try request(options).page : nil
      let page = try JSONReader.read(made.page)
      let answer = try answers.answer(
        to: page, plan, after: try earlier.map { try JSONReader.read($0) }, number: number)
      let exchange = try Self.exchange(made.exchange, with: answer.credential, answer.statusLists)
      let report = try CallingThread.report(on: exchange, at: DateTime(Date()))
      var finding = Finding(exchange: exchange.bytes)
      // The reason of a check depends on what the verifier knows, for example of other sessions.
      let expected = suiteCase.findings.map(Self.check(of:))
      let failed = report.checks.filter { $0.status == .failed }.map(\.check)
      let found = failed + report.checks.filter { $0.status == .deviates }.map(\.check)
      if let main = expected.first, !found.contains(main) {
        finding.obstacle = "an answer to this request cannot have the mistake"
        finding.isOwnMistake = !failed.isEmpty
      }
      if let other = failed.first(where: { !expected.contains($0) }) {
        finding.obstacle = "an answer to this request has another mistake, too: \(other)"
        // A phone with a fault answers a request for several documents with one of them.
        finding.isOwnMistake = other != "response.documents" || !made.isForSeveral
      }
      return finding
    } catch let error as AnswerMaker.Failure {
      return Finding(obstacle: error.message)
    } catch {
      return Finding(obstacle: "the request cannot be made again: \(error)")
    }
  }

  /// A request for the same with a key of the suite's own.
  private func request(_ options: JSONValue) throws -> (page: [UInt8], exchange: ExchangeFile, isForSeveral: Bool) {
    let contents = try RequestTexts(anywhereIn: try ExchangeFile(options.bytes)).contents()
    let builder = RequestBuilder(
      origin: try RequestBuilder.origin(answers.origin), documents: contents.documents, useCases: contents.useCases,
      readers: [], trustedIssuers: [String(decoding: roots, as: UTF8.self)])
    let made = try builder.drawn()
    return (made.page, made.exchange, contents.documents.count > 1)
  }

  /// The check of a finding, without its reason.
  private static func check(of finding: String) -> String { String(finding.prefix { $0 != "/" }) }

  /// The exchange of a request and its answer.
  /// - Parameter lists: The status lists by their addresses.
  static func exchange(
    _ file: ExchangeFile, with credential: JSONValue, _ lists: [String: PublishedList] = [:]
  ) throws -> ExchangeFile {
    let answered = file.setting("response", to: credential)
    guard !lists.isEmpty else { return try ExchangeFile(answered.bytes) }
    let tokens = lists.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string(Base64URL.encode($0.value.bytes))) }
    return try ExchangeFile(answered.setting("statusLists", to: JSONValue(members: tokens)).bytes)
  }
}
