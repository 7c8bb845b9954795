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
  public var device: String? { content?.device }

  /// What must be so; nil for the invariants.
  var content: (any ExpectedContent)? {
    switch self {
    case .prompt(let expected): expected
    case .notification(let expected): expected
    case .selector(let expected): expected
    case .consent(let expected): expected
    case .website(let expected): expected
    case .code(let expected): expected
    case .inApp(let expected): expected
    case .terminal(let expected): expected
    case .exception(let expected): expected
    case .decision(let expected): expected
    case .messages(let expected): expected
    case .tally(let expected): expected
    case .invariants: nil
    }
  }

  /// The expectation in one sentence.
  ///
  /// - Parameter names: The titles of the world's parts.
  public func words(_ names: WorldNames) -> String { content?.words(names) ?? "all invariants hold" }
}

/// The contents of a kind of expectation.
protocol ExpectedContent: Sendable {
  /// The device; nil for the one used last, or for an expectation about none.
  var device: String? { get }

  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String
}
