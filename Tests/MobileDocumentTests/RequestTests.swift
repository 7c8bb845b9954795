import CBOR
import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Device requests", .crossChecked)
struct RequestTests {
  private static let documents = [
    Spaceport.request(["family_name", "age_over_21"]),
    Spaceport.request(["portrait"], documentType: "org.example.photo"),
  ]

  private func reader(_ certificate: Certificate) throws -> DeviceRequestDraft.Reader {
    DeviceRequestDraft.Reader(signer: try Spaceport.shared.readerKey, chain: [try certificate.derEncoded()])
  }

  private func readers(_ count: Int) throws -> [DeviceRequestDraft.Reader] {
    let port = try Spaceport.shared
    return try [port.reader, port.otherReader].prefix(count).map(reader)
  }

  private func encoded(
    _ version: DeviceRequestDraft.Version, readers count: Int, documents: [ItemsRequest] = documents,
    useCases: [DeviceRequestInfo.UseCase] = []
  ) throws -> [UInt8] {
    try DeviceRequestDraft(version: version, documents: documents, useCases: useCases)
      .encoded(signedFor: readers(count), over: Spaceport.shared.transcript)
  }

  @Test("a 1.1 request authenticates for each of its readers", arguments: [0, 1, 2])
  func secondEdition(count: Int) throws {
    let port = try Spaceport.shared
    let request = try UnverifiedDeviceRequest(encoded(.second, readers: count))
    #expect(request.version == "1.1" && request.isSigned == (count > 0))
    let found = try request.authenticate(over: port.transcript)
    #expect(found.documentRequests.map(\.value) == Self.documents)
    #expect(found.deviceRequestInfo == .all(documents: 2))
    #expect(found.readerAuthentications.map(\.leaf) == Array([port.reader, port.otherReader].prefix(count)))
    #expect(found.readerAuthentications.allSatisfy { $0.coverage == .all })
    #expect(found.readerAuthentications(covering: 1).count == count)
    #expect(found.findings.isEmpty)
  }

  @Test("a 1.0 request authenticates document by document for one reader", arguments: [0, 1, 2])
  func firstEdition(count: Int) throws {
    let port = try Spaceport.shared
    let request = try UnverifiedDeviceRequest(encoded(.first, readers: count))
    #expect(request.version == "1.0" && request.isSigned == (count > 0))
    let found = try request.authenticate(over: port.transcript)
    #expect(found.documentRequests.map(\.value) == Self.documents && found.deviceRequestInfo == nil)
    #expect(found.readerAuthentications.map(\.coverage) == (count == 0 ? [] : [.document(0), .document(1)]))
    #expect(found.readerAuthentications.allSatisfy { $0.leaf == port.reader })
    #expect(found.readerAuthentications(covering: 1).map(\.coverage) == (count == 0 ? [] : [.document(1)]))
  }

  @Test("over another transcript a signed request is refused and an unsigned one is not")
  func otherTranscript() throws {
    let other = try Spaceport.shared.otherTranscript
    for version in [DeviceRequestDraft.Version.first, .second] {
      for count in 0...2 {
        let request = try UnverifiedDeviceRequest(encoded(version, readers: count))
        let code = refusal { _ = try request.authenticate(over: other) }
        #expect(code == (count == 0 ? nil : .readerSignature))
      }
    }
  }

  @Test("use cases and accepted issuers are kept")
  func contents() throws {
    let useCases = [
      DeviceRequestInfo.UseCase(isMandatory: true, documentSets: [[0], [1]]),
      DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[0, 1]]),
    ]
    let documents = [
      ItemsRequest(
        documentType: "a",
        nameSpaces: [
          ItemsRequest.NameSpace("s", [ItemsRequest.Element("e", intentToRetain: true)]),
          ItemsRequest.NameSpace("t", [ItemsRequest.Element("f", intentToRetain: false)]),
        ], issuerIdentifiers: [[1, 2], [3]]), Self.documents[0],
    ]
    let contents = try UnverifiedDeviceRequest(
      encoded(.second, readers: 1, documents: documents, useCases: useCases)
    ).unverifiedContents()
    #expect(contents.documentRequests == documents)
    #expect(contents.deviceRequestInfo == DeviceRequestInfo(useCases: useCases))
    #expect(contents.chains == [[try Spaceport.shared.reader]])
  }

  @Test("readerAuth and readerAuthAll can be combined, and each must verify")
  func bothSignatures() throws {
    let port = try Spaceport.shared
    let all = try CBORReader.read(encoded(.second, readers: 1), readingEmbedded: false).map()
    let each = try CBORReader.read(encoded(.first, readers: 1), readingEmbedded: false).map()
    func request(_ documents: CBORItem) throws -> UnverifiedDeviceRequest {
      try UnverifiedDeviceRequest(
        CBORWriter.encode { writer in
          writer.map(4)
          for (key, value) in all {
            writer.encoded(Array(key.encoded))
            writer.encoded(Array((try? key.text()) == "docRequests" ? documents.encoded : value.encoded))
          }
        })
    }
    let found = try request(each.required("docRequests")).authenticate(over: port.transcript)
    #expect(found.readerAuthentications.map(\.coverage) == [.all, .document(0), .document(1)])
    #expect(found.readerAuthentications(covering: 1).map(\.name) == ["readerAuthAll[0]", "docRequests[1].readerAuth"])

    var swapped = try each.required("docRequests").array().map { CBORValue($0) }
    swapped.swapAt(0, 1)
    let reordered = try CBORReader.read(CBORValue.array(swapped).encoded)
    #expect(refusal { _ = try request(reordered).authenticate(over: port.transcript) } == .readerSignature)
  }

  @Test("a reader that signed every document counts for the whole request; one that signed some does not")
  func readersOfAll() throws {
    let port = try Spaceport.shared
    let each = try UnverifiedDeviceRequest(encoded(.first, readers: 1)).authenticate(over: port.transcript)
    #expect(each.readersOfAll.map(\.leaf) == [port.reader])
    let all = try UnverifiedDeviceRequest(encoded(.second, readers: 2)).authenticate(over: port.transcript)
    #expect(all.readersOfAll.map(\.leaf) == [port.reader, port.otherReader])

    let map = try CBORReader.read(encoded(.first, readers: 1), readingEmbedded: false).map()
    var documents = try map.required("docRequests").array().map { CBORValue($0) }
    let last = try map.required("docRequests").array().at(1).map().required("itemsRequest")
    documents[1] = .textMap([("itemsRequest", CBORValue(last))])
    let some = CBORValue.textMap([("version", .text("1.0")), ("docRequests", .array(documents))])
    let found = try UnverifiedDeviceRequest(some.encoded).authenticate(over: port.transcript)
    #expect(found.readerAuthentications.count == 1 && found.readersOfAll.isEmpty)
  }

  @Test("null in place of new members is accepted from old readers")
  func nulls() throws {
    let item = EncodedCBOR(Self.documents[0], encodedAs: Self.documents[0].encoded).bytes
    let bytes = CBORWriter.encode { writer in
      writer.map(4)
      writer.text("version")
      writer.text("1.0")
      writer.text("docRequests")
      writer.array(1)
      writer.map(1)
      writer.text("itemsRequest")
      writer.encoded(item)
      writer.text("readerAuthAll")
      writer.null()
      writer.text("deviceRequestInfo")
      writer.null()
    }
    let request = try UnverifiedDeviceRequest(bytes)
    #expect(!request.isSigned)
    #expect(try request.unverifiedContents().deviceRequestInfo == nil)
  }

  @Test("a signature with an unsupported algorithm or curve is omitted with a finding")
  func unknownKinds() throws {
    let port = try Spaceport.shared
    for (algorithm, isLeftOut) in [(-47, true), (-257, true), (-35, false), (-8, false)] {
      let protected = CBORValue.map([CBORValue.Entry(.integer(1), .integer(algorithm))]).encoded
      let request = try altered(signature: { parts in parts[0] = .bytes(protected) })
      let code = refusal { _ = try request.authenticate(over: port.transcript) }
      #expect(code == (isLeftOut ? nil : .readerSignature), "\(algorithm)")
      guard isLeftOut else { continue }
      let found = try request.authenticate(over: port.transcript)
      #expect(found.readerAuthentications.isEmpty && found.findings.map(\.status) == [.deviates])
      #expect(found.findings.first?.message.hasPrefix("left out") == true)
    }
  }

  @Test("a signature with an unsupported kind of certificate is omitted with a finding")
  func unknownCurve() throws {
    let port = try Spaceport.shared
    let brainpool = try Rewritten.identifier([1, 3, 36, 3, 3, 2, 8, 1, 1, 7])
    let key = try Rewritten.key([1, 2, 840, 10045, 2, 1], brainpool, bits: [4] + [UInt8](repeating: 1, count: 64))
    let certificate = try Rewritten.certificate(port.reader, [6: key])
    let whole = try port.reader.derEncoded()
    for chain in [CBORValue.bytes(certificate), .array([.bytes(whole), .bytes(certificate)])] {
      let request = try altered(signature: { $0[1] = .map([CBORValue.Entry(.integer(33), chain)]) })
      let found = try request.authenticate(over: port.transcript)
      #expect(found.readerAuthentications.isEmpty && found.findings.count == 1)
      #expect(found.findings.first?.message.contains("brainpoolP256r1, an unsupported curve") == true)
      #expect(found.findings.first?.evidence.map(\.found) == [CertificateRule.keySupport.name])
      #expect(try request.unverifiedContents().chains.isEmpty)
    }
  }

  @Test("a reader may sign with Ed25519")
  func edwards() throws {
    let port = try Spaceport.shared
    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 9, count: 32))
    var blueprint = try CertificateBlueprint(.reader, issuer: port.readers)
    blueprint.isEd25519 = true
    blueprint.edwardsKey = key
    let certificate = try blueprint.made(by: port.readers.root, key: fixedKey(4))
    let protected = CBORValue.map([CBORValue.Entry(.integer(1), .integer(-8))]).encoded
    func request(_ signature: [UInt8]) throws -> UnverifiedDeviceRequest {
      let chain = CBORValue.bytes(try certificate.derEncoded())
      return try altered(signature: { parts in
        parts[0] = .bytes(protected)
        parts[1] = .map([CBORValue.Entry(.integer(33), chain)])
        parts[3] = .bytes(signature)
      })
    }
    let unsigned = try request([UInt8](repeating: 0, count: 64))
    #expect(refusal { _ = try unsigned.authenticate(over: port.transcript) } == .readerSignature)
    let message = try COSESign1(
      CBORReader.read(
        CBORValue.array([.bytes(protected), .map([]), .null, .bytes([])]).encoded)
    ).signedBytes(payload: unsigned.readerAuthenticationAllBytes(over: port.transcript))
    let signed = try request([UInt8](key.signature(for: message)))
    let found = try signed.authenticate(over: port.transcript)
    #expect(found.readerAuthentications.first?.leaf == certificate && found.findings.isEmpty)
  }

  @Test("a signature without a readable chain is refused for that reason")
  func certificates() throws {
    let port = try Spaceport.shared
    let large = CBORValue.bytes([UInt8](repeating: 0x30, count: CertificateLimits.bytes + 1))
    for (chain, code) in [
      (nil, .readerCertificate), (.array([]), .readerCertificate), (.bytes([]), .readerCertificate),
      (.bytes([0x30, 0x00]), .readerCertificate), (large, .limit),
      (.array([.bytes(try port.reader.derEncoded()), .bytes([1])]), .readerCertificate),
    ] as [(CBORValue?, DeviceRequestError.Code)] {
      let headers = chain.map { [CBORValue.Entry(.integer(33), $0)] } ?? []
      #expect(
        refusal {
          _ = try altered(signature: { $0[1] = .map(headers) }).authenticate(over: port.transcript)
        } == code)
    }
  }

  @Test("chains in other headers are accepted with a finding")
  func deviations() throws {
    let port = try Spaceport.shared
    let chain = CBORValue.array([.bytes(try port.reader.derEncoded())])
    let request = try altered(signature: { $0[1] = .map([CBORValue.Entry(.integer(33), chain)]) })
    let found = try request.authenticate(over: port.transcript)
    #expect(found.readerAuthentications.count == 1)
    #expect(found.findings.map(\.name) == ["reader.signature/form"])
    #expect(found.findings.first?.message.hasSuffix(": cose.chain-of-one-as-array") == true)
  }

  /// A request whose one readerAuthAll was changed after signing.
  private func altered(signature change: (inout [CBORValue]) -> Void) throws -> UnverifiedDeviceRequest {
    let map = try CBORReader.read(encoded(.second, readers: 1), readingEmbedded: false).map()
    let entries = try map.map { entry in
      guard try entry.key.text() == "readerAuthAll" else {
        return CBORValue.Entry(CBORValue(entry.key), CBORValue(entry.value))
      }
      var parts = try entry.value.array().at(0).array().map { CBORValue($0) }
      change(&parts)
      return CBORValue.Entry(CBORValue(entry.key), .array([.array(parts)]))
    }
    return try UnverifiedDeviceRequest(CBORValue.map(entries).encoded)
  }

  @Test(
    "no altered byte of a signed request authenticates other contents or another reader",
    arguments: [DeviceRequestDraft.Version.first, .second])
  func everyByte(version: DeviceRequestDraft.Version) async throws {
    let port = try Spaceport.shared
    let documents = [Self.documents[0]]
    let whole = try encoded(version, readers: 1, documents: documents)
    let honest = try UnverifiedDeviceRequest(whole).authenticate(over: port.transcript)
    let trusted = TrustedCertificates([try port.readers.root], for: .reader)
    var generator = SeededGenerator(seed: 10)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      let found: AuthenticatedDeviceRequest
      do throws(DeviceRequestError) {
        found = try UnverifiedDeviceRequest(bytes).authenticate(over: port.transcript)
      } catch {
        #expect(!error.message.isEmpty)
        continue
      }
      // A changed outer key is an unknown member: its value is ignored and not replaced.
      #expect(found.documentRequests.map(\.value) == documents, "byte \(place)")
      guard let chain = found.readerAuthentications.first?.chain else { continue }
      #expect(found.deviceRequestInfo == honest.deviceRequestInfo, "byte \(place)")
      // A reader's signature does not cover the certificate that came with it; its issuer's does.
      if chain != honest.readerAuthentications.first?.chain, case .success = await trusted.validate(chain, at: port.now)
      {
        Issue.record("byte \(place) of the certificate does not count")
      }
    }
  }

  @Test("no truncated request is read")
  func truncations() throws {
    for bytes in Damage.truncations(of: try encoded(.second, readers: 2)) {
      #expect(refusal { _ = try UnverifiedDeviceRequest(bytes) } == .malformed)
    }
  }
}
