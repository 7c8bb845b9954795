import DigitalCredentials

/// The request and the origins of the drawings.
enum Fixtures {
  static let page = origin("https://page.example")
  static let frame = origin("https://frame.example")

  /// The example request of ISO/IEC TS 18013-7 Annex C.
  static let deviceRequest =
    "omd2ZXJzaW9uYzEuMGtkb2NSZXF1ZXN0c4GhbGl0ZW1zUmVxdWVzdNgYWFyiZ2RvY1R5cGV1b3JnLmlzby4xODAxMy41LjEubURMam5hbWVTcG"
    + "FjZXOhcW9yZy5pc28uMTgwMTMuNS4xomtmYW1pbHlfbmFtZfRvZG9jdW1lbnRfbnVtYmVy9A"
  static let encryptionInfo =
    "gmVkY2FwaaJlbm9uY2VQuTBR9ybYyMxHk586vsBGt3JyZWNpcGllbnRQdWJsaWNLZXmkAQIgASFYIGDjOSOFBB9RQDBR8kFVMctW3T-ZnHFocB"
    + "OqxnaLyBh-Ilgg5Y3rj9vpB_fdU2gkVVGjR5b30iFcRAwzm7D3tnvszfo"

  static let mdoc = DigitalCredentialGetRequest(deviceRequest: deviceRequest, encryptionInfo: encryptionInfo)

  /// A well-formed request without content, for runs of many calls.
  static let short = DigitalCredentialGetRequest(deviceRequest: "AAAA", encryptionInfo: "AAAA")

  static let mdocData = "{\"deviceRequest\":\"\(deviceRequest)\",\"encryptionInfo\":\"\(encryptionInfo)\"}"

  /// Abbreviations of longer JSON in drawings.
  static let abbreviations: [(name: String, json: String)] = [
    ("$mdoc", "{\"protocol\":\"org-iso-mdoc\",\"data\":\(mdocData)}"),
    ("$short", "{\"protocol\":\"org-iso-mdoc\",\"data\":{\"deviceRequest\":\"AAAA\",\"encryptionInfo\":\"AAAA\"}}"),
    ("$openid", "{\"protocol\":\"openid4vp-v1-unsigned\",\"data\":{\"dcql_query\":{}}}"),
    ("$unknown", "{\"protocol\":\"unknown-protocol\",\"data\":{}}"),
    ("$garbage", "{\"protocol\":\"org-iso-mdoc\",\"data\":{\"deviceRequest\":\"A\",\"encryptionInfo\":\"A\"}}"),
    ("$none", "{\"protocol\":\"org-iso-mdoc\",\"data\":{\"deviceRequest\":\"\",\"encryptionInfo\":\"\"}}"),
    ("$dr", "\"\(deviceRequest)\""),
    ("$ei", "\"\(encryptionInfo)\""),
    ("$data", mdocData),
  ]

  static func json(_ text: some StringProtocol) -> [UInt8] {
    var text = String(text)
    for (name, json) in abbreviations { text = text.replacing(name, with: json) }
    return Array(text.utf8)
  }

  /// Options with a list of abbreviated requests.
  static func options(_ requests: String) -> String { "{\"digital\":{\"requests\":[\(requests)]}}" }

  private static func origin(_ text: String) -> Origin {
    do { return try Origin(serialized: text) } catch { return .opaque() }
  }
}
