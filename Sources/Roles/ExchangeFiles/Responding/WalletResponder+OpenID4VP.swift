import Certificates
import Foundation
import IdentityDocumentServices
import JSON
import OpenID4VP
import Primitives
import SDJWT

extension WalletResponder {
  /// Answers a request with OpenID4VP: with the first document or credential that answers each credential query, all of them or
  /// those of one option of each set.
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
    let responder = MobileDocumentResponder(
      trustedReaders: trustedReaders ?? TrustedCertificates([], for: .reader),
      answersUntrustedReaders: trustedReaders == nil)
    let validated = try await responder.validateRawRequest(
      IdentityDocumentWebPresentmentRawRequest(requestType: .openID4VP(text.kind), requestData: Data(text.data)),
      openID4VP: text.kind, origin: url, at: moment.date)
    var story = ["\(TerminalSafe.text(origin)) asks with \(text.kind.rawValue)"]
    var answers: [PresentationToken.Answer] = []
    for query in validated.parameters.query.requestedIDs.compactMap(validated.parameters.query.credential) {
      guard let (presentation, shown) = try presentation(answering: query, of: validated)
      else {
        story.append("  \(query.id): not held")
        continue
      }
      story.append("  \(query.id): shown \(shown)")
      answers.append(PresentationToken.Answer(id: query.id, presentations: [presentation]))
    }
    guard validated.parameters.query.isAnswered(by: answers.map(\.id)), !answers.isEmpty else {
      throw ProviderRefusal(.document, .missing, story.dropFirst().joined(separator: ";"))
    }
    let data = try validated.response(with: PresentationToken(answers), seal: seal)
    return Answered(exchange: try Self.answered(file, with: data, to: text, origin: origin), story: story)
  }

  /// Answers a request with OpenID4VP with an error code in place of presentations (OpenID4VP, A.4).
  /// - Throws: ``ExchangeFileError``.
  public static func answer(
    _ file: ExchangeFile, with text: PresentationRequestText, origin: String?, error code: PresentationErrorCode
  ) throws -> Answered {
    let (origin, _) = try Self.origin(origin, in: file)
    return Answered(
      exchange: try answered(file, with: PresentationResponse.error(code), to: text, origin: origin),
      story: ["\(TerminalSafe.text(origin)) asks with \(text.kind.rawValue)", "  answered with \(code.rawValue)"])
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

  /// Returns the presentation of the first document or credential that answers a query, and what it shows; nil without one.
  private func presentation(
    answering query: CredentialQuery, of validated: ValidatedOpenID4VPRequest
  ) throws -> (String, String)? {
    for document in documents {
      let kept = document.keeping(limits.allows)
      guard let text = try? kept.presentation(answering: query, of: validated) else { continue }
      return (text, Self.shown(document.credential))
    }
    for held in unbound {
      guard let match = try? query.match(DCQLCredential(held)) else { continue }
      return (held.presented(disclosing: held.disclosures(for: match.selected)), Self.shown(.sdJWT(held)))
    }
    return nil
  }

  private static func shown(_ credential: HeldCredential) -> String {
    switch credential {
    case .mobileDocument(let held): "document \(TerminalSafe.text(held.documentType))"
    case .sdJWT(let held): "credential \(TerminalSafe.text(held.type))"
    }
  }
}
