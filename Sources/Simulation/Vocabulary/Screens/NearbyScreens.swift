import JSON
import NearbyDevices

/// The label of everything that a person sees of the model.
public enum NearbyModel {
  /// The label.
  public static let label = "A model of presentment: Apple's protocol with a nearby iPhone is not public."
}

/// The notification of an iPhone about a request on another device of its account.
public struct NotificationScreen: LocalScreen, Equatable, JSONObject {
  /// The title.
  public var title: String
  /// The origin of the website, as the asking device states it.
  public var origin: String
  /// The name of the asking device.
  public var mac: String
  /// Labels of the answers.
  public var buttons: [String]
  /// The label of the model.
  public var model: String
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  /// The label of the answer that opens the selector.
  public static let `continue` = "Continue"
  /// The label of the answer that declines.
  public static let decline = "Decline"

  package static let json = JSONForm<Self>(
    Self.init, Member("title", \.title), Member("origin", \.origin), Member("mac", \.mac), Member("buttons", \.buttons),
    Member("model", \.model), Member(optional: "local", \.local))
}

extension NotificationScreen {
  package init(_ invitation: Invitation, mac: String, in language: Language = .english) {
    let asked = ScreenText(.notificationTitle, ["website": .name(invitation.website), "mac": .name(mac)])
    title = asked.english
    origin = invitation.origin
    self.mac = mac
    buttons = [Self.continue, Self.decline]
    model = NearbyModel.label
    local = LocalTexts(language, [asked, ScreenText(.nearbyModel)] + buttons.map(ScreenWord.control))
  }
}

/// The sheet of a Mac, an iPad or an iPhone that leads to a nearby iPhone, or to a QR code.
public struct ContinueScreen: LocalScreen, Equatable, JSONObject {
  /// The text.
  public var text: String
  /// The names of the iPhones with a notification.
  public var iPhones: [String]
  /// Labels of the buttons.
  public var buttons: [String]
  /// The label of the model.
  public var model: String
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  /// The label of the button for the QR code.
  public static let useQRCode = "Use QR Code"
  /// The label of the button that ends the request.
  public static let cancel = "Cancel"

  /// The sheet while iPhones show a notification.
  package static func invited(_ names: [String], in language: Language = .english) -> ContinueScreen {
    let first = ScreenText.Value.name(names.first ?? "")
    let all = names.dropFirst().reduce(first) { one, other in
      .text(ScreenText(.either, ["one": one, "other": .name(other)]))
    }
    return ContinueScreen(ScreenText(.continueOn, ["device": all]), iPhones: names, in: language)
  }

  /// The sheet after the person tapped a notification.
  package static func accepted(_ name: String, in language: Language = .english) -> ContinueScreen {
    ContinueScreen(ScreenText(.continuingOn, ["device": .name(name)]), iPhones: [name], in: language)
  }

  /// The sheet after the last iPhone left.
  package static func choice(
    _ reason: InvitationMachine.PromptReason, in language: Language = .english
  ) -> ContinueScreen {
    let word: ScreenWord =
      switch reason {
      case .declined: .declinedOnIPhone
      case .noDocument: .noAppOnIPhone
      }
    return ContinueScreen(ScreenText(word), iPhones: [], in: language)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("text", \.text), Member("iPhones", \.iPhones), Member("buttons", \.buttons),
    Member("model", \.model), Member(optional: "local", \.local))
}

extension ContinueScreen {
  private init(_ shown: ScreenText, iPhones: [String], in language: Language) {
    text = shown.english
    self.iPhones = iPhones
    buttons = [Self.useQRCode, Self.cancel]
    model = NearbyModel.label
    local = LocalTexts(language, [shown, ScreenText(.nearbyModel)] + buttons.map(ScreenWord.control))
  }
}

/// The radio's report that the link to a device is lost: it was switched off.
package struct LostLinkBody: Sendable, JSONObject {
  /// The name of the device.
  package var device: String

  package init(device: String) { self.device = device }

  package static let json = JSONForm<Self>(Self.init, Member("device", \.device))
}
