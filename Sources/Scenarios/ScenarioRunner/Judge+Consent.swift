import LocatedYAML
import Primitives
import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the view on the screen.
  func judge(_ expected: ConsentExpectation, view: PersonView) -> ExpectationFailure? {
    let screen = view.authorization(on: device)
    if let notice = expected.notice,
      let failure = judge(notice, of: "consent", found: screen?.notice ?? view.notice(on: device))
    {
      return failure
    }
    if expected.isShown == false {
      return screen.map {
        ExpectationFailure(at: StepPath("consent", "shown"), "the view of \($0.app) is on the screen")
      }
    }
    if expected.hasNoticeOnly { return nil }
    guard let screen else {
      return ExpectationFailure(
        "no app asks for consent", note: view.selector(on: device).map { _ in "the selector is open" },
        evidence: latestFailures())
    }
    func compare<Value: Equatable & CustomStringConvertible>(
      _ expected: Value?, _ found: Value, _ key: String, _ what: String
    ) -> ExpectationFailure? {
      guard let expected, expected != found else { return nil }
      return ExpectationFailure(
        at: StepPath("consent", key), "the consent sheet shows another \(what)", note: "it shows \(found)")
    }
    func compare(
      _ expected: [String]?, _ found: [String], _ key: String, _ what: String, _ noun: String = "elements"
    ) -> ExpectationFailure? {
      guard let expected else { return nil }
      var surplus = found
      var missing: [String] = []
      for name in expected {
        if let position = surplus.firstIndex(of: name) { surplus.remove(at: position) } else { missing.append(name) }
      }
      if missing.isEmpty && surplus.isEmpty { return nil }
      return ExpectationFailure(
        at: StepPath("consent", key), "the consent sheet \(what) other \(noun)",
        evidence: [
          missing.isEmpty ? nil : "missing: \(missing.joined(separator: ", "))",
          surplus.isEmpty ? nil : "not expected: \(surplus.joined(separator: ", "))",
        ].compactMap(\.self))
    }
    let documents =
      compare(expected.offers, screen.documents.map(\.identifier), "offers", "offers", "documents")
      ?? compare(expected.document, screen.chosen.map(\.identifier), "document", "gives", "documents")
      ?? compare(expected.issuer, screen.chosen.map(\.issuer), "issuer", "names", "issuers")
    let elements =
      compare(expected.asks, screen.elements.map(\.identifier), "asks", "asks for")
      ?? compare(expected.gives, screen.given.map(\.identifier), "gives", "gives")
      ?? compare(expected.lacks, screen.absent.map(\.identifier), "lacks", "does not give")
      ?? wrongStorage(expected.storage, on: screen)
    return compare(expected.requester, screen.requester, "requester", "requester")
      ?? compare(expected.icon, screen.icon ?? "none", "icon", "icon")
      ?? compare(expected.logotype, screen.logotype != nil, "logotype", "picture")
      ?? compare(expected.certified, screen.isRequesterCertified, "certified", "certification")
      ?? documents ?? elements
      ?? compare(
        expected.retains, screen.elements.filter(\.isRetained).map(\.identifier), "retains", "says that it retains")
      ?? compare(expected.agreesWith, screen.agreeing, "agrees-with", "agrees with", "controls")
      ?? judge(mentions: expected.mentions, of: "consent", in: screen.text, "view")
      ?? judge(says: expected.says, of: "consent", found: screen.shownTexts)
  }

  /// Judges the words about the storage of some elements.
  private func wrongStorage(_ expected: [Named<String>]?, on screen: AuthorizationScreen) -> ExpectationFailure? {
    for element in expected ?? [] {
      let found = screen.elements.first { $0.identifier == element.name }?.storageText
      guard found != element.value else { continue }
      return ExpectationFailure(
        at: StepPath("consent", "storage", element.name), "the consent sheet says something else about \(element.name)",
        note: found.map { "it \($0)" } ?? "it is not on the sheet")
    }
    return nil
  }

  /// A view with other contents.
  func corrected(_ expected: ConsentExpectation, view: PersonView) throws(Uncorrectable) -> ConsentExpectation {
    var corrected = expected
    let screen = view.authorization(on: device)
    if let notice = expected.notice {
      corrected.notice = try Self.corrected(notice, to: screen?.notice ?? view.notice(on: device))
    }
    if expected.isShown == false {
      if let screen { throw .otherKind("the view of \(screen.app) is on the screen") }
      return corrected
    }
    guard let screen else {
      if expected.hasNoticeOnly { return corrected }
      throw .otherKind("no app asks for consent")
    }
    if let certified = expected.certified, certified != screen.isRequesterCertified {
      throw .otherKind(certified ? "the requester is not certified" : "the requester is certified")
    }
    if expected.requester != nil { corrected.requester = screen.requester }
    if expected.icon != nil { corrected.icon = screen.icon ?? "none" }
    if expected.logotype != nil { corrected.logotype = screen.logotype != nil }
    corrected.offers = try Self.corrected(expected.offers, to: screen.documents.map(\.identifier), "the view offers")
    corrected.document = try Self.corrected(expected.document, to: screen.chosen.map(\.identifier), "the view gives")
    corrected.issuer = try Self.corrected(expected.issuer, to: screen.chosen.map(\.issuer), "the view names")
    corrected.gives = try Self.corrected(expected.gives, to: screen.given.map(\.identifier), "the view gives")
    corrected.lacks = try Self.corrected(expected.lacks, to: screen.absent.map(\.identifier), "the view does not give")
    corrected.asks = try Self.corrected(expected.asks, to: screen.elements.map(\.identifier), "the view asks for")
    corrected.retains = try Self.corrected(
      expected.retains, to: screen.elements.filter(\.isRetained).map(\.identifier), "the requester retains")
    corrected.agreesWith = try Self.corrected(expected.agreesWith, to: screen.agreeing, "the view agrees with")
    for (place, element) in (expected.storage ?? []).enumerated() {
      guard let found = screen.elements.first(where: { $0.identifier == element.name }) else {
        throw .otherKind("\(element.name) is not on the sheet")
      }
      corrected.storage?[place].value = found.storageText
    }
    corrected.mentions = try Self.corrected(expected.mentions, in: screen.text)
    corrected.says = try Self.corrected(expected.says, in: screen.shownTexts)
    return corrected
  }
}

extension ConsentExpectation {
  /// True if nothing but a message is expected.
  fileprivate var hasNoticeOnly: Bool {
    var rest = self
    (rest.notice, rest.device) = (nil, nil)
    return notice != nil && rest == ConsentExpectation()
  }
}
