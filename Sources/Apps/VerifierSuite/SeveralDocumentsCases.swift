import CaseSuites

/// Cases of several documents in a response.
extension SuiteCatalogue {
  /// The case of two genuine documents.
  private static let bothDocuments = "several-documents.both"

  private static func documents(
    _ name: String, _ title: String, _ documents: [OutsidePlan.Document], expects: SuiteCase.Expectation = .refuse,
    weight: SuiteCase.Weight = .must, finding: String? = nil, twin: String? = nil
  ) -> VerifierCase {
    VerifierCase(
      id: "several-documents.\(name)", group: .severalDocuments, title: title, clause: "ISO/IEC 18013-5, 8.3.2.1.2.2",
      expects: expects, weight: weight, findings: [finding].compactMap(\.self),
      play: .answer(AnswerPlan(outside: OutsidePlan(documents: documents))), twin: twin)
  }

  private static func photoID(_ change: OutsidePlan.Change? = nil) -> OutsidePlan.Document {
    OutsidePlan.Document(kind: .photoID, change: change)
  }

  private static let license = OutsidePlan.Document()

  static let severalDocuments = [
    documents("both", "a license and a photo ID, which are both requested", [license, photoID()], expects: .accept),
    documents("either-order", "the photo ID comes before the license", [photoID(), license], expects: .accept),
    documents(
      "second-value-changed", "a value of the photo ID is changed; the license before it is genuine",
      [license, photoID(.valueChanged)], finding: "element.digest", twin: bothDocuments),
    documents(
      "first-value-changed", "a value of the photo ID is changed; the license after it is genuine",
      [photoID(.valueChanged), license], finding: "element.digest", twin: "several-documents.either-order"),
    documents(
      "second-another-nonce", "the device signs the photo ID for another nonce; the license before it is genuine",
      [license, photoID(.anotherNonce)], finding: "device.signature/invalid", twin: bothDocuments),
    documents(
      "second-another-key", "another device's key signs the photo ID; the license before it is genuine",
      [license, photoID(.anotherKey)], finding: "device.signature/invalid", twin: bothDocuments),
    documents(
      "not-requested", "a photo ID that was not requested comes besides a license",
      [license, OutsidePlan.Document(kind: .photoID, isAsked: false)], weight: .should,
      finding: "document.requested/not-requested"),
    documents(
      "unknown-type", "a document of a type that no standard has comes besides a license, and was not requested",
      [license, OutsidePlan.Document(kind: .membership, isAsked: false)], weight: .should,
      finding: "document.requested/not-requested"),
  ]
}
