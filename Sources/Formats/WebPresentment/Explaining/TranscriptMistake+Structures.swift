import CBOR
import Checks
import MobileDocument
import Primitives

/// Mistakes in the structure of handover and transcript.
extension TranscriptMistake {
  /// Markers that are taken for the one of the handover: protocol identifiers and spellings of the same word.
  static let otherMarkers = ["org-iso-mdoc", "org.iso.mdoc", "DCAPI", "dc-api", "DCAPIHandover"]

  func structureTranscripts(from inputs: TranscriptInputs) -> [WrongTranscript] {
    let right = inputs.sessionTranscript.encoded
    let text = TranscriptParts.text(inputs.encryptionInfoText)
    let origin = TranscriptParts.text(inputs.origin)
    let info = TranscriptParts.info(text, origin)
    let digest = TranscriptParts.digest(info)
    switch self {
    case .tagged:
      return [whole(TranscriptParts.embedded(right), "[null, null, Handover]", "24(<< [null, null, Handover] >>)")]
    case .byteString:
      return [whole(TranscriptParts.byteString(right), "[null, null, Handover]", "<< [null, null, Handover] >>")]
    case .hashed:
      let hashed = TranscriptParts.digest(right)
      return [
        WrongTranscript(
          self, encoded: TranscriptParts.byteString(hashed), info: hashed,
          [CheckResult.Evidence("session transcript", expected: "\(right.count) bytes", found: "its SHA-256, 32 bytes")]
        )
      ]
    case .handoverOnly:
      return [
        whole(TranscriptParts.handover(TranscriptParts.byteString(digest)), "[null, null, Handover]", "Handover")
      ]
    case .absent:
      return [
        WrongTranscript(
          self, encoded: TranscriptParts.null, info: [],
          [CheckResult.Evidence("session transcript", expected: "\(right.count) bytes", found: "nothing")])
      ]
    case .infoSwapped:
      let swapped = TranscriptParts.info(origin, text)
      return [
        WrongTranscript(
          self, encoded: TranscriptParts.transcript(handoverInfo: swapped),
          [
            CheckResult.Evidence(
              "dcapiInfo", expected: "[encryption information, origin]", found: "[origin, encryption information]")
          ])
      ]
    case .infoNotHashed:
      return [info, TranscriptParts.byteString(info)].map { item in
        handover(
          TranscriptParts.handover(item), "[\"dcapi\", SHA-256 of dcapiInfo]",
          item == info ? "[\"dcapi\", dcapiInfo]" : "[\"dcapi\", << dcapiInfo >>]")
      }
    case .digestAsText:
      return [
        (hexadecimal(digest), "hexadecimal"), (Base64URL.encode(digest), "base64url"),
        (hexadecimal(digest).uppercased(), "upper-case hexadecimal"),
      ].map { text, name in
        handover(
          TranscriptParts.handover(TranscriptParts.text(text)), "[\"dcapi\", 32 bytes]",
          "[\"dcapi\", \(text.utf8.count) characters of \(name)]")
      }
    case .marker:
      return Self.otherMarkers.map { marker in
        handover(
          TranscriptParts.handover(marker: marker, TranscriptParts.byteString(digest)), "[\"dcapi\", …]",
          "[\"\(marker)\", …]")
      }
    case .encryptionParameters:
      guard let parsed = inputs.parsed else { return [] }
      let transcript = TranscriptParts.transcript(
        handover: TranscriptParts.handover(TranscriptParts.byteString(digest)),
        second: TranscriptParts.embedded(parsed.parameters))
      return [whole(transcript, "[null, null, Handover]", "[null, EncryptionParametersBytes, Handover]")]
    case .anotherSession:
      return inputs.otherSessions.map { session in
        WrongTranscript(
          self,
          encoded: EncryptionInfo.sessionTranscript(
            encryptionInfoText: session.encryptionInfoText, origin: session.origin
          ).encoded,
          [CheckResult.Evidence("session", expected: "this one", found: session.identifier)])
      }
    default: return []
    }
  }

  private func whole(_ encoded: [UInt8], _ expected: String, _ found: String) -> WrongTranscript {
    WrongTranscript(
      self, encoded: encoded, [CheckResult.Evidence("session transcript", expected: expected, found: found)])
  }

  private func handover(_ encoded: [UInt8], _ expected: String, _ found: String) -> WrongTranscript {
    WrongTranscript(
      self, encoded: TranscriptParts.transcript(handover: encoded),
      [CheckResult.Evidence("handover", expected: expected, found: found)])
  }
}
