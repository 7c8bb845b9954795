import DigitalCredentials

extension ChecklistRow {
  /// Section 7 of the checklist: permissions policies, once for each method.
  static let policies: [ChecklistRow] = CredentialOperation.allCases.flatMap { operation in
    let feature = operation.feature.rawValue
    let suffix = operation == .get ? "" : "-\(operation.rawValue)"
    let lists: [(allow: String?, own: Bool, other: Bool)] = [
      (nil, true, false), (feature, true, true), ("\(feature) *", true, true), ("\(feature) 'none'", false, false),
      ("\(feature) 'self'", true, false), ("\(feature) \(Document.otherOrigin)", false, true),
    ]
    let matrix = lists.enumerated().flatMap { index, row in
      [(false, row.own), (true, row.other)].enumerated().map { part, frame in
        let (isOther, isAllowed) = frame
        let number = index * 2 + part + 1
        let kind = DocumentSource.Kind.url(isOther ? Document.otherOrigin : Document.ownOrigin)
        return ChecklistRow(
          "POL-\(number < 10 ? "0" : "")\(number)\(suffix)",
          "\(operation.rawValue)() in a frame of \(isOther ? "another" : "the page's") origin, "
            + (row.allow.map { "allow=\"\($0)\"" } ?? "no allow attribute"),
          in: [.page, .frame(kind, allow: row.allow)], policyCall(operation, in: "frame"),
          isAllowed ? "TypeError" : "NotAllowedError", missing(operation, "TypeError", "NotSupportedError"),
          source: ChecklistSource.policy)
      }
    }
    return matrix + headers(operation)
  }

  private static func policyCall(_ operation: CredentialOperation, in name: String) -> [Step] {
    [.gesture(name), .call(operation, ChecklistOptions.options([], for: operation), in: name)]
  }

  private static func missing(
    _ operation: CredentialOperation, _ typeError: String, _ unsupported: String
  ) -> [Difference] {
    switch operation {
    case .get: []
    case .create: Difference.withoutCreate(unsupported)
    case .issue: Difference.withoutIssue(typeError)
    }
  }

  private static func headers(_ operation: CredentialOperation) -> [ChecklistRow] {
    let three = ["page", "frame", "other"].flatMap { policyCall(operation, in: $0) }
    let frames: [Document] = [.same(), .other("other")]
    let rows: [(id: String, header: String?, given: String, expected: String)] = [
      (
        operation == .create ? "POL-14" : "POL-13\(operation == .issue ? "-issue" : "")", nil,
        "the default policy: the page, a frame of its origin, and one of another",
        "2 x TypeError, NotAllowedError"
      ),
      (
        "POL-15\(operation == .get ? "" : "-\(operation.rawValue)")", "\(operation.feature.rawValue)=()",
        "the page's header turns the feature off: the page and both frames", "3 x NotAllowedError"
      ),
    ]
    return rows.map { row in
      ChecklistRow(
        row.id, "\(operation.rawValue)() under \(row.given)",
        in: [.page(DocumentSource(.url(Document.ownOrigin), permissionsPolicy: row.header))] + frames, three,
        row.expected, missing(operation, "3 x TypeError", "3 x NotSupportedError"),
        source: ChecklistSource.defaultPolicy)
    }
  }

  /// Sections 8 and 9 of the checklist: opaque origins and secure contexts.
  static let origins: [ChecklistRow] = {
    let own = Document.ownOrigin
    let all = "digital-credentials-get *"
    let scripts = "allow-scripts"
    let both = "allow-scripts allow-same-origin"
    let sandboxed = Document.frame(.url(own), allow: all, sandbox: scripts)
    let header = Document.frame(.url(own), allow: all, contentSecuritySandbox: scripts)
    func inner(_ name: String = "inner", in container: String = "frame", sandbox: String? = nil) -> Document {
      .frame(.url(own), name: name, in: container, allow: all, sandbox: sandbox)
    }
    func row(
      _ id: String, _ given: String, _ documents: [Document], in name: String, _ isOpaque: Bool,
      _ differences: [Difference]? = nil
    ) -> ChecklistRow {
      ChecklistRow(
        id, given, in: documents, [.gesture(name), .call(.get, ChecklistOptions.valid, in: name), .abort(1)],
        isOpaque ? "SecurityError" : "AbortError",
        differences ?? (isOpaque ? Difference.opaqueOrigin("NotAllowedError") : []), source: ChecklistSource.opaque)
    }
    // The recorded result passes, and no rule is known that separates these rows from OPQ-01 to OPQ-06.
    let unexplained = Difference.chromium(
      "NotAllowedError", "as OPQ-01 to OPQ-06; the recorded result (732afded) passes for a reason that is not known")
    let unread = Difference.chromium("NotAllowedError", "as OPQ-01; the recorded result (732afded) was not read")
    return [
      row("OPQ-01", "a sandboxed frame", [.page, sandboxed], in: "frame", true),
      row(
        "OPQ-02", "a sandboxed srcdoc frame", [.page, .frame(.srcdoc, allow: all, sandbox: scripts)], in: "frame", true),
      row("OPQ-03", "a frame whose header has CSP sandbox", [.page, header], in: "frame", true),
      row("OPQ-04", "a plain frame in a sandboxed frame", [.page, sandboxed, inner()], in: "inner", true),
      row(
        "OPQ-05", "a plain frame in a plain frame in a sandboxed frame",
        [.page, sandboxed, inner("middle"), inner(in: "middle")], in: "inner", true),
      row(
        "OPQ-06", "a frame with allow-same-origin in a sandboxed frame", [.page, sandboxed, inner(sandbox: both)],
        in: "inner", true),
      row(
        "OPQ-07", "a plain frame in a document with CSP sandbox", [.page, header, inner()], in: "inner", true,
        unexplained),
      row(
        "OPQ-08", "a frame with allow-same-origin in a document with CSP sandbox",
        [.page, header, inner(sandbox: both)],
        in: "inner", true, unexplained),
      row(
        "OPQ-09", "a sandboxed frame with allow-same-origin", [.page, .frame(.url(own), allow: all, sandbox: both)],
        in: "frame", false),
      row("OPQ-10", "a srcdoc frame", [.page, .frame(.srcdoc, allow: all)], in: "frame", false),
      row("OPQ-11", "a blob: frame", [.page, .frame(.blob, allow: all)], in: "frame", false),
      exposure("OPQ-12", "a data: frame", [.page, .frame(.data, allow: all)], in: "frame"),
      exposure(
        "OPQ-13", "a blob: frame that a sandboxed frame made",
        [.page, sandboxed, .frame(.blob, name: "inner", in: "frame", allow: all)], in: "inner",
        Difference.opaqueOrigin("exists")),
      row(
        "OPQ-14", "a sandboxed page",
        [.page(DocumentSource(.url(own), contentSecuritySandbox: SandboxTokens(scripts)))], in: "page", true, unread),
      row(
        "OPQ-15", "a sandboxed page with allow-same-origin",
        [.page(DocumentSource(.url(own), contentSecuritySandbox: SandboxTokens(both)))], in: "page", false),
      exposure("SEC-01", "a page over plain http", [.page(insecure)], in: "page"),
    ]
  }()

  private static var insecure: DocumentSource {
    do { return DocumentSource(.url(try Origin(serialized: "http://page.example"))) } catch {
      return DocumentSource(.data)
    }
  }

  private static func exposure(
    _ id: String, _ given: String, _ documents: [Document], in name: String, _ differences: [Difference] = []
  ) -> ChecklistRow {
    ChecklistRow(
      id, "DigitalCredential in \(given)", in: documents, [.exists("DigitalCredential", in: name)], "does not exist",
      differences, source: id == "SEC-01" ? ChecklistSource.secure : ChecklistSource.opaque)
  }
}
