import Ecosystem
import LocatedYAML
import Messaging
import MobileDocument
import Primitives

extension Step {
  /// The step in one sentence, for people who follow a run.
  ///
  /// - Parameters:
  ///   - focus: the page and the device used last before the step; nil if the world does not exist.
  ///   - names: the titles of the world's parts.
  public func words(in focus: World.Focus?, _ names: WorldNames) -> String {
    let sentence: String
    switch content {
    case .action(.person(.wait(let duration))): sentence = "the person waits \(DurationUnit.text(duration))"
    case .action(let action): sentence = focus.map { action.words(in: $0, names) } ?? text
    case .restartWorld: sentence = "the world is restarted from its storage"
    case .fault(.begins(let planned)): sentence = "a fault begins: \(planned.title)"
    case .fault(.ends(let fault)): sentence = "a fault ends: \(fault.title)"
    case .expectation(let expected): sentence = expected.words(names)
    }
    let failing = fails.map { ", which fails: \($0)" } ?? ""
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + failing
  }
}

extension Expectation {
  /// The expectation in one sentence.
  ///
  /// - Parameter names: the titles of the world's parts.
  public func words(_ names: WorldNames) -> String {
    switch self {
    case .prompt(let expected): expected.words
    case .notification(let expected): expected.words(names)
    case .selector(let expected): expected.words
    case .consent(let expected): expected.words
    case .website(let expected): expected.words(names)
    case .code(let expected): expected.words
    case .inApp(let expected): expected.words
    case .exception(let expected): expected.words
    case .decision(let expected): expected.words
    case .messages(let expected): expected.words(names)
    case .tally(let expected): expected.words(names)
    case .invariants: "all invariants hold"
    }
  }
}

/// Parts of a sentence about one subject.
private func sentence(_ subject: String, _ parts: [String?], otherwise: String) -> String {
  let parts = parts.compactMap(\.self)
  return "\(subject) \(parts.isEmpty ? otherwise : parts.joined(separator: ", "))"
}

/// Names in a sentence: `A, B and C`.
private func list(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return "\(names.dropLast().joined(separator: ", ")) and \(last)"
}

/// Elements in a sentence, with the names that a consent sheet shows.
private func elements(_ identifiers: [String]) -> String {
  list(identifiers.map { DataElementCatalogue.label(identifier: $0) })
}

private func quoted(_ texts: [String]?) -> String? {
  texts.map { texts in list(texts.map { "\u{201C}\($0)\u{201D}" }) }
}

extension PromptExpectation {
  fileprivate var words: String {
    app.map { "the system asks whether \($0) may provide documents" }
      ?? (isShown == true ? "a prompt is on the screen" : "no prompt is on the screen")
  }
}

extension NotificationExpectation {
  fileprivate func words(_ names: WorldNames) -> String {
    let subject = device.map(names.device) ?? "the iPhone"
    if isShown == false { return "\(subject) shows no notification" }
    return sentence(
      "\(subject) shows a notification",
      [
        mac.map { "for \(names.device($0))" }, origin.map { "with the origin \($0)" },
        quoted(mentions).map { "that says \($0)" },
      ],
      otherwise: "for a Mac")
  }
}

extension QRCodeExpectation {
  fileprivate var words: String {
    switch isShown {
    case true?: "the browser shows a QR code"
    case false? where mentions == nil: "no QR code is on the screen"
    default: "the browser says \(quoted(mentions) ?? "nothing beside a QR code")"
    }
  }
}

extension SelectorExpectation {
  fileprivate var words: String {
    sentence(
      "the selector",
      [
        shows.map { $0.isEmpty ? "offers no app" : "offers \(list($0))" },
        offers.map { "offers documents of \(list($0.map(\.name)))" },
        hides.map { $0.isEmpty ? "hides no app" : "hides \(list($0.map(\.name)))" },
        origin.map { "shows the origin \($0)" }, notice.map { "says \u{201C}\($0)\u{201D}" },
      ], otherwise: "is open")
  }
}

extension ConsentExpectation {
  fileprivate var words: String {
    if isShown == false { return "no app asks for consent" }
    return sentence(
      "the consent sheet",
      [
        requester.map { "names \($0)" },
        certified.map { $0 ? "says that the name is certified" : "does not say that the name is certified" },
        asks.map { "asks for \(elements($0))" },
        retains.map { $0.isEmpty ? "says that nothing will be stored" : "says that \(elements($0)) will be stored" },
        storage.map { "tells how long \(elements($0.map(\.name))) will be stored" },
        quoted(mentions).map { "says \($0)" }, agreesWith.map { "agrees with \(list($0))" },
        notice.map { "says \u{201C}\($0)\u{201D}" }, icon.map { "shows the icon \($0)" },
      ], otherwise: "is open")
  }
}

extension WebsiteExpectation {
  fileprivate func words(_ names: WorldNames) -> String {
    sentence(
      (frame.map { "the frame \($0) of " } ?? "") + (name.map(names.website) ?? "the website"),
      [
        verified.map { "has verified \(elements($0.map(\.name)))" },
        refused.map { "refuses the response: \($0)" }, explained.map { "explains it: \($0)" },
        fallsBack.map { "falls back after \($0)" }, step.map { "is at the step \($0.rawValue)" },
        form.map { $0 == "offered" ? "offers a form" : "refuses the picture: \($0)" },
        quoted(mentions).map { "says \($0)" }, without.map { "has not verified \(elements($0))" },
      ], otherwise: "has a page")
  }
}

extension InAppExpectation {
  fileprivate var words: String {
    sentence(
      name ?? "the app",
      [
        isAvailable.map { $0 ? "can request the document" : "cannot request the document" },
        verified.map { "has verified \(elements($0.map(\.name)))" }, refused.map { "refuses the answer: \($0)" },
        error.map { "gets the error \($0)" }, without.map { "has not verified \(elements($0))" },
      ], otherwise: "has a screen")
  }
}

extension ExceptionExpectation {
  fileprivate var words: String {
    sentence(
      "the \(frame.map { "call of the frame \($0)" } ?? "page's call") throws",
      [name ?? "an exception", code, quoted(mentions).map { "that says \($0)" }],
      otherwise: "an exception")
  }
}

extension DecisionExpectation {
  fileprivate var words: String {
    let subject = Party.Role(rawValue: role).map { Party($0, "").shortTitle } ?? role
    let times = count.map { ", \($0.counted("time"))" } ?? ""
    return "the \(subject.isEmpty ? role : subject) decides \(code)\(outcome.map { ": \($0)" } ?? "")\(times)"
  }
}

extension MessagesExpectation {
  fileprivate func words(_ names: WorldNames) -> String {
    let ends = [sender.map { "from \($0)" }, recipient.map { "to \($0)" }, device.map { "on \(names.device($0))" }]
    let what = [kind.map { "of the kind \($0.rawValue)" }] + ends
    let rest = what.compactMap(\.self).map { " \($0)" }.joined()
    return "\(count.counted("message"))\(rest) \(count == 1 ? "has" : "have") been sent so far"
  }
}

extension TallyExpectation {
  fileprivate func words(_ names: WorldNames) -> String {
    let event =
      switch subject {
      case .prompts: "the system has asked whether an app may provide documents"
      case .asked: "\(app ?? "an app") has asked for consent"
      case .released: "\(app ?? "an app") has got the raw request"
      case .answered: "\(app ?? "an app") has answered"
      case .verified: "\(website.map(names.website) ?? "a website") has verified a response"
      }
    return count == 0 ? "not yet: \(event)" : "\(event), \(count.counted("time")) so far"
  }
}
