import CBOR
import Crypto
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import TranscriptDiagnosis
@testable import WebPresentment

@Suite("Variants of a session transcript")
struct TranscriptVariantTests {
  @Test("each variant makes a transcript of its own", arguments: TranscriptVariant.allCases)
  func distinct(_ variant: TranscriptVariant) throws {
    let inputs = try richInputs()
    let own = variant.transcripts(from: inputs)
    #expect(own.isEmpty == impossibleMistakes.contains(variant))
    let earlier = TranscriptVariant.allCases.prefix { $0 != variant }.flatMap { $0.transcripts(from: inputs) }
    for wrong in own {
      #expect(wrong.variant == variant)
      #expect(wrong.info != inputs.sessionTranscript.encoded)
      #expect(!earlier.contains { $0.info == wrong.info || $0.encoded == wrong.encoded })
      let evidence = wrong.differences
      #expect(evidence.count == 1 && evidence.allSatisfy { $0.expected != nil && $0.found != nil })
      #expect(evidence.allSatisfy { $0.expected != $0.found })
      #expect((try? CBORReader.read(wrong.encoded)) != nil)
    }
  }

  @Test("a missing slash and a default port are tried for origins without them")
  func otherOrigins() throws {
    func found(_ variant: TranscriptVariant, _ origin: String) throws -> String? {
      variant.transcripts(from: try richInputs(origin: origin)).first?.differences.first?.found
    }
    #expect(try found(.originSlashMissing, "https://a.example/") == "https://a.example")
    #expect(try found(.originDefaultPort, "https://a.example") == "https://a.example:443")
    #expect(try found(.originDefaultPort, "http://a.example") == "http://a.example:80")
    #expect(try found(.originPortMissing, "https://[::1]:7") == "https://[::1]")
    #expect(try found(.originPortMissing, "https://[::1]") == nil)
    #expect(try found(.originScheme, "http://a.example:8080") == "https://a.example:8080")
    #expect(try found(.originWWW, "https://www.a.example") == "https://a.example")
    #expect(try found(.originWWW, "https://a.example") == "https://www.a.example")
    #expect(try found(.originLetterCase, "https://a.example") == "https://A.EXAMPLE")
    #expect(try found(.originHostEncoding, "https://xn--bcher-kva.example") == "https://bücher.example")
    #expect(try found(.originHostEncoding, "https://bücher.example") == "https://xn--bcher-kva.example")
    #expect(try found(.originHostEncoding, "https://a.example") == nil)
    #expect(try found(.originSchemeMissing, "https://a.example:7") == "a.example:7")
    #expect(try found(.originPath, "https://a.example") == "https://xn--bcher-kva.example:8443/rent?id=7")
    #expect(try found(.originScheme, "no origin") == nil)
  }

  @Test("text that is not encryption information leaves the variants that do not need it")
  func unreadable() throws {
    let inputs = TranscriptInputs(encryptionInfoText: "=", origin: "https://a.example")
    #expect(TranscriptVariant.encryptionInfoBytes.transcripts(from: inputs).isEmpty)
    #expect(TranscriptVariant.openID4VP.transcripts(from: inputs).isEmpty)
    #expect(!TranscriptVariant.originSlashAdded.transcripts(from: inputs).isEmpty)
  }

  @Test("an encoding that is not the shortest is recognized after encoding it again")
  func reencoded() throws {
    let honest = EncryptionInfo(nonce: Array(0..<16), recipientPublicKey: try fixedAgreementKey(1).publicKey)
    let bytes = try #require(Base64URL.decode(honest.text))
    // The nonce's head in two bytes; one is enough.
    let position = try #require(bytes.firstIndex(of: 0x50))
    let long = Base64URL.encode(bytes[..<position] + [0x58, 0x10] + bytes[(position + 1)...])
    let inputs = TranscriptInputs(encryptionInfoText: long, origin: "https://a.example")
    let transcripts = TranscriptVariant.encryptionInfoReencoded.transcripts(from: inputs)
    #expect(transcripts.first?.transcript == honest.sessionTranscript(origin: "https://a.example"))
  }

  @Test("codes and messages of all variants are distinct")
  func codes() {
    #expect(Set(VariantCodes.all).count == VariantCodes.all.count)
    for code in VariantCodes.all { #expect(VariantCodes.message(of: code)?.isEmpty == false, "\(code)") }
    #expect(VariantCodes.message(of: "device.signature/invalid") == nil)
    let messages = TranscriptVariant.allCases.map(\.message)
    #expect(Set(messages).count == messages.count)
  }

  @Test(
    "host names are converted as in RFC 3492, 7.1",
    arguments: [
      ("xn--bcher-kva", "bücher"), ("xn--ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
      ("xn--egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"), ("a.xn--4ca.b", "a.ä.b"),
    ])
  func punycode(_ ascii: String, _ unicode: String) {
    #expect(Punycode.unicode(host: ascii).map { Array($0.unicodeScalars) } == Array(unicode.unicodeScalars))
    #expect(Punycode.ascii(host: unicode) == ascii)
    #expect(Punycode.ascii(host: ascii) == nil && Punycode.unicode(host: unicode) == nil)
  }

  @Test(
    "an invalid label is left unchanged", arguments: ["xn--\u{e9}", "xn--99999999", "xn--zzzzzzzzzzzzzzzzzz"])
  func brokenLabels(_ label: String) {
    #expect(Punycode.unicode(host: label) == nil)
  }

  @Test("random labels never trap")
  func drawnLabels() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      let label = String(
        (0..<Int.random(in: 0...70, using: &generator)).map { _ in
          "abz059-".randomElement(using: &generator) ?? "a"
        })
      if let unicode = Punycode.unicode(host: "xn--" + label) { #expect(!unicode.isEmpty) }
    }
  }
}

@Suite("Handovers of other protocols", .requiresVectors("session_transcripts"))
struct OtherHandoverTests {
  private static let file = "session_transcripts.json"

  private func text(_ entry: Vector, _ name: String) throws -> String {
    try #require(entry["inputs"]?[name]?.text)
  }

  @Test("every published transcript is computed from its inputs", arguments: Vectors.entries(of: file))
  func published(_ entry: Vector) throws {
    let made: [UInt8]
    switch entry.identifier {
    case "openid4vp-1.0-dcapi":
      made = OtherHandovers.openID4VP(
        origin: try text(entry, "origin"), nonce: try text(entry, "nonce"),
        thumbprint: Hex.decode(try text(entry, "jwk_thumbprint_hex")))
    case "openid4vp-1.0-redirect":
      made = OtherHandovers.openID4VPRedirect(
        client: try text(entry, "client_id"), nonce: try text(entry, "nonce"),
        thumbprint: Hex.decode(try text(entry, "jwk_thumbprint_hex")),
        responseAddress: try text(entry, "response_uri"))
    case "openid4vp-draft24-dcapi":
      made = OtherHandovers.openID4VPDraft(
        origin: try text(entry, "origin"), client: try text(entry, "client_id"), nonce: try text(entry, "nonce"))
    case "openid4vp-draft18":
      made = OtherHandovers.annexB(
        client: try text(entry, "client_id"), responseAddress: try text(entry, "response_uri"),
        nonce: try text(entry, "nonce"), walletNonce: try text(entry, "mdoc_generated_nonce"))
    case "longfellow-0-AndroidHandoverv1":
      let parts = try #require(entry["handover"]?.array).compactMap { $0["hex"]?.text }.compactMap(Hex.decode)
      try #require(parts.count == 3)
      made = OtherHandovers.android(
        nonce: parts[0], package: String(decoding: parts[1], as: UTF8.self), keyDigest: parts[2])
    case "longfellow-6-OpenID4VPDCAPIHandover":
      // Its inputs are not published; only the digest is known.
      let handover = try CBORReader.read(entry.bytes("hex")).array(count: 3).at(2).array(count: 2)
      #expect(try handover.at(0).text() == "OpenID4VPDCAPIHandover" && handover.at(1).bytes().count == 32)
      return
    default:
      Issue.record("no check for \(entry.identifier)")
      return
    }
    #expect(made == (try entry.bytes("hex")))
  }

  @Test("all six vectors are present")
  func count() { #expect(Vectors.entries(of: Self.file).count == 6) }

  @Test("the thumbprint of a key is computed as in RFC 7638")
  func thumbprint() throws {
    let info = EncryptionInfo(nonce: Array(0..<16), recipientPublicKey: try fixedAgreementKey(1).publicKey)
    let parsed = try #require(ParsedEncryptionInfo(text: info.text))
    // Computed with another implementation from the same key.
    let known = "36baa0dfe33f5f0b71fb5b5bb5cd49ed7ba5d83c9e0b46d44b2f6eff93521ba8"
    #expect(Hex.decode(known) == parsed.keyThumbprint)
  }
}
