import TestSupport
import Testing

/// A test of one entry. It fails if the result differs from the stated one.
typealias Exercise = @Sendable (Vector) async throws -> Void

/// A file of known answers and how each of its entries is exercised.
struct KnownFile: Sendable {
  /// The name without its extension.
  let name: String
  /// The number of entries.
  let count: Int
  /// Returns the kind of an entry.
  let kind: @Sendable (Vector) -> String
  /// The other files that the exercises read.
  let others: [String]
  /// The exercise for each kind.
  let exercises: [String: Exercise]

  init(
    _ name: String, count: Int, kind: @escaping @Sendable (Vector) -> String = { $0["kind"]?.text ?? "" },
    reading others: [String] = [], _ exercises: [String: Exercise]
  ) {
    self.name = name
    self.count = count
    self.kind = kind
    self.others = others
    self.exercises = exercises
  }

  /// A Boolean value that is true if the file and the others that its exercises read exist.
  var isHere: Bool { ([name] + others).allSatisfy(Vectors.has) }

  /// The entries; empty without the file.
  var entries: [KnownEntry] { Vectors.entries(of: "\(name).json").map { KnownEntry(file: self, vector: $0) } }

  /// Every file of the folder, in alphabetical order.
  static let all: [KnownFile] = [
    .ageOver, .annexC, .cbor, .certificates, .cose, .deviceRequests, .deviceResponses, .ecdsa, .hpke, .annexD,
    .issuerSigned, .requestValidation, .sessionTranscripts, .statusLists, .syntheticAnnexC,
  ]
}

/// An entry with its file.
struct KnownEntry: Sendable, CustomTestStringConvertible {
  let file: KnownFile
  let vector: Vector

  var kind: String { file.kind(vector) }
  var exercise: Exercise? { file.exercises[kind] }
  var testDescription: String { "\(file.name) \(vector.identifier)" }
}
