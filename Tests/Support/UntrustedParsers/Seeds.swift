import CBOR
import COSE
import MobileDocument
import TestSupport

/// Inputs from the vectors; empty without them.
enum Seeds {
  /// The bytes of a member of every entry that has one.
  static func bytes(_ member: String, of file: String, kind: String? = nil) -> [[UInt8]] {
    Vectors.entries(of: "\(file).json")
      .filter { kind == nil || $0["kind"]?.text == kind }
      .compactMap { $0[member]?.text.flatMap(Hex.decode) }
  }

  /// The characters of a member of every entry that has one.
  static func texts(_ member: String, of file: String) -> [[UInt8]] {
    Vectors.entries(of: "\(file).json").compactMap { $0[member]?.text.map { Array($0.utf8) } }
  }

  static func annexD(_ identifiers: String...) -> [[UInt8]] {
    identifiers.compactMap { try? Vectors.entry($0, of: "iso18013_5_annex_d.json").bytes("hex") }
  }

  static var deviceRequests: [[UInt8]] {
    bytes("hex", of: "device_requests") + bytes("device_request_hex", of: "annex_c_dcapi")
      + bytes("hex", of: "iso18013_5_annex_d", kind: "DeviceRequest")
      + bytes("hex", of: "synthetic_annex_c", kind: "DeviceRequest")
  }

  static var deviceResponses: [[UInt8]] {
    bytes("hex", of: "device_responses") + bytes("hex", of: "iso18013_5_annex_d", kind: "DeviceResponse")
      + bytes("plaintext_device_response_hex", of: "annex_c_dcapi") + bytes("plaintext_hex", of: "synthetic_annex_c")
  }

  static var issuedDocuments: [[UInt8]] { bytes("hex", of: "issuer_signed", kind: "IssuerSigned") }

  static var certificates: [[UInt8]] {
    bytes("hex", of: "certificates") + bytes("hex", of: "synthetic_annex_c", kind: "X.509 DER")
      + annexD("cert-iaca", "cert-ds", "cert-reader-root", "cert-reader")
  }

  /// `issuerAuth` of every document.
  static var issuerSignatures: [[UInt8]] {
    issuedDocuments.compactMap { bytes in
      (try? CBORReader.read(bytes, leniency: .received)).flatMap { try? UnverifiedIssuerSigned($0).issuerAuthBytes }
    }
  }

  /// The payloads of those signatures.
  static var securityObjects: [[UInt8]] {
    annexD("mobile-security-object-bytes")
      + issuerSignatures.compactMap { bytes in
        (try? CBORReader.read(bytes, leniency: .received)).flatMap { try? COSESign1($0).unverifiedPayload }
      }
  }

  /// The texts of QR codes for requests across devices.
  static var qrCodes: [[UInt8]] {
    let codes = (try? Vectors.hybridFile("qr.json"))?["real"]?.array ?? []
    return codes.compactMap { $0["url"]?.text.map { Array($0.utf8) } }
  }

  /// The texts of QR codes of mdocs.
  static var proximityQRCodes: [[UInt8]] {
    let codes = (try? Vectors.proximityFile("engagement.json"))?["vectors"]?.array ?? []
    return codes.compactMap { $0["uri"]?.text.map { Array($0.utf8) } }
  }

  /// The handover messages of other implementations.
  static var handovers: [[UInt8]] {
    let entries = (try? Vectors.proximityFile("nfc.json"))?["vectors"]?.array ?? []
    return entries.flatMap { entry in
      ["handoverSelect", "handoverRequest"].compactMap { entry[$0]?.text.flatMap(Hex.decode) }
    }
  }

  /// `data` of requests in JSON.
  static var requestData: [[UInt8]] {
    Vectors.entries(of: "request_validation.json").compactMap { entry in
      guard let request = entry["data"]?["deviceRequest"]?.text, let info = entry["data"]?["encryptionInfo"]?.text
      else { return nil }
      return Array(#"{"deviceRequest":"\#(request)","encryptionInfo":"\#(info)"}"#.utf8)
    }
  }
}
