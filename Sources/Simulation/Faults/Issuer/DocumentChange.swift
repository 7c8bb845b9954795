/// The effect of a fault in a document, made by its issuing authority. Everything else about the document is correct, so
/// that a verifier finds this fault and its consequences only.
package struct DocumentChange: Sendable {
  /// Wallets present the document as one of the changed type.
  let isPresentedAsAnotherType: Bool
  /// Wallets order the document at the beginning of a second.
  let isOrderedAtBeginningOfSecond: Bool
  /// Changes a document that is otherwise issued correctly.
  let apply: @Sendable (inout DocumentParts) throws -> Void

  /// The type that a document with this fault is presented as.
  package func presentedType(of documentType: String) -> String {
    isPresentedAsAnotherType ? Self.anotherType(than: documentType) : documentType
  }

  /// The type of another document.
  static func anotherType(than type: String) -> String { type + ".other" }
}

extension Fault {
  /// Faults of documents.
  package static let ofDocuments: [Fault] =
    ofIssuerSignatures + ofIssuerSignatureForms + ofSigners + ofValidity + ofSecurityObjects + ofDeviceKeys + ofElements

  /// A fault in a document, made by its issuing authority.
  static func document(
    _ name: String, _ title: String, _ findings: FaultFindings, presentedAsAnotherType: Bool = false,
    orderedAtBeginningOfSecond: Bool = false, _ change: @escaping @Sendable (inout DocumentParts) throws -> Void
  ) -> Fault {
    Fault(
      .issuer, name, title, findings, at: "document",
      .document(
        DocumentChange(
          isPresentedAsAnotherType: presentedAsAnotherType,
          isOrderedAtBeginningOfSecond: orderedAtBeginningOfSecond, apply: change)))
  }
}
