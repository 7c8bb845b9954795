import Foundation
import Inspection
import Testing

/// Known artifacts of other implementations, read where they lie and never part of the package.
@Suite("Artifacts of other implementations", .enabled(if: Vectors.folder != nil, "the vectors' folder is not there"))
struct VectorTests {
  static let named: [(file: String, kind: String, title: String)] = [
    ("device_requests", "DeviceRequest", "DeviceRequest"), ("device_responses", "DeviceResponse", "DeviceResponse"),
    ("issuer_signed", "IssuerSigned", "IssuerSigned"), ("session_transcripts", "SessionTranscript", "SessionTranscript"),
    ("certificates", "", "certificate"),
  ]

  @Test("are recognized", arguments: named)
  func areRecognized(file name: String, kind: String, title: String) throws {
    for vector in try Vectors.read(name) where kind.isEmpty || vector.kind == kind {
      guard let digits = vector.hex else { continue }
      switch Inspector.inspect(file(digits), options: .offsets) {
      case .success(let text):
        let second = text.split(separator: "\n").dropFirst().first?.drop { $0 == " " || $0.isNumber }
        #expect(second.map(String.init) == title, "\(vector.id)")
      case .failure(let failure):
        // Two certificates have an extension that strict readers of DER refuse.
        #expect(name == "certificates", "\(vector.id): \(failure)")
      }
    }
  }
}

private enum Vectors {
  struct Vector: Decodable {
    let id: String
    let kind: String?
    let hex: String?
  }

  private struct File: Decodable {
    let vectors: [Vector]
  }

  static var folder: URL? {
    let path = ProcessInfo.processInfo.environment["PRESENTMENT_VECTORS"] ?? "../shared/vectors"
    return FileManager.default.fileExists(atPath: path) ? URL(fileURLWithPath: path, isDirectory: true) : nil
  }

  static func read(_ name: String) throws -> [Vector] {
    let url = try #require(folder).appendingPathComponent("\(name).json")
    return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).vectors
  }
}
