import Telling

/// Something that must be so in a world.
public enum Expectation: Sendable, Equatable {
  /// The prompt on the screen.
  case prompt(PromptExpectation)
  /// The notification for another device, in the model of a nearby iPhone.
  case notification(NotificationExpectation)
  /// The apps that the selector offers and hides.
  case selector(SelectorExpectation)
  /// The consent sheet, or the app's own view.
  case consent(ConsentExpectation)
  /// The website's page in the end.
  case website(WebsiteExpectation)
  /// The QR code of a browser that asks another device.
  case code(QRCodeExpectation)
  /// The result in a requesting app.
  case inApp(InAppExpectation)
  /// The result at a terminal.
  case terminal(TerminalExpectation)
  /// The exception that the page's newest call threw.
  case exception(ExceptionExpectation)
  /// A decision of a party since the last action.
  case decision(DecisionExpectation)
  /// The number of messages so far.
  case messages(MessagesExpectation)
  /// The number of events of a kind so far.
  case tally(TallyExpectation)
  /// The invariants of every run, so far.
  case invariants

  /// The device that the expectation names; nil for the one used last.
  public var device: String? {
    switch self {
    case .prompt(let expected): expected.device
    case .notification(let expected): expected.device
    case .selector(let expected): expected.device
    case .consent(let expected): expected.device
    case .website(let expected): expected.device
    case .code(let expected): expected.device
    case .inApp(let expected): expected.device
    case .exception(let expected): expected.device
    case .decision(let expected): expected.device
    case .messages(let expected): expected.device
    case .tally(let expected): expected.device
    case .terminal, .invariants: nil
    }
  }
}

extension Expectation {
  /// The expectation in one sentence.
  ///
  /// - Parameter names: The titles of the world's parts.
  public func words(_ names: WorldNames) -> String {
    switch self {
    case .prompt(let expected): expected.words
    case .notification(let expected): expected.words(names)
    case .selector(let expected): expected.words
    case .consent(let expected): expected.words(names)
    case .website(let expected): expected.words(names)
    case .code(let expected): expected.words
    case .inApp(let expected): expected.words
    case .terminal(let expected): expected.words(names)
    case .exception(let expected): expected.words
    case .decision(let expected): expected.words
    case .messages(let expected): expected.words(names)
    case .tally(let expected): expected.words(names)
    case .invariants: "all invariants hold"
    }
  }
}
