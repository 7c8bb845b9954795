import Foundation
import IdentityDocumentServices

/// A folder for one test, removed at its end.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("ecosystem-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The folder's contents: the bytes of files by name, nil for a folder.
  func contents() throws -> [String: Data?] {
    var contents: [String: Data?] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      contents[name] = .some(FileManager.default.contents(atPath: file(name)))
    }
    return contents
  }
}

/// A registration of a document.
func registration(
  _ type: String = "licence", issuers: [Data] = [], authorities: [Data] = [], identifier: String = "1",
  until: Date? = nil
) -> MobileDocumentRegistration {
  MobileDocumentRegistration(
    mobileDocumentType: type, supportedIssuerKeyIdentifiers: issuers, supportedAuthorityKeyIdentifiers: authorities,
    documentIdentifier: identifier, invalidationDate: until)
}
