/// A fault in a document, made by its issuing authority. Everything else about the document is correct, so that a verifier
/// finds this fault and its consequences only. Each fault is declared in the file that makes it.
public struct DocumentFault: Sendable, Equatable, CustomStringConvertible {
  /// The name in the catalogue, after the party.
  public let rawValue: String
  /// The title and what the verifier finds.
  public let declaration: FaultDeclaration

  init(_ rawValue: String, _ title: String, _ findings: FaultFindings) {
    self.rawValue = rawValue
    declaration = FaultDeclaration(title, findings)
  }

  /// Every fault of documents.
  public static let allCases = ofSignature + ofSigner + ofContent

  /// The name.
  public var description: String { rawValue }

  /// Two faults are the same when their names are.
  public static func == (left: DocumentFault, right: DocumentFault) -> Bool { left.rawValue == right.rawValue }

  /// The type that a document with this fault is presented as.
  public func presentedType(of documentType: String) -> String {
    self == .typeNotRequested ? Self.anotherType(than: documentType) : documentType
  }

  /// The type of another document.
  static func anotherType(than type: String) -> String { type + ".other" }
}
