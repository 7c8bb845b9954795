import DigitalCredentials
import Testing

@Suite("get(): origins and permissions policy")
struct OriginAndPolicyTests {
  static let drawings: [Drawing] = [
    Drawing("OPQ-01 to OPQ-08, ORI-01", "get 1 frame opaque => reject 1 SecurityError browser.origin"),
    Drawing("OPQ-01", .safariMain2026, "get 1 frame opaque no-policy => reject 1 SecurityError browser.origin"),
    Drawing("OPQ-01", .chromium2026, "get 1 frame opaque => reject 1 NotAllowedError browser.origin"),
    Drawing("OPQ-09 to OPQ-11, OPQ-15", "get 1 inner => consume 1, present 1"),
    Drawing("OPQ-12, OPQ-13", "get 1 opaque insecure => reject 1 TypeError browser.secure-context"),
    Drawing("OPQ-14", "get 1 opaque opaque-top => reject 1 SecurityError"),
    Drawing("an opaque page is never presented", "get 1 opaque-top => reject 1 SecurityError"),
    Drawing("ORI-02", "get 1 frame => consume 1, present 1 1 https://page.example"),
    Drawing("ORI-02", .safari26, "get 1 frame => consume 1, present 1 1 https://page.example"),
    Drawing("ORI-02", .safariMain2026, "get 1 frame => consume 1, present 1 1 https://page.example"),
    Drawing("ORI-02", .chromium2026, "get 1 frame => consume 1, present 1 1 https://frame.example"),
    Drawing("ORI-03", "get 1 inner => consume 1, present 1 1 https://page.example"),
    Drawing("ORI-04", "get 1 frame no-policy => reject 1 NotAllowedError browser.policy"),
  ]

  @Test("Draws checklist section 8 and origin binding", arguments: drawings)
  func origins(drawing: Drawing) throws {
    try drawing.run()
  }

  struct PolicyRow: Sendable, CustomTestStringConvertible {
    let id: String
    let allow: String?
    let isCrossOrigin: Bool
    let isAllowed: Bool
    var testDescription: String { id }
  }

  static let rows: [PolicyRow] = [
    PolicyRow(id: "POL-01", allow: nil, isCrossOrigin: false, isAllowed: true),
    PolicyRow(id: "POL-02", allow: nil, isCrossOrigin: true, isAllowed: false),
    PolicyRow(id: "POL-03", allow: "digital-credentials-get", isCrossOrigin: false, isAllowed: true),
    PolicyRow(id: "POL-04", allow: "digital-credentials-get", isCrossOrigin: true, isAllowed: true),
    PolicyRow(id: "POL-05", allow: "digital-credentials-get *", isCrossOrigin: false, isAllowed: true),
    PolicyRow(id: "POL-06", allow: "digital-credentials-get *", isCrossOrigin: true, isAllowed: true),
    PolicyRow(id: "POL-07", allow: "digital-credentials-get 'none'", isCrossOrigin: false, isAllowed: false),
    PolicyRow(id: "POL-08", allow: "digital-credentials-get 'none'", isCrossOrigin: true, isAllowed: false),
    PolicyRow(id: "POL-09", allow: "digital-credentials-get 'self'", isCrossOrigin: false, isAllowed: true),
    PolicyRow(id: "POL-10", allow: "digital-credentials-get 'self'", isCrossOrigin: true, isAllowed: false),
    PolicyRow(
      id: "POL-11", allow: "digital-credentials-get https://frame.example", isCrossOrigin: false, isAllowed: false),
    PolicyRow(
      id: "POL-12", allow: "camera; digital-credentials-get https://frame.example/x", isCrossOrigin: true,
      isAllowed: true),
    PolicyRow(id: "another feature", allow: "digital-credentials-create *", isCrossOrigin: true, isAllowed: false),
    PolicyRow(
      id: "the last wins", allow: "digital-credentials-get *;digital-credentials-get 'none'", isCrossOrigin: true,
      isAllowed: false),
  ]

  @Test("Follows checklist section 7", arguments: rows)
  func policy(row: PolicyRow) throws {
    let origin = row.isCrossOrigin ? Fixtures.frame : Fixtures.page
    let page = PermissionsPolicy(topLevel: Fixtures.page)
    let allow = row.allow.flatMap { PolicyAllowlist.reading(allow: $0, container: Fixtures.page, source: origin) }
    let policy = page.framing(origin, allow: allow)
    #expect(policy.allowsUse == row.isAllowed)
    let call = policy.allowsUse ? "get 1 frame" : "get 1 frame no-policy"
    let result = row.isAllowed ? "TypeError browser.requests/empty" : "NotAllowedError browser.policy"
    let options = "{\"digital\":{\"requests\":[]},\"mediation\":\"required\"}"
    try Drawing(row.id, "\(call) < \(options) => reject 1 \(result)").run()
  }

  @Test("POL-13: by default allows only the page and frames of its origin")
  func defaults() {
    let page = PermissionsPolicy(topLevel: Fixtures.page)
    #expect(page.allowsUse)
    #expect(page.framing(Fixtures.page).allowsUse)
    #expect(!page.framing(Fixtures.frame).allowsUse)
    #expect(!page.framing(.opaque()).allowsUse)
    #expect(page.framing(.opaque(), allow: .everyOrigin).allowsUse)
  }

  @Test("POL-15: a header at the top denies every document, and no attribute restores it")
  func header() {
    let page = PermissionsPolicy(topLevel: Fixtures.page, declared: .origins([]))
    #expect(!page.allowsUse)
    #expect(!page.framing(Fixtures.page, allow: .everyOrigin).allowsUse)
    let frame = page.framing(Fixtures.frame, allow: .everyOrigin, declared: .everyOrigin)
    #expect(!frame.allowsUse)
    #expect(!frame.framing(Fixtures.page, allow: .everyOrigin).allowsUse)
  }

  @Test("A header that lists one origin denies other frames")
  func listing() {
    let page = PermissionsPolicy(topLevel: Fixtures.page, declared: .origins([Fixtures.page]))
    #expect(page.allowsUse)
    #expect(!page.framing(Fixtures.frame, allow: .everyOrigin).allowsUse)
    let own = PermissionsPolicy(topLevel: Fixtures.page).framing(
      Fixtures.frame, allow: .everyOrigin, declared: .origins([]))
    #expect(!own.allowsUse)
  }
}
