import DigitalCredentials

extension ChecklistRow {
  private typealias Options = ChecklistOptions
  private static let ownError = AbortReason(name: "Error", message: "the page's own")

  /// The options of GET-02, which ask for nothing that exists.
  private static let unrecognized = ["{}", "{\"x\":\"y\"}", "{\"mediation\":\"required\"}", "null"]
  private static let noRequests = ["{\"digital\":{}}", "{\"digital\":{\"requests\":[]}}"]
  private static let unusual = ["null", "\"\"", "123", "true", "false"]

  private static func calls(_ list: [String], in name: String = "page") -> [Step] {
    list.map { .call(.get, $0, in: name) }
  }

  /// Calls whose signals were aborted before them.
  private static func abortedCalls(_ list: [String], in name: String) -> [Step] {
    list.enumerated().flatMap { [.abort($0.offset + 1), .call(.get, $0.element, in: name)] }
  }

  /// Calls with a gesture before each, and an abort after each.
  private static func accepted(_ list: [String], _ reason: AbortReason = .unspecified) -> [Step] {
    list.enumerated().flatMap { index, options in
      [.gesture("page"), .call(.get, options, in: "page"), .abort(index + 1, reason)]
    }
  }

  /// Section 1 of the checklist: `get()`.
  static let get: [ChecklistRow] = {
    let row = ChecklistSection(source: ChecklistSource.get)
    let engines =
      "Web IDL converts every member data to an object before protocols are compared; WebKit and Chromium too; "
      + "\(row.source) wants AbortError"
    let allowed = "digital-credentials-get"
    let bad = Options.request("unknown-protocol", "{\"$bigint\":\"1\"}")
    return [
      row(
        "GET-01", "data is null, \"\", 123, true or false; no gesture",
        calls(unusual.map { Options.digital([Options.request("org-iso-mdoc", $0)]) }), "5 x TypeError"),
      row(
        "GET-02", "no credential type is named; the page, then a frame of its origin", in: [.page, .same()],
        calls(unrecognized) + [.gesture("frame")] + calls(unrecognized, in: "frame"), "8 x NotSupportedError"),
      row("GET-03", "requests is missing, then empty; no gesture", calls(noRequests), "2 x TypeError"),
      row(
        "GET-04", "as GET-03 in a focused frame of the page's origin", in: [.page, .same()],
        [.focus("frame")] + calls(noRequests, in: "frame"), "2 x TypeError"),
      row(
        "GET-04-unfocused", "as GET-03 in a frame of the page's origin, while the page has focus",
        in: [.page, .same()], calls(noRequests, in: "frame"), "2 x TypeError",
        Difference.safari26(
          "TypeError, NotAllowedError", "WebKit get.https (9c7f5889743e): NotAllowedError: The document is not focused."
        )),
      row(
        "GET-05", "as GET-03 in a focused, allowed frame of another origin", in: [.page, .other(allow: allowed)],
        [.focus("frame")] + calls(noRequests, in: "frame"), "2 x TypeError"),
      row(
        "GET-06", "the signal is aborted; no credential type, then no requests; no gesture",
        abortedCalls(["{}", noRequests[1]], in: "page"), "2 x AbortError"),
      row(
        "GET-07", "as GET-06 after a gesture in a frame of the page's origin", in: [.page, .same()],
        [.gesture("frame")] + abortedCalls(["{}", noRequests[1]], in: "frame") + [.activation("frame")],
        "2 x AbortError; isActive true"),
      row(
        "GET-08", "as GET-06 in an allowed frame of another origin, also without options",
        in: [.page, .other(allow: allowed)], abortedCalls(["{\"$undefined\":true}", "{}", noRequests[1]], in: "frame"),
        "3 x AbortError"),
      row("GET-09", "a gesture, a valid request, and an abort after the call", accepted([Options.valid]), "AbortError"),
      row(
        "GET-10", "as GET-09 in an allowed frame of another origin", in: [.page, .other(allow: allowed)],
        [.gesture("frame"), .call(.get, Options.valid, in: "frame"), .abort(1)], "AbortError"),
      row(
        "GET-11", "mediation is silent, optional or required; an abort with an Error",
        accepted(
          ["silent", "optional", "required"].map { Options.digital([Options.mdoc()], mediation: $0) }, ownError),
        "3 x Error"),
      row(
        "GET-12", "mediation is conditional; an abort with an Error",
        accepted([Options.digital([Options.mdoc()], mediation: "conditional")], ownError), "Error",
        Difference.safari("TypeError", "Credential Management; web-platform-tests/wpt get.https at d314add532d9"),
        source: "Digital Credentials ignores mediation (#392); web-platform-tests/wpt get.https at 020c7eb684dc"),
      row(
        "GET-13", "data is a BigInt, a cyclic object, or a symbol",
        ["{\"$bigint\":\"123\"}", "{\"$cycle\":true}", "{\"$symbol\":\"foo\"}"].flatMap { data in
          [.gesture("page"), .call(.get, Options.digital([Options.request("org-iso-mdoc", data)]), in: "page")]
        }, "3 x TypeError"),
      row("GET-14", "digital is an object without requests", calls([noRequests[0]]), "TypeError"),
      row(
        "GET-15", "an unknown protocol whose data is a BigInt, then a good request",
        accepted([Options.digital([bad, Options.openID])]), "TypeError", source: engines),
      row("GET-16", "only requests whose data is a BigInt", accepted([Options.digital([bad, bad])]), "TypeError"),
      row(
        "GET-17", "good requests first and last, one whose data is a BigInt between",
        accepted([Options.digital([Options.mdoc(), bad, Options.mdoc()])]), "TypeError", source: engines),
      row(
        "GET-18", "requests whose data is a BigInt first and last, a good one between",
        accepted([Options.digital([bad, Options.mdoc(), bad])]), "TypeError", source: engines),
      row(
        "GET-19", "an abort while the first call is pending, then another call",
        accepted([Options.valid, Options.valid]), "2 x AbortError"),
    ]
  }()

  /// Sections 2 to 4 of the checklist: concurrency, activation and the state of the document.
  static let state: [ChecklistRow] = {
    let activation = ChecklistSection(source: ChecklistSource.activation)
    let document = ChecklistSection(source: ChecklistSource.documents)
    let ten = Array(repeating: Options.valid, count: 10)
    let unknown = Options.digital([Options.request("unknown-protocol", "{}")])
    let create = Options.digital([Options.issuance])
    let before = Difference.safari26("AbortError, InvalidStateError", "WebKit/WebKit#64150")
    return [
      ChecklistRow(
        "CON-01", "a call is pending, and another one comes after a gesture; an abort of the first",
        [
          .gesture("page"), .call(.get, Options.valid, in: "page"), .gesture("page"),
          .call(.get, Options.valid, in: "page"), .abort(1),
        ], "AbortError, NotAllowedError", before, source: ChecklistSource.concurrent),
      activation("ACT-01", "a valid request without a gesture", calls([Options.valid]), "NotAllowedError"),
      activation(
        "ACT-02", "no requests, no gesture", calls([noRequests[1]]) + [.activation("page")], "TypeError; isActive false"
      ),
      activation(
        "ACT-03", "a gesture, and a signal that was aborted before the call",
        [.gesture("page")] + abortedCalls([Options.valid], in: "page") + [.activation("page")],
        "AbortError; isActive true"),
      activation(
        "ACT-04", "a gesture, a valid request, and an abort after the call",
        accepted([Options.valid]) + [.activation("page")], "AbortError; isActive false"),
      activation(
        "ACT-05", "create() without a gesture", [.call(.create, create, in: "page")], "NotAllowedError",
        Difference.withoutCreate("NotSupportedError")),
      activation(
        "ACT-06", "a gesture, create(), and an abort after the call",
        [.gesture("page"), .call(.create, create, in: "page"), .abort(1), .activation("page")],
        "AbortError; isActive false", Difference.withoutCreate("NotSupportedError; isActive true")),
      ChecklistRow(
        "ACT-07", "a gesture, and only protocols that are not allowed",
        [.gesture("page"), .call(.get, unknown, in: "page"), .activation("page")], "TypeError; isActive true",
        source: ChecklistSource.filtering),
      document(
        "DOC-01", "the frame was removed; get() with an aborted signal", in: [.page, .same()],
        [.remove("frame")] + abortedCalls(["{}"], in: "frame"), "InvalidStateError"),
      document(
        "DOC-02", "the frame was removed; create() with an aborted signal", in: [.page, .same()],
        [.remove("frame"), .abort(1), .call(.create, "{}", in: "frame")], "InvalidStateError"),
      document(
        "DOC-03", "the frame was removed; preventSilentAccess()", in: [.page, .same()],
        [.remove("frame"), .preventSilentAccess("frame")], "InvalidStateError"),
      document(
        "DOC-04", "a valid call of a frame is pending, and the frame is removed", in: [.page, .same()],
        [.gesture("frame"), .call(.get, Options.valid, in: "frame"), .remove("frame")], "AbortError"),
      document(
        "DOC-05", "ten times: a gesture, a call, and an abort with an Error", accepted(ten, ownError), "10 x Error"),
      ChecklistRow(
        "DOC-06", "a call is pending, and the page goes to the back/forward cache; it comes back and calls again",
        accepted([Options.valid]).dropLast() + [
          .leave, .back, .gesture("page"), .call(.get, Options.valid, in: "page"), .abort(2, ownError),
        ], "AbortError, Error", source: "WebKit DigitalCredentialsSession.cpp (04257c5b7055)"),
      ChecklistRow(
        "DOC-06-stop", "a call is pending, and the page calls window.stop()",
        [.gesture("page"), .call(.get, Options.valid, in: "page"), .stop("page")], "pending",
        Difference.safari("AbortError", "WebKit DigitalCredentialsSession.cpp (04257c5b7055)"),
        source: "Digital Credentials watches the fully active state only, and the page stays fully active"),
    ]
  }()

  /// The rows of section 5 and 6 for the protocols of OpenID4VP, which web-platform-tests have for mobile documents.
  private static let openID4VP: [ChecklistRow] = {
    let row = ChecklistSection(source: ChecklistSource.presentationProtocols)
    let kinds = DigitalCredentialPresentationProtocol.allCases.filter { $0 != .mobileDocument }
    let requested = kinds.enumerated().map { index, kind in
      row(
        "PRO-OID-0\(index + 1)", "a gesture, a request in \(kind.rawValue), and an abort after the call",
        accepted([Options.digital([Options.openID(kind)])]), "AbortError", Difference.withoutOpenID4VP("TypeError"))
    }
    // The names of drafts, and others that are almost right.
    let names = [
      "openid4vp", "urn:openid.net:oid4vp", "openid4vp-v1", "openid4vp-v2-unsigned", "openid4vp-v1-multi-signed",
      "OPENID4VP-V1-SIGNED", "openid4vp-v1-signed ",
    ]
    let rejected = names.enumerated().map { index, name in
      row(
        "PRO-OID-\(index + 11)", "the protocol is \"\(name)\"; no gesture",
        calls([Options.digital([Options.request(name, "{\"dcql_query\":{}}")])]), "TypeError")
    }
    let allowed = kinds.enumerated().map { index, kind in
      row(
        "UAP-OID-0\(index + 1)", "userAgentAllowsProtocol(\"\(kind.rawValue)\")", [.allows([kind.rawValue])], "allowed",
        Difference.withoutOpenID4VP("not allowed"))
    }
    let draft = row("UAP-OID-11", "userAgentAllowsProtocol(\"openid4vp\")", [.allows(["openid4vp"])], "not allowed")
    return requested + rejected + allowed + [draft]
  }()

  /// Sections 5 and 6 of the checklist: protocols and the interface.
  static let interface: [ChecklistRow] = {
    let names = ["ORG-ISO-MDOC", "", " org-iso-mdoc", "org-iso-mdoc ", "org-iso", "org_iso_mdoc", "unknown-protocol"]
    let rejected = names.enumerated().map { index, name in
      ChecklistRow(
        "PRO-0\(index + 2)", "the protocol is \"\(name)\"; no gesture",
        calls([Options.digital([Options.request(name, "{}")])]), "TypeError", source: ChecklistSource.protocols)
    }
    return [
      ChecklistRow(
        "PRO-01", "a gesture, the canonical org-iso-mdoc request, and an abort after the call",
        accepted([Options.valid]), "AbortError", source: ChecklistSource.protocols)
    ] + rejected + openID4VP + [
      ChecklistRow(
        "UAP-01", "userAgentAllowsProtocol() for the four presentation protocols",
        [.allows(DigitalCredentialPresentationProtocol.allCases.map(\.rawValue))], "allowed",
        source: ChecklistSource.allows),
      ChecklistRow(
        "UAP-02", "userAgentAllowsProtocol(\"protocol.banana\")", [.allows(["protocol.banana"])], "not allowed",
        source: ChecklistSource.allows),
      ChecklistRow(
        "HIS-01", "navigator.identity", [.exists("navigator.identity", in: "page")], "does not exist",
        source: "web-platform-tests/wpt historical (92829e91)"),
    ]
  }()
}
