import DigitalCredentials

extension ChecklistRow {
  private typealias Options = ChecklistOptions
  private static let ownError = AbortReason(name: "Error", message: "the page's own")

  /// The options of GET-02, which ask for nothing that exists.
  private static let unrecognized = ["{}", "{\"x\":\"y\"}", "{\"mediation\":\"required\"}", "null"]
  private static let noRequests = ["{\"digital\":{}}", "{\"digital\":{\"requests\":[]}}"]
  private static let unusual = ["null", "\"\"", "123", "true", "false"]

  private static func calls(_ list: [String], in name: String = "page") -> [ChecklistSetting.Step] {
    list.map { .call(.get, $0, in: name) }
  }

  /// Calls whose signals were aborted before them.
  private static func abortedCalls(_ list: [String], in name: String) -> [ChecklistSetting.Step] {
    list.enumerated().flatMap { [.abort($0.offset + 1), .call(.get, $0.element, in: name)] }
  }

  /// Calls with a gesture before each, and an abort after each.
  private static func accepted(_ list: [String], _ reason: AbortReason) -> [ChecklistSetting.Step] {
    list.enumerated().flatMap { index, options in
      [.gesture("page"), .call(.get, options, in: "page"), .abort(index + 1, reason)]
    }
  }

  /// Section 1 of the checklist: `get()`.
  static let get: [ChecklistRow] = {
    let source = ChecklistSource.get
    let engines =
      "Web IDL converts every member data to an object before protocols are compared; WebKit and Chromium too"
    let allowed = "digital-credentials-get"
    let bad = Options.request("unknown-protocol", "{\"$bigint\":\"1\"}")
    return [
      ChecklistRow(
        "GET-01", "data is null, \"\", 123, true or false; no gesture",
        ChecklistSetting(calls(unusual.map { Options.digital([Options.request("org-iso-mdoc", $0)]) })),
        "5 x TypeError", source: source),
      ChecklistRow(
        "GET-02", "no credential type is named; the page, then a frame of its origin",
        ChecklistSetting(
          [.page, .same()], calls(unrecognized) + [.gesture("frame")] + calls(unrecognized, in: "frame")),
        "8 x NotSupportedError", source: source),
      ChecklistRow(
        "GET-03", "requests is missing, then empty; no gesture", ChecklistSetting(calls(noRequests)), "2 x TypeError",
        source: source),
      ChecklistRow(
        "GET-04", "as GET-03 in a focused frame of the page's origin",
        ChecklistSetting([.page, .same()], [.focus("frame")] + calls(noRequests, in: "frame")), "2 x TypeError",
        source: source),
      ChecklistRow(
        "GET-04-unfocused", "as GET-03 in a frame of the page's origin, while the page has focus",
        ChecklistSetting([.page, .same()], calls(noRequests, in: "frame")), "2 x TypeError",
        Difference.safari26(
          "TypeError, NotAllowedError", "WebKit get.https (9c7f5889743e): NotAllowedError: The document is not focused."
        ),
        source: source),
      ChecklistRow(
        "GET-05", "as GET-03 in a focused, allowed frame of another origin",
        ChecklistSetting([.page, .other(allow: allowed)], [.focus("frame")] + calls(noRequests, in: "frame")),
        "2 x TypeError", source: source),
      ChecklistRow(
        "GET-06", "the signal is aborted; no credential type, then no requests; no gesture",
        ChecklistSetting(abortedCalls(["{}", noRequests[1]], in: "page")), "2 x AbortError", source: source),
      ChecklistRow(
        "GET-07", "as GET-06 after a gesture in a frame of the page's origin",
        ChecklistSetting(
          [.page, .same()],
          [.gesture("frame")] + abortedCalls(["{}", noRequests[1]], in: "frame") + [.activation("frame")]),
        "2 x AbortError; isActive true", source: source),
      ChecklistRow(
        "GET-08", "as GET-06 in an allowed frame of another origin, also without options",
        ChecklistSetting(
          [.page, .other(allow: allowed)], abortedCalls(["{\"$undefined\":true}", "{}", noRequests[1]], in: "frame")),
        "3 x AbortError", source: source),
      ChecklistRow(
        "GET-09", "a gesture, a valid request, and an abort after the call",
        ChecklistSetting(accepted([Options.valid], .unspecified)), "AbortError", source: source),
      ChecklistRow(
        "GET-10", "as GET-09 in an allowed frame of another origin",
        ChecklistSetting(
          [.page, .other(allow: allowed)], [.gesture("frame"), .call(.get, Options.valid, in: "frame"), .abort(1)]),
        "AbortError", source: source),
      ChecklistRow(
        "GET-11", "mediation is silent, optional or required; an abort with an Error",
        ChecklistSetting(
          accepted(
            ["silent", "optional", "required"].map { Options.digital([Options.mdoc()], mediation: $0) }, ownError)),
        "3 x Error", source: source),
      ChecklistRow(
        "GET-12", "mediation is conditional; an abort with an Error",
        ChecklistSetting(accepted([Options.digital([Options.mdoc()], mediation: "conditional")], ownError)), "Error",
        Difference.safari("TypeError", "Credential Management; web-platform-tests/wpt get.https at d314add532d9"),
        source: "Digital Credentials ignores mediation (#392); web-platform-tests/wpt get.https at 020c7eb684dc"),
      ChecklistRow(
        "GET-13", "data is a BigInt, a cyclic object, or a symbol",
        ChecklistSetting(
          ["{\"$bigint\":\"123\"}", "{\"$cycle\":true}", "{\"$symbol\":\"foo\"}"].flatMap { data in
            [.gesture("page"), .call(.get, Options.digital([Options.request("org-iso-mdoc", data)]), in: "page")]
          }), "3 x TypeError", source: source),
      ChecklistRow(
        "GET-14", "digital is an object without requests", ChecklistSetting(calls([noRequests[0]])), "TypeError",
        source: source),
      ChecklistRow(
        "GET-15", "an unknown protocol whose data is a BigInt, then a good request",
        ChecklistSetting(accepted([Options.digital([bad, Options.openID])], .unspecified)), "TypeError",
        source: "\(engines); \(source) wants AbortError"),
      ChecklistRow(
        "GET-16", "only requests whose data is a BigInt",
        ChecklistSetting(accepted([Options.digital([bad, bad])], .unspecified)),
        "TypeError", source: source),
      ChecklistRow(
        "GET-17", "good requests first and last, one whose data is a BigInt between",
        ChecklistSetting(accepted([Options.digital([Options.mdoc(), bad, Options.mdoc()])], .unspecified)), "TypeError",
        source: "\(engines); \(source) wants AbortError"),
      ChecklistRow(
        "GET-18", "requests whose data is a BigInt first and last, a good one between",
        ChecklistSetting(accepted([Options.digital([bad, Options.mdoc(), bad])], .unspecified)), "TypeError",
        source: "\(engines); \(source) wants AbortError"),
      ChecklistRow(
        "GET-19", "an abort while the first call is pending, then another call",
        ChecklistSetting(accepted([Options.valid, Options.valid], .unspecified)), "2 x AbortError", source: source),
    ]
  }()

  /// Sections 2 to 4 of the checklist: concurrency, activation and the state of the document.
  static let state: [ChecklistRow] = {
    let ten = Array(repeating: Options.valid, count: 10)
    let unknown = Options.digital([Options.request("unknown-protocol", "{}")])
    let create = Options.digital([Options.issuance])
    let before = Difference.safari26("AbortError, InvalidStateError", "WebKit/WebKit#64150")
    return [
      ChecklistRow(
        "CON-01", "a call is pending, and another one comes after a gesture; an abort of the first",
        ChecklistSetting([
          .gesture("page"), .call(.get, Options.valid, in: "page"), .gesture("page"),
          .call(.get, Options.valid, in: "page"), .abort(1),
        ]), "AbortError, NotAllowedError", before, source: ChecklistSource.concurrent),
      ChecklistRow(
        "ACT-01", "a valid request without a gesture", ChecklistSetting(calls([Options.valid])), "NotAllowedError",
        source: ChecklistSource.activation),
      ChecklistRow(
        "ACT-02", "no requests, no gesture",
        ChecklistSetting(calls([noRequests[1]]) + [.activation("page")]), "TypeError; isActive false",
        source: ChecklistSource.activation),
      ChecklistRow(
        "ACT-03", "a gesture, and a signal that was aborted before the call",
        ChecklistSetting([.gesture("page")] + abortedCalls([Options.valid], in: "page") + [.activation("page")]),
        "AbortError; isActive true", source: ChecklistSource.activation),
      ChecklistRow(
        "ACT-04", "a gesture, a valid request, and an abort after the call",
        ChecklistSetting(accepted([Options.valid], .unspecified) + [.activation("page")]),
        "AbortError; isActive false", source: ChecklistSource.activation),
      ChecklistRow(
        "ACT-05", "create() without a gesture", ChecklistSetting([.call(.create, create, in: "page")]),
        "NotAllowedError", Difference.withoutCreate("NotSupportedError"), source: ChecklistSource.activation),
      ChecklistRow(
        "ACT-06", "a gesture, create(), and an abort after the call",
        ChecklistSetting([.gesture("page"), .call(.create, create, in: "page"), .abort(1), .activation("page")]),
        "AbortError; isActive false", Difference.withoutCreate("NotSupportedError; isActive true"),
        source: ChecklistSource.activation),
      ChecklistRow(
        "ACT-07", "a gesture, and only protocols that are not allowed",
        ChecklistSetting([.gesture("page"), .call(.get, unknown, in: "page"), .activation("page")]),
        "TypeError; isActive true", source: ChecklistSource.filtering),
      ChecklistRow(
        "DOC-01", "the frame was removed; get() with an aborted signal",
        ChecklistSetting([.page, .same()], [.remove("frame")] + abortedCalls(["{}"], in: "frame")), "InvalidStateError",
        source: ChecklistSource.documents),
      ChecklistRow(
        "DOC-02", "the frame was removed; create() with an aborted signal",
        ChecklistSetting([.page, .same()], [.remove("frame"), .abort(1), .call(.create, "{}", in: "frame")]),
        "InvalidStateError", source: ChecklistSource.documents),
      ChecklistRow(
        "DOC-03", "the frame was removed; preventSilentAccess()",
        ChecklistSetting([.page, .same()], [.remove("frame"), .preventSilentAccess("frame")]), "InvalidStateError",
        source: ChecklistSource.documents),
      ChecklistRow(
        "DOC-04", "a valid call of a frame is pending, and the frame is removed",
        ChecklistSetting(
          [.page, .same()], [.gesture("frame"), .call(.get, Options.valid, in: "frame"), .remove("frame")]),
        "AbortError", source: ChecklistSource.documents),
      ChecklistRow(
        "DOC-05", "ten times: a gesture, a call, and an abort with an Error", ChecklistSetting(accepted(ten, ownError)),
        "10 x Error", source: ChecklistSource.documents),
      ChecklistRow(
        "DOC-06", "a call is pending, and the page goes to the back/forward cache; it comes back and calls again",
        ChecklistSetting(
          accepted([Options.valid], .unspecified).dropLast() + [
            .leave, .back, .gesture("page"), .call(.get, Options.valid, in: "page"), .abort(2, ownError),
          ]), "AbortError, Error", source: "WebKit DigitalCredentialsSession.cpp (04257c5b7055)"),
      ChecklistRow(
        "DOC-06-stop", "a call is pending, and the page calls window.stop()",
        ChecklistSetting([.gesture("page"), .call(.get, Options.valid, in: "page"), .stop("page")]), "pending",
        Difference.safari("AbortError", "WebKit DigitalCredentialsSession.cpp (04257c5b7055)"),
        source: "Digital Credentials watches the fully active state only, and the page stays fully active"),
    ]
  }()

  /// The rows of section 5 and 6 for the protocols of OpenID4VP, which web-platform-tests have for mobile documents.
  private static let openID4VP: [ChecklistRow] = {
    let kinds = DigitalCredentialPresentationProtocol.allCases.filter { $0 != .mobileDocument }
    let requested = kinds.enumerated().map { index, kind in
      ChecklistRow(
        "PRO-OID-0\(index + 1)", "a gesture, a request in \(kind.rawValue), and an abort after the call",
        ChecklistSetting(accepted([Options.digital([Options.openID(kind)])], .unspecified)), "AbortError",
        Difference.withoutOpenID4VP("TypeError"), source: ChecklistSource.presentationProtocols)
    }
    // The names of drafts, and others that are almost right.
    let names = [
      "openid4vp", "urn:openid.net:oid4vp", "openid4vp-v1", "openid4vp-v2-unsigned", "openid4vp-v1-multi-signed",
      "OPENID4VP-V1-SIGNED", "openid4vp-v1-signed ",
    ]
    let rejected = names.enumerated().map { index, name in
      ChecklistRow(
        "PRO-OID-\(index + 11)", "the protocol is \"\(name)\"; no gesture",
        ChecklistSetting(calls([Options.digital([Options.request(name, "{\"dcql_query\":{}}")])])), "TypeError",
        source: ChecklistSource.presentationProtocols)
    }
    let allowed = kinds.enumerated().map { index, kind in
      ChecklistRow(
        "UAP-OID-0\(index + 1)", "userAgentAllowsProtocol(\"\(kind.rawValue)\")",
        ChecklistSetting([.allows([kind.rawValue])]), "allowed", Difference.withoutOpenID4VP("not allowed"),
        source: ChecklistSource.presentationProtocols)
    }
    let draft = ChecklistRow(
      "UAP-OID-11", "userAgentAllowsProtocol(\"openid4vp\")", ChecklistSetting([.allows(["openid4vp"])]),
      "not allowed", source: ChecklistSource.presentationProtocols)
    return requested + rejected + allowed + [draft]
  }()

  /// Sections 5 and 6 of the checklist: protocols and the interface.
  static let interface: [ChecklistRow] = {
    let names = ["ORG-ISO-MDOC", "", " org-iso-mdoc", "org-iso-mdoc ", "org-iso", "org_iso_mdoc", "unknown-protocol"]
    let rejected = names.enumerated().map { index, name in
      ChecklistRow(
        "PRO-0\(index + 2)", "the protocol is \"\(name)\"; no gesture",
        ChecklistSetting(calls([Options.digital([Options.request(name, "{}")])])), "TypeError",
        source: ChecklistSource.protocols)
    }
    return [
      ChecklistRow(
        "PRO-01", "a gesture, the canonical org-iso-mdoc request, and an abort after the call",
        ChecklistSetting(accepted([Options.valid], .unspecified)), "AbortError", source: ChecklistSource.protocols)
    ] + rejected + openID4VP + [
      ChecklistRow(
        "UAP-01", "userAgentAllowsProtocol() for the four presentation protocols",
        ChecklistSetting([.allows(DigitalCredentialPresentationProtocol.allCases.map(\.rawValue))]), "allowed",
        source: ChecklistSource.allows),
      ChecklistRow(
        "UAP-02", "userAgentAllowsProtocol(\"protocol.banana\")", ChecklistSetting([.allows(["protocol.banana"])]),
        "not allowed", source: ChecklistSource.allows),
      ChecklistRow(
        "HIS-01", "navigator.identity", ChecklistSetting([.exists("navigator.identity", in: "page")]), "does not exist",
        source: "web-platform-tests/wpt historical (92829e91)"),
    ]
  }()
}
