import CBOR
import Certificates
import Crypto
import DigitalCredentials
import Foundation
import JSON
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment
import X509

@testable import ExchangeFiles

/// An exchange file with members that a test can set, change and remove.
struct Draft {
  var members: [String: JSONValue]

  init(_ members: [String: JSONValue] = [:]) { self.members = members }

  init(_ file: ExchangeFile) throws {
    members = [:]
    for (name, member) in try file.root.members() { members[name] = member.value }
  }

  var bytes: [UInt8] {
    JSONValue.object(members.keys.sorted().map { .init(name: $0, value: members[$0] ?? .null) }).bytes
  }

  /// The report of verifying the file at a moment.
  func verified(at moment: DateTime, files: [String: String] = [:]) async throws -> ExchangeReport {
    await ExchangeVerifier().verify(try exchange(files: files), at: moment)
  }

  func exchange(files: [String: String] = [:]) throws -> VerifiableExchange {
    try VerifiableExchange(ExchangeFile(bytes)) { name in
      guard let text = files[name] else { throw NoSuchFile() }
      return Array(text.utf8)
    }
  }

  /// The error of reading the file, or nil.
  var problem: ExchangeFileError? {
    fault { _ = try exchange() }
  }
}

extension JSONValue {
  static func base64URL(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

  static func objectOf(_ members: [String: JSONValue]) -> JSONValue {
    .object(members.keys.sorted().map { .init(name: $0, value: members[$0] ?? .null) })
  }

  /// The certificates as the member `trustedIssuers`.
  static func trust(_ certificates: [[UInt8]]) -> JSONValue {
    .array(certificates.map { .string(String(decoding: CertificateChain.pem([$0]), as: UTF8.self)) })
  }

  static func request(_ deviceRequest: String, _ encryptionInfo: String) -> JSONValue {
    .objectOf(["deviceRequest": .string(deviceRequest), "encryptionInfo": .string(encryptionInfo)])
  }

  /// A private number of P-256 as a JSON Web Key.
  static func jwk(_ number: [UInt8]) throws -> JSONValue {
    PrivateKeyFile.jwk(try P256.KeyAgreement.PrivateKey(rawRepresentation: number))
  }
}

/// A moment that a test wrote itself.
func moment(_ text: String) throws -> DateTime {
  try #require(DateTime.parse(text)?.moment)
}

/// The error of a missing file.
struct NoSuchFile: Error {}

/// Returns the error of the body; nil if it succeeds.
func fault(_ body: () throws -> Void) -> ExchangeFileError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ExchangeFileError
  }
}
