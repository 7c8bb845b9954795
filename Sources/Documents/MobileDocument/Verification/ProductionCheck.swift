import CBOR
import Certificates
import Checks

/// The check of a verifier in production. It is made of a response that verified, and reported only by a verifier that
/// refuses test documents.
package enum ProductionCheck: CheckFamily {
  case document

  /// The declaration of the check.
  package var definition: CheckDefinition {
    switch self {
    case .document:
      CheckDefinition(
        "production.document", "the document is not one of a test programme", "the document is one of a test programme",
        clause: "own rule; the EU's reference programme")
    }
  }
}

extension VerificationReport {
  /// Returns the report with the check that no document is one of a test programme. A response that did not verify has
  /// no document to check.
  package func checkingProduction() -> VerificationReport {
    var checks = checks
    var isAccepted = true
    for document in foundDocuments {
      let run = CheckRun(ProductionCheck.allCases, subject: document.documentType) { _ in
        .require(
          !document.isOfTestProgramme, nil, nil,
          .field("country", expected: "another than \(TestMark.country)", found: TestMark.country))
      }
      checks += run.results
      isAccepted = isAccepted && run.isAccepted
    }
    return replacing(checks, isAccepted: isAccepted)
  }
}

extension VerifiedDocument {
  /// Returns whether a path or the signed elements have the mark of a test programme.
  static func hasTestMark(_ path: ValidatedCertificatePath, _ elements: [Element]) -> Bool {
    TestMark.isOn(path)
      || elements.contains { element in
        element.identifier == "issuing_country" && !element.isDeviceSigned && element.value == .text(TestMark.country)
      }
  }
}
