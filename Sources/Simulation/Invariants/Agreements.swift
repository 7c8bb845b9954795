import JSON
import Messaging
import Vocabulary

/// The views that apps show, and the views in which the person agreed, by what the person saw and did: the view on the
/// screen, the tap on one of its controls that agree, and the system's word to the app. What the system and the apps say
/// about the agreement themselves is not believed.
struct Agreements {
  /// An agreement of the person.
  struct Agreement {
    /// The view that the person saw.
    let screen: AuthorizationScreen
    /// The message with the view, and the person's tap.
    let messages: [Message]
  }

  private struct View {
    let screen: AuthorizationScreen
    let shown: Message
    /// The person's tap on a control that agrees, with its label.
    var tap: (label: String, message: Message)?
  }

  /// The view on the screen of a device, by the device's name.
  private var views: [String: View] = [:]
  /// The agreements that the system passed on, by the app's party.
  private var agreements: [Party: Agreement] = [:]

  /// The agreement that an app may act on now.
  func agreement(for app: Party) -> Agreement? { agreements[app] }

  /// Takes the next message of a run.
  mutating func take(_ observed: ObservedMessage) {
    let message = observed.message
    let (sender, recipient) = (message.sender, message.recipient)
    switch message.kind {
    case .authorize, .requestIdentity, .endApp: agreements[recipient] = nil
    case .cancel, .abandon: agreements[sender] = nil
    case .show where recipient.role == .person:
      guard let screen = message.body(AuthorizationScreen.self) else { return }
      // A view that changes while it is open, such as after another face, is agreed to in its new state.
      views[sender.name] = View(screen: screen, shown: message)
    case .dismissInterface: views[sender.name] = nil
    case .tap where sender.role == .person && recipient.role == .operatingSystem:
      guard let label = observed.text("label"), var view = views[recipient.name],
        view.screen.number == observed.view
      else { return }
      let target = observed.text("target")
      let isAgreeing = target == "appView" || target == "authenticate" && observed.text("result") == "succeeds"
      view.tap = isAgreeing && view.screen.agreeing.contains(label) ? (label, message) : nil
      views[recipient.name] = view
    case .tap where sender.role == .operatingSystem && recipient.role == .app:
      guard let view = views[sender.name], let tap = view.tap, observed.text("label") == tap.label,
        recipient.name == "\(sender.name)/\(view.screen.app)"
      else { return }
      agreements[recipient] = Agreement(screen: view.screen, messages: [view.shown, tap.message])
    default: break
    }
  }

  /// Ends the agreement of an app, which has answered.
  mutating func use(of app: Party) { agreements[app] = nil }
}
