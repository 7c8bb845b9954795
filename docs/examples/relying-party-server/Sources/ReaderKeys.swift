import Certificates
import Crypto
import Foundation
import MobileDocument
import Primitives

/// The keys that requests are signed with. To rotate, put a file with the next key and its certificates into the folder
/// before the current certificate expires: the newest certificate that is valid signs. Sessions are not bound to a key.
struct ReaderKeys: Sendable {
  struct Entry: Sendable {
    let name: String
    let reader: DeviceRequestDraft.Reader
    let validity: ClosedRange<DateTime>
  }

  private var entries: [Entry] = []

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  init() {}

  init(folder: String) throws {
    for file in try files(in: folder, ".pem") {
      do {
        entries.append(try Self.entry(file))
      } catch {
        throw Unreadable(description: "\(file.lastPathComponent): \(error)")
      }
    }
  }

  /// Reads a file with one key (PKCS#8) and at least one certificate.
  private static func entry(_ file: URL) throws -> Entry {
    let text = try String(contentsOf: file, encoding: .utf8)
    let blocks = PEMText(text)?.blocks ?? []
    let chain = blocks.filter { $0.label == "CERTIFICATE" }.map(\.bytes)
    guard let leaf = chain.first, let key = blocks.first(where: { $0.label == "PRIVATE KEY" }) else {
      throw Unreadable(description: "expected a PRIVATE KEY and its CERTIFICATEs")
    }
    let signer = try P256.Signing.PrivateKey(derRepresentation: key.bytes)
    let fields = try CertificateFields(derEncoded: leaf)
    guard fields.certificate?.publicKey == .init(signer.publicKey) else {
      throw Unreadable(description: "the first certificate is not of the key")
    }
    return Entry(
      name: file.deletingPathExtension().lastPathComponent, reader: .init(signer: signer, chain: chain),
      validity: fields.validity.from...max(fields.validity.from, fields.validity.until))
  }

  var count: Int { entries.count }

  /// The entry whose certificate is valid and began last.
  func signing(at moment: DateTime) -> Entry? {
    entries.filter { $0.validity.contains(moment) }.max { $0.validity.lowerBound < $1.validity.lowerBound }
  }
}
