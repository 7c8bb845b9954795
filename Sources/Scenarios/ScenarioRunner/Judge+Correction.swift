import Ecosystem
import Messaging
import Primitives
import ScenarioLanguage

/// The reason why no expectation of the same kind with the same keys and the same sense holds.
struct Uncorrectable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// A correction would turn a result into another kind of result. A check of security could vanish with it.
  static func otherKind(_ found: String) -> Uncorrectable {
    Uncorrectable("\(found), which is another kind of result")
  }
}

/// Expectations that hold, made of those that do not. A correction changes values. It does not turn a result into another
/// kind of result, a yes into a no, none into some, or the reverse.
extension Judge {
  /// A prompt for another app.
  func corrected(
    _ expected: PromptExpectation, view: PersonView
  ) throws(Uncorrectable) -> PromptExpectation {
    let found = view.prompt(on: device)?.app
    guard (found == nil) == (expected.app == nil) else {
      throw .otherKind(found.map { "a prompt for \($0) is on the screen" } ?? "no prompt is on the screen")
    }
    var corrected = expected
    corrected.app = found
    return corrected
  }

  /// A notification with other contents.
  func corrected(
    _ expected: NotificationExpectation, view: PersonView
  ) throws(Uncorrectable) -> NotificationExpectation {
    guard let found = view.notification(on: device) else { throw .otherKind("\(device) shows no notification") }
    if expected.isShown == false { throw .otherKind("\(device) shows a notification") }
    var corrected = expected
    if expected.origin != nil { corrected.origin = found.origin }
    if expected.mac != nil { corrected.mac = found.mac }
    corrected.mentions = try Self.corrected(expected.mentions, in: [found.title, found.model])
    return corrected
  }

  /// A QR code with another message.
  func corrected(_ expected: QRCodeExpectation, view: PersonView) throws(Uncorrectable) -> QRCodeExpectation {
    let screen = view.code(on: pageDevice)
    if let isShown = expected.isShown, isShown != (screen?.uri != nil) {
      throw .otherKind(isShown ? "no QR code is on the screen" : "a QR code is on the screen")
    }
    var corrected = expected
    corrected.mentions = try Self.corrected(expected.mentions, in: (screen?.message).map { [$0] } ?? [])
    return corrected
  }

  /// A selector with other apps.
  func corrected(
    _ expected: SelectorExpectation, view: PersonView
  ) throws(Uncorrectable) -> SelectorExpectation {
    var corrected = expected
    let screen = view.selector(on: device)
    if let notice = expected.notice {
      corrected.notice = try Self.corrected(notice, to: screen?.notice ?? view.notice(on: device))
    }
    if let origin = expected.origin {
      guard let screen else { throw .otherKind("no selector is open") }
      if origin != screen.origin { corrected.origin = screen.origin }
    }
    guard expected.shows != nil || expected.offers != nil || expected.hides != nil else { return corrected }
    let selection = selection
    guard !selection.isEmpty else { throw .otherKind("the request did not reach the selector") }
    let offers = selection.compactMap(\.offer)
    if let shows = expected.shows {
      let found = offers.map(\.app)
      let kept = shows.filter(found.contains)
      corrected.shows = try Self.corrected(
        list: shows, to: kept + found.filter { !kept.contains($0) }.uniqued(), "the selector offers")
    }
    for (place, offer) in (expected.offers ?? []).enumerated() {
      guard let found = offers.first(where: { $0.app == offer.name }) else {
        throw .otherKind("the selector does not offer \(offer.name)")
      }
      corrected.offers?[place].value = try Self.corrected(
        list: offer.value, to: found.registrations.map(\.identifier), "\(offer.name) is offered with")
    }
    for (place, hidden) in (expected.hides ?? []).enumerated() {
      guard let found = selection.compactMap(\.miss).first(where: { $0.app == hidden.name }) else {
        throw .otherKind("the selector does not hide \(hidden.name)")
      }
      corrected.hides?[place].value = Self.corrected(hidden.value, toName: found.finding.name)
    }
    return corrected
  }

  /// A view with other contents.
  func corrected(
    _ expected: ConsentExpectation, view: PersonView
  ) throws(Uncorrectable) -> ConsentExpectation {
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
    return corrected
  }

  /// Another exception.
  func corrected(_ expected: ExceptionExpectation) throws(Uncorrectable) -> ExceptionExpectation {
    guard let found = latestException(in: recent) else { throw .otherKind("no call threw") }
    var corrected = expected
    if expected.name != nil { corrected.name = found.name }
    corrected.code = expected.code.map { Self.corrected($0, toName: found.code) }
    corrected.mentions = try Self.corrected(expected.mentions, in: [found.message])
    return corrected
  }

  /// Another number of decisions, or another explanation.
  func corrected(_ expected: DecisionExpectation) throws(Uncorrectable) -> DecisionExpectation {
    var corrected = expected
    if let count = expected.count {
      corrected.count = try Self.corrected(count, to: countedEntries(of: expected).count)
      return corrected
    }
    let found = decisions(of: expected).filter { $0.event.code.isName(expected: expected.code) }
    guard !found.isEmpty else { throw Uncorrectable("the decision did not happen") }
    if let outcome = expected.outcome, !found.contains(where: { $0.event.outcome == outcome }) {
      let outcomes = found.map { $0.event.outcome ?? "none" }.uniqued()
      throw .otherKind("the outcome is \(outcomes.joined(separator: ", "))")
    }
    corrected.explained = try Self.corrected(
      expected.explained, toOneOf: found.compactMap(\.event.check).flatMap(\.explanations))
    return corrected
  }
}
