import CBOR
import Certificates
import DigitalCredentials
import Foundation
import MobileDocument
import TestSupport
import Testing

@testable import DevicePlatform

extension KnownFile {
  /// Device requests of other implementations.
  static var deviceRequests: KnownFile {
    KnownFile(
      "device_requests", count: 5,
      [
        "DeviceRequest": { entry in
          #expect(entry["expect"]?.text == "valid")
          expectInspected(entry, try entry.bytes("hex"), as: "DeviceRequest")
          try expectAsks(try entry.bytes("hex"), as: entry["expected"], entry)
        }
      ])
  }

  /// Requests that a browser or its platform accepts or refuses.
  static var requestValidation: KnownFile {
    KnownFile(
      "request_validation", count: 48, kind: { "\($0["kind"]?.text ?? ""): \($0["expect"]?.text ?? "")" },
      [
        "org-iso-mdoc request data: accept": { try expectAccepted($0) },
        "org-iso-mdoc request data: reject": { entry in
          let data = try requestData(of: entry)
          let refusal = #expect(throws: SandboxRefusal.self) {
            try RequestSandbox.parse(data, origin: "https://example.com")
          }
          #expect(refusal != nil && refusal?.check != .worker)
        },
      ])
  }

  /// A browser passes it on, and the platform reads it, unless it requests elements without a name.
  private static func expectAccepted(_ entry: Vector) throws {
    let data = try requestData(of: entry)
    _ = try DigitalCredentialGetRequest(protocol: "org-iso-mdoc", data: data)
    if entry.identifier == "bstr-element-key" {
      // A browser does not check that identifiers are texts (ISO/IEC 18013-5, 8.3.2.1.2.1); a wallet must.
      let refusal = #expect(throws: SandboxRefusal.self) {
        try RequestSandbox.parse(data, origin: "https://example.com")
      }
      #expect(refusal?.check == .deviceRequest)
    } else {
      _ = try RequestSandbox.parse(data, origin: "https://example.com")
    }
  }

  /// The JSON of a case; one case is only described, because of its size.
  private static func requestData(of entry: Vector) throws -> [UInt8] {
    if entry["data_description"] != nil {
      #expect(entry.identifier == "malformed-1MiB")
      let text = String(repeating: "A", count: 1 << 20)
      return Array(#"{"deviceRequest":"\#(text)","encryptionInfo":"\#(text)"}"#.utf8)
    }
    return [UInt8](try JSONSerialization.data(withJSONObject: foundationObject(try #require(entry["data"]))))
  }

  private static func foundationObject(_ json: JSON) -> Any {
    switch json {
    case .null: NSNull()
    case .boolean(let value): value
    case .number(let value): value
    case .text(let text): text
    case .array(let items): items.map(foundationObject)
    case .object(let members): members.mapValues(foundationObject)
    }
  }
}

/// Expects that a device request has the elements and the encoding of a vector.
func expectAsks(_ bytes: [UInt8], as expected: JSON?, _ entry: Vector) throws {
  let request = try UnverifiedDeviceRequest(bytes)
  expectEncoding(entry, try CBORReader.read(bytes).deviations)
  #expect(request.version == expected?["version"]?.text)
  let documents = try #require(expected?["docs"]?.array)
  let contents = try request.unverifiedContents()
  #expect(contents.documentRequests.map(\.documentType) == documents.map { $0["docType"]?.text })
  for (asked, printed) in zip(contents.documentRequests, documents) {
    let nameSpaces = printed["elements"]?.object ?? [:]
    #expect(Set(asked.nameSpaces.map(\.name)) == Set(nameSpaces.keys))
    for space in asked.nameSpaces {
      let found = space.elements.map { ($0.identifier, JSON.boolean($0.intentToRetain)) }
      #expect(nameSpaces[space.name]?.object == Dictionary(uniqueKeysWithValues: found))
    }
  }
  let names = Set(try CBORReader.read(bytes, readingEmbedded: false).map().map { try $0.key.text() })
  #expect(names == Set((expected?["keys"]?.array ?? []).compactMap(\.text)))
  #expect((contents.deviceRequestInfo != nil) == (expected?["deviceRequestInfo"] != nil))
  let isSigned = expected?["readerAuthAll"] != nil || documents.contains { $0["readerAuth"] != nil }
  #expect(request.isSigned == isSigned)
}
