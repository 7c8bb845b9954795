import DigitalCredentials

extension ChecklistRow {
  private typealias Options = ChecklistOptions

  private static let mobile = "org-iso-mdoc"
  private static let answer = "{\"response\":\"\(RequestVectors.response)\"}"
  private static let ownError = AbortReason(name: "Error", message: "the page's own")

  private static func call(_ requests: [String], in name: String = "page") -> [Step] {
    [.gesture(name), .call(.get, Options.digital(requests), in: name)]
  }

  private static let declined =
    Difference.safari26("AbortError", "WebKit/WebKit#64151") + Difference.leftToPlatform("NetworkError")

  /// The end of section 11, and section 12 of the checklist: answers of a wallet.
  static let outcomes: [ChecklistRow] = {
    let exchange = ChecklistSection(source: ChecklistSource.roundTrip)
    let driver = ChecklistSection(source: ChecklistSource.driver)
    let nested = "{\"a\":[1,{\"b\":[]}],\"c\":{\"d\":null}}"
    let allowed = "digital-credentials-get"
    return [
      exchange(
        "RTP-01", "the wallet answers: type, protocol and data of the credential",
        call([Options.mdoc()]) + [.respond(1, mobile, answer), .data(1)], "digital org-iso-mdoc; \(answer)"),
      exchange(
        "RTP-02", "the response begins with gmVkY2Fwa: CBOR [\"dcapi\", {..",
        call([Options.mdoc()]) + [
          .respond(1, mobile, "{\"response\":\"\(RequestVectors.response.prefix(9))\"}"), .data(1),
        ], "digital org-iso-mdoc; {\"response\":\"gmVkY2Fwa\"}"),
      exchange(
        "RTP-03", "org-iso-mdoc and openid4vp-v1-unsigned in one call; the wallet answers org-iso-mdoc",
        call([Options.mdoc(), Options.openID]) + [.respond(1, mobile, answer)], "digital org-iso-mdoc"),
      exchange(
        "RTP-04", "two equal requests; the wallet answers twice",
        call([Options.mdoc(), Options.mdoc()]) + [.respond(1, mobile, answer), .respond(1, mobile, "{}"), .data(1)],
        "digital org-iso-mdoc; \(answer)"),
      ChecklistRow(
        "RTP-OID-01", "openid4vp-v1-signed; the wallet answers: type, protocol and data of the credential",
        call([Options.openID(.openID4VPSigned)]) + [
          .respond(1, "openid4vp-v1-signed", "{\"response\":\"a.b.c.d.e\"}"), .data(1),
        ], "digital openid4vp-v1-signed; {\"response\":\"a.b.c.d.e\"}",
        Difference.withoutOpenID4VP("TypeError; no data"), source: ChecklistSource.presentationProtocols),
      ChecklistRow(
        "RTP-OID-02", "openid4vp-v1-unsigned; the wallet answers with an error code, which fulfils the promise",
        call([Options.openID(.openID4VPUnsigned)]) + [
          .respond(1, "openid4vp-v1-unsigned", "{\"error\":\"access_denied\"}"), .data(1),
        ], "digital openid4vp-v1-unsigned; {\"error\":\"access_denied\"}",
        Difference.withoutOpenID4VP("TypeError; no data"), source: "OpenID4VP, A.4"),
      driver(
        "WDR-01", "the virtual wallet responds with a value",
        call([Options.mdoc()]) + [.respond(1, mobile, "{\"value\":\"x\"}"), .data(1)],
        "digital org-iso-mdoc; {\"value\":\"x\"}"),
      driver(
        "WDR-02", "the virtual wallet responds with nested data",
        call([Options.mdoc()]) + [.respond(1, mobile, nested), .data(1)], "digital org-iso-mdoc; \(nested)"),
      driver(
        "WDR-03", "the virtual wallet declines", call([Options.mdoc()]) + [.decline(1)], "NotAllowedError", declined),
      driver(
        "WDR-04", "the virtual wallet waits; an abort with an Error", call([Options.mdoc()]) + [.abort(1, ownError)],
        "Error"),
      driver(
        "WDR-05",
        "the virtual wallet responds in a frame of the page's origin, declines in another, and waits in the page",
        in: [.page, .same(), .other("other", allow: allowed)],
        call([Options.mdoc()], in: "frame") + [.respond(1, mobile, answer)]
          + call([Options.mdoc()], in: "other") + [.decline(2)] + call([Options.mdoc()]),
        "digital org-iso-mdoc, NotAllowedError, pending",
        Difference.safari26("digital org-iso-mdoc, AbortError, pending", "WebKit/WebKit#64151")
          + Difference.leftToPlatform("digital org-iso-mdoc, NetworkError, pending")),
    ]
  }()

  /// Section 13 of the checklist: issuance.
  static let issuance: [ChecklistRow] = create + issue

  private static let create: [ChecklistRow] = {
    let frames: [Document] = [.page, .same(), .other("other", allow: "digital-credentials-create")]
    let names = frames.map(\.name)
    return [
      ChecklistRow(
        "CRE-01", "create() without options in the page and in two frames", in: frames,
        names.map { .call(.create, "{}", in: $0) }, "3 x NotSupportedError",
        source: "WebKit create.tentative (b6072167); an early version resolves with null"),
      ChecklistRow(
        "CRE-02", "create() with each mediation",
        CredentialRequestOptions.Mediation.allCases.map {
          .call(.create, "{\"mediation\":\"\($0.rawValue)\"}", in: "page")
        }, "4 x NotSupportedError", source: "as CRE-01; an early version resolves with null"),
      ChecklistRow(
        "CRE-03", "create() with an aborted signal in the page and in two frames", in: frames,
        names.enumerated().flatMap { [.abort($0.offset + 1), .call(.create, "{}", in: $0.element)] }, "3 x AbortError",
        source: ChecklistSource.create),
      ChecklistRow(
        "CRE-04", "create() with digital without requests", [.call(.create, "{\"digital\":{}}", in: "page")],
        "TypeError", Difference.withoutCreate("NotSupportedError"), source: ChecklistSource.create),
    ]
  }()

  private static let issue: [ChecklistRow] = {
    func row(
      _ id: String, _ given: String, in documents: [Document] = [.page],
      _ steps: [Step], _ expected: String, without: String
    ) -> ChecklistRow {
      ChecklistRow(
        id, "issue(): \(given)", in: documents, steps, expected, Difference.withoutIssue(without),
        source: ChecklistSource.issue)
    }
    func call(_ requests: [String], in name: String = "page") -> Step {
      .call(.issue, Options.issuing(requests), in: name)
    }
    let good = [Options.issuance]
    let act = Step.gesture("page")
    let bad = ["{\"a\":{\"$bigint\":\"1\"}}", "{\"a\":{\"$cycle\":true}}", "{\"a\":{\"$throws\":\"TypeError\"}}"]
    let unknown = Options.request("unknown-protocol", bad[0])
    return [
      row(
        "ISS-01", "no requests member, no gesture", [.call(.issue, "{}", in: "page")], "TypeError", without: "TypeError"
      ),
      row("ISS-02", "empty requests", [act, call([])], "TypeError", without: "TypeError"),
      row(
        "ISS-03", "an aborted signal, after a gesture", [act, .abort(1), call(good), .activation("page")],
        "AbortError; isActive true", without: "TypeError; isActive true"),
      row(
        "ISS-04", "a gesture, and an abort after the call", [act, call(good), .abort(1), .activation("page")],
        "AbortError; isActive false", without: "TypeError; isActive true"),
      row(
        "ISS-05", "no gesture; good data, then data with a BigInt",
        [call(good), call([Options.request("openid4vci-v1", bad[0])])], "2 x NotAllowedError", without: "2 x TypeError"),
      row(
        "ISS-06", "data with a BigInt, a cycle, or a toJSON that throws",
        bad.flatMap { [act, call([Options.request("openid4vci-v1", $0)])] }, "3 x TypeError", without: "3 x TypeError"),
      row(
        "ISS-07", "an unknown protocol with bad data, and openid4vci-v1", [act, call([unknown] + good), .abort(1)],
        "AbortError", without: "TypeError"),
      row(
        "ISS-08", "one, then three unknown protocols",
        [act, call([unknown]), act, call([unknown, unknown, unknown])], "2 x TypeError", without: "2 x TypeError"),
      row("ISS-09", "openid4vci-v1", [act, call(good), .abort(1)], "AbortError", without: "TypeError"),
      row(
        "ISS-10", "a removed frame, and an aborted signal", in: [.page, .same()],
        [.remove("frame"), .abort(1), call(good, in: "frame")], "InvalidStateError", without: "TypeError"),
      row(
        "ISS-11", "a pending call of a frame that is removed", in: [.page, .same()],
        [.gesture("frame"), call(good, in: "frame"), .remove("frame")], "AbortError", without: "TypeError"),
      row(
        "ISS-12", "ten times: a gesture, a call, and an abort with an Error",
        (1...10).flatMap { [act, call(good), .abort($0, ownError)] }, "10 x Error", without: "10 x TypeError"),
    ]
  }()
}
