import CBOR
import COSE
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment
import X509

@Suite("Request sandbox", .crossChecked)
struct SandboxTests {
  private static let origin = "https://rentals.example"
  private static let items = ItemsRequest(
    documentType: DocumentType.licence,
    nameSpaces: [
      ItemsRequest.NameSpace(
        "org.iso.18013.5.1",
        [
          ItemsRequest.Element("given_name", intentToRetain: true),
          ItemsRequest.Element("portrait", intentToRetain: false),
        ])
    ], issuerIdentifiers: [[1, 2]])

  private static func info(nonce: Int = 16) throws -> EncryptionInfo {
    let key = try fixedAgreementKey(8)
    return EncryptionInfo(nonce: [UInt8](repeating: 9, count: nonce), recipientPublicKey: key.publicKey)
  }

  private static func json(_ deviceRequest: [UInt8], info: String? = nil) throws -> [UInt8] {
    RequestData(
      deviceRequest: Base64URL.encode(deviceRequest), encryptionInfo: try info ?? Self.info().text
    ).json
  }

  private static func deviceRequest(
    _ version: DeviceRequestDraft.Version = .second, signedBy chains: [[Certificate]] = [], for origin: String = origin
  ) throws -> [UInt8] {
    let readers = try Readers.shared
    return try DeviceRequestDraft(version: version, documents: [items])
      .encoded(signedFor: chains.map(readers.reader), over: info().sessionTranscript(origin: origin))
  }

  private func refusal(_ data: [UInt8], origin: String = origin) -> SandboxFinding? {
    do throws(SandboxRefusal) {
      _ = try RequestSandbox.parse(data, origin: origin)
      return nil
    } catch {
      return error.finding
    }
  }

  @Test("Parses a valid request with its certificate chains", arguments: 0...2)
  func honest(signatures: Int) throws {
    let readers = try Readers.shared
    let chains = [readers.ofFirst, readers.ofSecond].prefix(signatures).map { $0 }
    let partial = try RequestSandbox.parse(Self.json(Self.deviceRequest(signedBy: chains)), origin: Self.origin)
    let expected = Request(
      presentmentRequests: [
        Request.PresentmentRequest(
          documentRequestSets: [
            Request.DocumentRequestSet(requests: [
              Request.DocumentRequest(
                documentType: DocumentType.licence,
                namespaces: [
                  "org.iso.18013.5.1": [
                    "given_name": Request.ElementInfo(isRetaining: true),
                    "portrait": Request.ElementInfo(isRetaining: false),
                  ]
                ], issuerKeyIdentifiers: [Data([1, 2])])
            ])
          ], isMandatory: true)
      ],
      requestAuthentications: chains.map(Request.RequestAuthentication.init(authenticationCertificateChain:)))
    #expect(partial.request == expected)
    #expect(partial.findings.isEmpty)
  }

  @Test("A request without use cases asks for all its documents at once")
  func withoutUseCases() throws {
    let readers = try Readers.shared
    let draft = DeviceRequestDraft(version: .first, documents: [Self.items, Self.items])
    let bytes = try draft.encoded(
      signedFor: [readers.reader(readers.ofFirst)], over: Self.info().sessionTranscript(origin: Self.origin))
    let request = try RequestSandbox.parse(Self.json(bytes), origin: Self.origin).request
    #expect(request.presentmentRequests.map(\.isMandatory) == [true])
    #expect(request.presentmentRequests.first?.documentRequestSets.map(\.requests.count) == [2])
    // One reader signed each document, and so covers all of them.
    #expect(request.requestAuthentications.map(\.authenticationCertificateChain) == [readers.ofFirst])
  }

  @Test("The authenticated part equals the raw request")
  func agreesWithRaw() throws {
    let bytes = try Self.deviceRequest(signedBy: [Readers.shared.ofFirst])
    let partial = try RequestSandbox.parse(Self.json(bytes), origin: Self.origin).request
    #expect(try partial.agrees(with: UnverifiedDeviceRequest(bytes).unverifiedContents()))
    let unsigned = try UnverifiedDeviceRequest(Self.deviceRequest()).unverifiedContents()
    #expect(!partial.agrees(with: unsigned))
  }

  @Test("Refuses a request signed for another origin, and shows the origin")
  func otherOrigin() throws {
    let data = try Self.json(Self.deviceRequest(signedBy: [Readers.shared.ofFirst], for: "https://evil.example"))
    let refusal = #expect(throws: SandboxRefusal.self) { try RequestSandbox.parse(data, origin: Self.origin) }
    #expect(refusal?.check == .readerSignature)
    #expect(refusal?.evidence.contains(CheckResult.Evidence("origin", found: Self.origin)) == true)
  }

  @Test("Refuses a request without an origin", arguments: ["", "null"])
  func noOrigin(origin: String) throws {
    #expect(refusal(try Self.json(Self.deviceRequest()), origin: origin) == SandboxFinding(.origin))
  }

  /// A device request with one document whose items are given as bytes, with an invalid signature.
  private static func forged(items: [UInt8], version: String = "1.1", chain: [Certificate]) throws -> [UInt8] {
    let signature = try COSESign1.sign(
      payload: [0], detached: true, x5chain: chain.map { try $0.derEncoded() }, with: Readers.shared.key)
    return CBORWriter.encode { writer in
      writer.map(3)
      writer.text("version")
      writer.text(version)
      writer.text("docRequests")
      writer.array(1)
      writer.map(1)
      writer.text("itemsRequest")
      writer.embedded(items)
      writer.text("readerAuthAll")
      writer.array(1)
      writer.encoded(signature)
    }
  }

  @Test("Each stage refuses before the next one starts")
  func order() throws {
    let chain = try Readers.shared.ofFirst
    let shortNonce = try Self.info(nonce: 15).text
    let malformed = try Self.forged(items: [0xff], chain: chain)
    let unsigned = CBORValue.textMap([
      ("version", .text("1.0")), ("docRequests", .array([.textMap([("itemsRequest", .tagged(24, .bytes([0xff])))])])),
    ])
    let large = [UInt8](repeating: 0x20, count: RequestLimit.data.maximum + 1)
    let tooLong = [UInt8](repeating: 0, count: RequestLimit.deviceRequest.maximum + 1)
    let rows: [(String, [UInt8], String, SandboxFinding)] = [
      ("too large, whatever it holds and wherever it is from", large, "", SandboxFinding(.limits, .limit(.data))),
      ("no origin, whatever it holds", Array("{".utf8), "", SandboxFinding(.origin)),
      ("no JSON", Array("{".utf8), Self.origin, SandboxFinding(.requestData)),
      (
        "no base64url, before the encryption information",
        RequestData(deviceRequest: "a=", encryptionInfo: "").json, Self.origin, SandboxFinding(.requestData)
      ),
      (
        "bad encryption information, after the device request", try Self.json(Self.deviceRequest(), info: "AA"),
        Self.origin, SandboxFinding(.encryptionInfo)
      ),
      (
        "a short nonce", try Self.json(Self.deviceRequest(), info: shortNonce), Self.origin,
        SandboxFinding(.encryptionInfo)
      ),
      (
        "no CBOR, before the encryption information", try Self.json([0xff], info: "AA"), Self.origin,
        SandboxFinding(.deviceRequest)
      ),
      ("a long device request", try Self.json(tooLong), Self.origin, SandboxFinding(.limits, .limit(.deviceRequest))),
      (
        "an unknown version, before the signature",
        try Self.json(Self.forged(items: [0xff], version: "2.0", chain: chain)), Self.origin, SandboxFinding(.version)
      ),
      (
        "no certificate, before the signature", try Self.json(Self.forged(items: [0xff], chain: [])), Self.origin,
        SandboxFinding(.readerCertificate)
      ),
      (
        "a bad signature over malformed items: the signature", try Self.json(malformed), Self.origin,
        SandboxFinding(.readerSignature)
      ),
      (
        "no signature over malformed items: the items", try Self.json(unsigned.encoded), Self.origin,
        SandboxFinding(.deviceRequest)
      ),
    ]
    for (name, data, origin, check) in rows { #expect(refusal(data, origin: origin) == check, "\(name)") }
  }

  @Test("Omits a signature of an unknown kind with a finding")
  func unknownKind() throws {
    let map = try CBORReader.read(Self.deviceRequest(signedBy: [Readers.shared.ofFirst]), readingEmbedded: false).map()
    let entries = try map.map { entry in
      var value = CBORValue(entry.value)
      if try entry.key.text() == "readerAuthAll" {
        var parts = try entry.value.array().at(0).array().map { CBORValue($0) }
        parts[0] = .bytes([0xa1, 0x01, 0x38, 0x2e])
        value = .array([.array(parts)])
      }
      return CBORValue.Entry(CBORValue(entry.key), value)
    }
    let partial = try RequestSandbox.parse(Self.json(CBORValue.map(entries).encoded), origin: Self.origin)
    #expect(partial.request.requestAuthentications.isEmpty && partial.findings.count == 1)
  }

  @Test("Damaged bytes give a request or a refusal")
  func damage() throws {
    let bytes = try Self.deviceRequest(signedBy: [Readers.shared.ofFirst])
    let honest = try RequestSandbox.parse(Self.json(bytes), origin: Self.origin).request.presentmentRequests
    for (position, damaged) in Damage.sample(of: bytes, seed: 12).enumerated() where position % 3 == 0 {
      let data = try Self.json(damaged)
      do throws(SandboxRefusal) {
        let partial = try RequestSandbox.parse(data, origin: Self.origin)
        #expect(partial.request.presentmentRequests == honest)
      } catch {
        let bounds = RequestLimit.allCases.map { SandboxFinding(.limits, .limit($0)) }
        #expect(
          (bounds + [.deviceRequest, .version, .readerSignature, .readerCertificate].map { SandboxFinding($0) })
            .contains(error.finding))
      }
    }
    for damaged in Damage.truncations(of: try Self.json(bytes)) where damaged.count % 7 == 0 {
      #expect(refusal(damaged) == SandboxFinding(.requestData))
    }
  }

  @Test("The validator accepts a URL as the origin and wraps the refusal")
  func validator() throws {
    let validator = IdentityDocumentWebPresentmentRawRequestValidator()
    let data = Data(try Self.json(Self.deviceRequest(signedBy: [Readers.shared.ofFirst])))
    for text in ["https://rentals.example", "https://rentals.example/"] {
      let origin = try #require(URL(string: text))
      #expect(
        try validator.validateISO18013MobileDocumentRequest(data, origin: origin).requestAuthentications.count == 1)
    }
    let other = try #require(URL(string: "https://evil.example"))
    let error = #expect(throws: IdentityDocumentPresentmentError.self) {
      try validator.validateISO18013MobileDocumentRequest(data, origin: other)
    }
    #expect(error?.code == .invalidRequest && error?.debugDescription.contains("sandbox.reader-signature") == true)
  }

  @Test("Every declared finding has a name of its own and a description")
  func findings() {
    let names = SandboxFinding.all.map(\.name) + SelectorFinding.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in SandboxFinding.all.map(\.name) { #expect(SandboxFinding(name: name)?.name == name) }
    #expect(SandboxFinding.all.allSatisfy { !$0.message.isEmpty } && SandboxFinding(name: "sandbox.limits") == nil)
  }
}
