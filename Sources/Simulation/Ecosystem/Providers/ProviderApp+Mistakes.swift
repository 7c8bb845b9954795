import Foundation
import IdentityDocumentServices
import MobileDocument
import WebPresentment

/// An app that answers as it should, or with the mistakes that a scenario lets it make.
extension ProviderApp {
  /// The sealed response, with the mistakes that a scenario lets the app make.
  func answer(
    to request: ValidatedMobileDocumentRequest, rawRequest: IdentityDocumentWebPresentmentRawRequest,
    from context: ISO18013MobileDocumentRequestContext, with responder: MobileDocumentResponder
  ) async throws -> Data {
    let mistakes = station.mistakes.answer
    let text = try RequestData(json: [UInt8](rawRequest.requestData)).encryptionInfo
    let origin = context.requestingWebsiteOrigin?.serializedOrigin ?? ""
    if let flawed = try await flawedAnswer(to: request, encryptionInfo: text, origin: origin) { return flawed }
    let previous = lastAnswered
    lastAnswered = TranscriptInputs.OtherSession(identifier: name, encryptionInfoText: text, origin: origin)
    guard !mistakes.codes.isEmpty else {
      return try responder.buildAndEncryptResponse(
        to: request, with: presentableDocuments(), ephemeralKey: ephemeralKey())
    }
    station.record(
      .fault, code: .faultAppMistake, outcome: "applied",
      sentence: "\(name) answers with a mistake: \(mistakes.codes.joined(separator: ", "))")
    let inputs = TranscriptInputs(
      encryptionInfoText: text, origin: origin, surroundings: station.mistakes.surroundings(of: origin),
      otherSessions: previous.map { [$0] } ?? [])
    return try responder.buildAndEncryptResponse(
      to: request, with: presentableDocuments(), ephemeralKey: ephemeralKey(), making: mistakes, inputs: inputs)
  }
}
