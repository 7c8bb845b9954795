import Checks
import DigitalCredentials
import Testing

@Suite("get(): protocols and request data")
struct ProtocolAndDataTests {
  static let protocols: [Drawing] =
    [
      Drawing(
        "PRO-01",
        """
        get 1   => consume 1, present 1 1
        abort 1 => dismiss 1, reject 1 AbortError
        """),
      Drawing(
        "mixed protocols",
        """
        get 1 < {"digital":{"requests":[$unknown,$mdoc,$openid]}} => warn 1, consume 1, present 1 2
        """),
      Drawing(
        "OpenID4VP only (B06)", .safariMain2026,
        """
        get 1 < {"digital":{"requests":[$openid]}} => warn 1, reject 1 TypeError browser.protocol/not-allowed
        """),
    ]
    + zip(2..., ["ORG-ISO-MDOC", "", " org-iso-mdoc", "org-iso-mdoc ", "org-iso", "org_iso_mdoc", "unknown-protocol"])
    .map { number, name in
      Drawing(
        "PRO-0\(number)",
        "get 1 no-act < {\"digital\":{\"requests\":[{\"protocol\":\"\(name)\",\"data\":$data}]}} "
          + "=> warn 1, reject 1 TypeError browser.protocol/unknown")
    }

  @Test("Draws checklist section 5", arguments: protocols)
  func filtering(drawing: Drawing) throws {
    try drawing.run()
  }

  static let refused: [(id: String, data: String)] = [
    ("MDV-08", "{\"deviceRequest\":\"\(Fixtures.deviceRequest)==\",\"encryptionInfo\":$ei}"),
    ("MDV-09", "{\"deviceRequest\":\"A\",\"encryptionInfo\":$ei}"),
    ("MDV-10", "{\"deviceRequest\":\"\(Fixtures.deviceRequest) \\n\",\"encryptionInfo\":$ei}"),
    ("MDV-11", "{\"deviceRequest\":\"+/+/\",\"encryptionInfo\":$ei}"),
    ("MDV-12", "{\"deviceRequest\":{},\"encryptionInfo\":$ei}"),
    ("MDV-13", "{\"encryptionInfo\":$ei}"),
    ("MDV-14", "{\"deviceRequest\":$dr}"),
    ("MDV-15", "{\"deviceRequest\":$dr,\"encryptionInfo\":5}"),
    ("MAL-01", "{\"deviceRequest\":\"\",\"encryptionInfo\":\"\"}"),
    ("MAL-02", "{\"deviceRequest\":\"A\",\"encryptionInfo\":\"A\"}"),
    ("MAL-03", "{\"deviceRequest\":\"aGVsbG8=\",\"encryptionInfo\":\"aGVsbG8=\"}"),
    ("MAL-04", "{\"deviceRequest\":\"aGVs+G8/\",\"encryptionInfo\":\"aGVs+G8/\"}"),
    ("unused bits", "{\"deviceRequest\":\"gx\",\"encryptionInfo\":$ei}"),
    ("data is an array", "[]"),
  ]

  @Test("Checklist section 10: rejects malformed data and consumes the activation", arguments: refused)
  func malformed(id: String, data: String) throws {
    let options = "{\"digital\":{\"requests\":[{\"protocol\":\"org-iso-mdoc\",\"data\":\(data)}]}}"
    try Drawing(id, "get 1 < \(options) => consume 1, reject 1 TypeError browser.request-data").run()
    try Drawing(id, .chromium2026, "get 1 < \(options) => consume 1, present 1 1").run()
  }

  static let left = ["gw", "AQ", "nwEC_w", "HA", "gmRldmlsoA", "oWhwcm90b2NvbGVkY2FwaQ", "_w"]

  @Test("MAL-05 to MAL-10, MDV-16 on: leaves malformed CBOR to the platform", arguments: left)
  func hidden(text: String) throws {
    try Drawing(
      text,
      """
      get 1 < {"digital":{"requests":[{"protocol":"org-iso-mdoc",\
      "data":{"deviceRequest":"\(text)","encryptionInfo":$ei}}]}} \
      => consume 1, present 1
      fail 1 invalidRequest => reject 1 TypeError browser.platform/invalid-request
      """
    ).run()
  }

  @Test("MAL-11: refuses one mebibyte of A before reading it")
  func huge() throws {
    let text = String(repeating: "A", count: 1 << 20)
    let request = DigitalCredentialGetRequest(deviceRequest: text, encryptionInfo: text)
    let options = CredentialRequestOptions(requests: [request])
    #expect {
      try CredentialRequestOptions(reading: options.serialized)
    } throws: { error in
      BrowserFinding(.options, .tooLarge) ~= error
    }
  }

  static let mixed: [Drawing] = [
    Drawing(
      "MIX-01", .safariMain2026,
      """
      get 1 < {"digital":{"requests":[$garbage,$garbage,$garbage]}} \
      => consume 1, warn 1, warn 1, warn 1, reject 1 TypeError browser.requests/none-valid
      """),
    Drawing(
      "MIX-01, B04", .safari26,
      "get 1 < {\"digital\":{\"requests\":[$garbage]}} => consume 1, warn 1, present 1 0"),
    Drawing(
      "MIX-02",
      """
      get 1 < {"digital":{"requests":[$garbage,$openid]}} => consume 1, reject 1 TypeError browser.request-data
      """),
    Drawing(
      "MIX-03", .safariMain2026,
      "get 1 < {\"digital\":{\"requests\":[$garbage,$mdoc,$none]}} => consume 1, warn 1, warn 1, present 1 1"),
    Drawing(
      "MIX-04", .safariMain2026,
      """
      get 1 < {"digital":{"requests":[$garbage]}} => consume 1, warn 1, reject 1 TypeError
      get 2                                       => consume 2, present 2 1
      """),
    Drawing(
      "MIX-05",
      "get 1 < \(Fixtures.options(Array(repeating: "$garbage", count: 100).joined(separator: ","))) "
        + "=> consume 1, reject 1 TypeError"),
    Drawing(
      "MIX-06", .safariMain2026,
      """
      get 1 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"deviceRequest":1,"encryptionInfo":2}}]}} \
      => consume 1, warn 1, reject 1 TypeError browser.requests/none-valid
      """),
    Drawing(
      "MIX-07", .safariMain2026,
      """
      get 1 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{"deviceRequest":{},"encryptionInfo":[]}}]}} \
      => consume 1, warn 1, reject 1 TypeError browser.requests/none-valid
      """),
    Drawing(
      "a missing member rejects before the check of the pending call", .safariMain2026,
      """
      get 1 => consume 1, present 1
      get 2 < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{}}]}} \
      => consume 2, reject 2 TypeError browser.request-data
      """),
  ]

  @Test("Draws checklist section 11: mixed requests", arguments: mixed)
  func mixing(drawing: Drawing) throws {
    try drawing.run()
  }

  @Test("UAP-01 and UAP-02: allows protocols of the profile only", arguments: BrowserProfile.all)
  func allows(profile: BrowserProfile) {
    let known = DigitalCredentialPresentationProtocol.allCases.map(\.rawValue)
    #expect(known.contains { profile.userAgentAllowsProtocol($0) })
    #expect(profile.userAgentAllowsProtocol("org-iso-mdoc"))
    #expect(profile.userAgentAllowsProtocol("openid4vci-v1") == !profile.allowedIssuanceProtocols.isEmpty)
    for name in ["protocol.banana", "", "ORG-ISO-MDOC"] {
      #expect(!profile.userAgentAllowsProtocol(name))
    }
  }

  @Test("A message names the member and cuts long texts")
  func messages() throws {
    let name = String(repeating: "x", count: 5000)
    var mediator = CredentialMediator()
    let request = try DigitalCredentialGetRequest(protocol: name, data: Array("{}".utf8))
    let options = CredentialRequestOptions(requests: [request])
    let effects = mediator.receive(.getCalled(1, .success(options), CallingContext(origin: Fixtures.page)))
    guard case .warn(1, let message) = effects.first else { throw Drawing.UnknownWord(word: "warn") }
    #expect(message.hasPrefix("digital.requests[0].protocol \"xxx"))
    #expect(message.count < 200)
  }
}
