/// A fault in a response, made by a provider app that holds a correct document. Each fault is declared in the file that
/// makes it.
public struct ResponseFault: Sendable, Equatable, CustomStringConvertible {
  /// The name in the catalogue, after the party.
  public let rawValue: String
  /// The title and what the verifier finds.
  public let declaration: FaultDeclaration

  init(_ rawValue: String, _ title: String, _ findings: FaultFindings) {
    self.rawValue = rawValue
    declaration = FaultDeclaration(title, findings)
  }

  /// Every fault of responses.
  public static let allCases = ofDevices + ofDocuments + ofResponses + ofEncryption

  /// The name.
  public var description: String { rawValue }

  /// Two faults are the same when their names are.
  public static func == (left: ResponseFault, right: ResponseFault) -> Bool { left.rawValue == right.rawValue }
}
