import Certificates
import Foundation
import IdentityDocumentServices
import JSON
import OpenID4VP
import Primitives
import SDJWT

extension WalletResponder {
  /// Answers a request with OpenID4VP: with the first document or credential that answers each credential query, all of them or
  /// those of the first option of each set that can be answered.
  ///
  /// - Parameters:
  ///   - file: The request's file.
  ///   - text: The request in it.
  ///   - origin: The website's origin; nil to use the file's.
  ///   - moment: The time at which certificates must be valid, and that of the holder's signature.
  ///   - seal: Fresh values.
  /// - Throws: ``ExchangeFileError``, or `ProviderRefusal` if the wallet refuses to answer.
  public func answer(
    _ file: ExchangeFile, with text: PresentationRequestText, origin: String?, at moment: DateTime,
    seal: PresentationSeal
  ) async throws -> Answered {
    let (origin, url) = try Self.origin(origin, in: file)
    var responder = MobileDocumentResponder(
      trustedReaders: trustedReaders ?? TrustedCertificates([], for: .reader),
      answersUntrustedReaders: trustedReaders == nil)
    responder.transactionTypes = KnownTransaction.types
    let validated = try await responder.validateRawRequest(
      IdentityDocumentWebPresentmentRawRequest(requestType: .openID4VP(text.kind), requestData: Data(text.data)),
      openID4VP: text.kind, origin: url, at: moment.date)
    var story = ["\(TerminalSafe.text(origin)) asks with \(text.kind.rawValue)"]
    let query = validated.parameters.query
    let held = query.requestedIDs.compactMap(query.credential)
      .map { ($0, holding(answering: $0, readBy: validated.parameters.metadata?.formats)) }
    let answered = query.answeredIDs { asked in held.contains { $0.id.isExactly(asked.id) && $1 != nil } } ?? []
    let chosen = held.compactMap { query, holding in
      answered.contains { $0.isExactly(query.id) } ? holding.map { (query, $0) } : nil
    }
    for (query, holding) in held {
      let isChosen = chosen.contains { $0.0.id.isExactly(query.id) }
      story.append(
        "  \(query.id): \(holding.map { "\(isChosen ? "shown" : "not needed:") \($0.words)" } ?? "not held")")
      for entry in isChosen ? validated.transactions(of: query, among: answered) : [] {
        story.append("  \(query.id): agrees to \(TerminalSafe.text(try Self.transaction(entry).words))")
      }
    }
    guard !chosen.isEmpty else { throw ProviderRefusal(.document, .missing, story.dropFirst().joined(separator: ";")) }
    try validated.requireSigners(among: answered)
    for (query, holding) in chosen { try requireWithheld(of: holding, answering: query) }
    let answers = try chosen.map { query, holding in
      PresentationToken.Answer(
        id: query.id, presentations: [try holding.presentation(answering: query, of: validated, among: answered)])
    }
    let data = try validated.response(with: PresentationToken(answers), seal: seal)
    return Answered(
      exchange: try Self.answered(file, with: data, to: text, origin: origin), story: story,
      isSealed: validated.encryption != nil)
  }

  /// Answers a request with OpenID4VP with an error code in place of presentations (OpenID4VP, A.4).
  /// - Throws: ``ExchangeFileError``.
  public static func answer(
    _ file: ExchangeFile, with text: PresentationRequestText, origin: String?, error code: PresentationErrorCode
  ) throws -> Answered {
    let (origin, _) = try Self.origin(origin, in: file)
    return Answered(
      exchange: try answered(file, with: PresentationResponse.error(code), to: text, origin: origin),
      story: ["\(TerminalSafe.text(origin)) asks with \(text.kind.rawValue)", "  answered with \(code.rawValue)"],
      isSealed: false)
  }

  /// Returns the exchange with the data of an answer.
  private static func answered(
    _ file: ExchangeFile, with data: [UInt8], to text: PresentationRequestText, origin: String
  ) throws -> ExchangeFile {
    var answered = file
    if file.root["request"] == nil {
      answered = ExchangeFile(json: .object([])).setting("request", to: try JSONReader.read(text.data))
    }
    let credential = JSONValue(members: [
      ("protocol", .string(text.kind.rawValue)), ("data", try JSONReader.read(data)),
    ])
    return answered.without("deviceResponse").without("sessionTranscript")
      .setting("origin", to: .string(origin)).setting("protocol", to: .string(text.kind.rawValue))
      .setting("response", to: credential)
  }

  private static func transaction(_ entry: TransactionData) throws(ProviderRefusal) -> KnownTransaction {
    do { return try KnownTransaction(entry) } catch {
      throw ProviderRefusal(.rawRequest, .unreadable, adding: error.message, evidence: error.evidence)
    }
  }

  /// Refuses to answer with a credential that shows a claim which the person withholds.
  private func requireWithheld(of holding: Holding, answering query: CredentialQuery) throws {
    guard let held = holding.sdJWT else { return }
    let shown = held.shown(selecting: try query.match(DCQLCredential(held)).selected)
      .first { !limits.allows(nameSpace: CredentialFormat.claimsNameSpace, identifier: $0) }
    if let shown {
      throw ProviderRefusal(
        .response,
        adding: "the issuer made the claim \(TerminalSafe.text(shown)) visible always, or with a requested one, "
          + "so it is not withheld")
    }
  }

  /// What answers a credential query.
  private enum Holding {
    case bound(PresentableDocument)
    case unbound(HeldSDJWT)

    /// The SD-JWT; nil for a credential of another format.
    var sdJWT: HeldSDJWT? {
      switch self {
      case .bound(let document): if case .sdJWT(let held) = document.credential { held } else { nil }
      case .unbound(let held): held
      }
    }

    var words: String {
      switch self {
      case .bound(let document):
        switch document.credential {
        case .mobileDocument(let held): "document \(TerminalSafe.text(held.documentType))"
        case .sdJWT(let held): "credential \(TerminalSafe.text(held.type))"
        }
      case .unbound(let held): "credential \(TerminalSafe.text(held.type))"
      }
    }

    func presentation(
      answering query: CredentialQuery, of validated: ValidatedOpenID4VPRequest, among answered: [String]
    ) throws -> String {
      switch self {
      case .bound(let document): return try document.presentation(answering: query, of: validated, among: answered)
      case .unbound(let held):
        return held.presented(disclosing: held.disclosures(for: try query.match(DCQLCredential(held)).selected))
      }
    }
  }

  /// Returns the first document or credential that answers a query; nil without one, or if the verifier does not read its
  /// format.
  private func holding(answering query: CredentialQuery, readBy formats: SupportedFormats?) -> Holding? {
    if let formats, let format = query.format, !formats.acceptsES256(format) { return nil }
    let kept = documents.lazy.map { $0.keeping(limits.allows) }
    if let bound = kept.first(where: { (try? query.match($0.credential.queried)) != nil }) { return .bound(bound) }
    return unbound.lazy.map { $0.keeping(limits.allows) }.first { (try? query.match(DCQLCredential($0))) != nil }
      .map(Holding.unbound)
  }
}
