import InteractiveWorlds
import Telling
import Vocabulary

/// Presentation in person: the phone's code, and the acts at a terminal.
extension DemoScreen {
  /// Keys for the terminals that a phone is held to, in order.
  private static let keys = Array("hHJL")
  /// Keys for the clerk's answers, in order.
  private static let clerkKeys = Array("yx")

  /// The code of a phone for a terminal.
  static func codeInPerson(_ screen: QRCodeScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    DemoScreen(
      title: screen.says(screen.title), code: screen.uri.map(Code.init), lines: [Line(screen.says(screen.message))],
      choices: holds(device, by: .qrCode, state) + closing(screen, device))
  }

  /// The control that closes a code.
  static func closing(_ screen: QRCodeScreen, _ device: String) -> [Choice] {
    screen.buttons.map { Choice(key: "c", label: screen.says($0), action: .step(.cancelCode(device: device))) }
  }

  /// The ways to begin on a phone at hand.
  static func inPerson(_ state: DemoState) -> [Choice] {
    let answering = state.devicesInUse.answering
    guard let device = state.world.devices.first(where: { $0.identifier == answering }),
      state.world.presentsInPerson(device)
    else { return [] }
    return [Choice(key: "s", label: state.says(.showMyCode, on: answering), action: act(.showCode, answering, state))]
      + holds(answering, by: .nfc, state)
  }

  private static func holds(_ device: String, by way: Action.Engagement, _ state: DemoState) -> [Choice] {
    zip(keys, state.terminals).map { key, terminal in
      Choice(
        key: key, label: "hold it to \(terminal.title)" + (way == .nfc ? ", by NFC" : ""),
        action: act(.hold(terminal: terminal.identifier, by: way), device, state))
    }
  }

  /// The answers of the clerk that a terminal waits for.
  static func clerk(_ state: DemoState) -> [Choice] {
    guard let terminal = state.terminals.first(where: { !$0.answers.isEmpty }) else { return [] }
    return zip(clerkKeys, terminal.answers).map { key, answer in
      Choice(key: key, label: "the clerk: \(answer.label)", action: .clerk(answer, terminal: terminal.identifier))
    }
  }
}
