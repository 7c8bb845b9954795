import CBOR
import Crypto
import TestSupport
import Testing

extension KnownFile {
  /// Transcripts of the related handovers. If the inputs of one are not published, its parts are read.
  static var sessionTranscripts: KnownFile {
    KnownFile(
      "session_transcripts", count: 6, kind: { $0["handover"] == nil ? "by its rule" : "by its parts" },
      reading: ["device_responses"],
      [
        "by its rule": { entry in
          expectInspected(entry, try entry.bytes("hex"), as: "SessionTranscript")
          let made = try Handover(entry).transcript
          #expect(made == (try entry.bytes("hex")))
        },
        "by its parts": { entry in
          expectInspected(entry, try entry.bytes("hex"), as: "SessionTranscript")
          let item = try CBORReader.read(entry.bytes("hex"))
          let array = try item.array(count: 3)
          #expect(try array.at(0).isNull && array.at(1).isNull)
          #expect(isPrinted(CBORValue(try array.at(2)), try #require(entry["handover"])))
          // A response of the other file was signed over it.
          let claim = try #require(entry["verified"]?.array?.first?.text)
          let words = claim.split(separator: " ")
          let name = try #require(words.first { $0.hasPrefix("longfellow-") })
          let response = try Vectors.entry(String(name), of: "device_responses.json")
          #expect(try response.bytes("session_transcript_hex") == entry.bytes("hex"))
        },
      ])
  }
}

/// A rule of a vector without an implementation here.
private struct UnknownRule: Error, CustomStringConvertible {
  let description: String
}

/// A handover of OpenID4VP, made from its inputs.
private struct Handover {
  let handover: CBORValue

  init(_ entry: Vector) throws {
    func input(_ name: String) throws -> CBORValue { .text(try #require(entry["inputs"]?[name]?.text)) }
    func digest(_ items: CBORValue...) -> CBORValue {
      .bytes(Array(SHA256.hash(data: CBORValue.array(items).encoded)))
    }
    let thumbprint = CBORValue.bytes(try hexadecimalBytes(entry["inputs"]?["jwk_thumbprint_hex"] ?? .text("")))
    switch entry.identifier {
    case "openid4vp-1.0-dcapi":
      handover = .array([
        .text("OpenID4VPDCAPIHandover"), digest(try input("origin"), try input("nonce"), thumbprint),
      ])
    case "openid4vp-1.0-redirect":
      handover = .array([
        .text("OpenID4VPHandover"),
        digest(try input("client_id"), try input("nonce"), thumbprint, try input("response_uri")),
      ])
    case "openid4vp-draft24-dcapi":
      handover = .array([
        .text("OpenID4VPDCAPIHandover"), digest(try input("origin"), try input("client_id"), try input("nonce")),
      ])
    case "openid4vp-draft18":
      let nonce = try input("mdoc_generated_nonce")
      handover = .array([
        digest(try input("client_id"), nonce), digest(try input("response_uri"), nonce), try input("nonce"),
      ])
    case let other: throw UnknownRule(description: "nothing is known of the rule of \(other)")
    }
  }

  var transcript: [UInt8] { CBORValue.array([.null, .null, handover]).encoded }
}
