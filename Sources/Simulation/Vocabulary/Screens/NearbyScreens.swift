import JSON
import NearbyDevices

/// The label of everything that a person sees of the model.
public enum NearbyModel {
  /// The label.
  public static let label = "A model of presentment: Apple's protocol between a Mac and an iPhone is not public."
}

/// The notification of an iPhone about a request on a Mac of its account.
public struct NotificationScreen: Sendable, Equatable {
  /// The title.
  public var title: String
  /// The origin of the website, as the Mac states it.
  public var origin: String
  /// The name of the Mac.
  public var mac: String
  /// Labels of the answers.
  public var buttons: [String]
  /// The label of the model.
  public var model: String

  /// The label of the answer that opens the selector.
  public static let `continue` = "Continue"
  /// The label of the answer that declines.
  public static let decline = "Decline"
}

extension NotificationScreen {
  package init(_ invitation: Invitation, mac: String) {
    title = "Verify your identity for \(invitation.website), on \(mac)"
    origin = invitation.origin
    self.mac = mac
    buttons = [Self.continue, Self.decline]
    model = NearbyModel.label
  }
}

extension NotificationScreen: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("title", \.title), Member("origin", \.origin), Member("mac", \.mac), Member("buttons", \.buttons),
    Member("model", \.model))
}

/// The sheet of a Mac that leads to a nearby iPhone, or to a QR code.
public struct ContinueScreen: Sendable, Equatable {
  /// The text.
  public var text: String
  /// The names of the iPhones with a notification.
  public var iPhones: [String]
  /// Labels of the buttons.
  public var buttons: [String]
  /// The label of the model.
  public var model: String

  /// The label of the button for the QR code.
  public static let useQRCode = "Use QR Code"
  /// The label of the button that ends the request.
  public static let cancel = "Cancel"

  /// The sheet while iPhones show a notification.
  package static func invited(_ names: [String]) -> ContinueScreen {
    ContinueScreen("Continue on \(names.joined(separator: " or ")).", iPhones: names)
  }

  /// The sheet after the person tapped a notification.
  package static func accepted(_ name: String) -> ContinueScreen {
    ContinueScreen("Continuing on \(name).", iPhones: [name])
  }

  /// The sheet after the last iPhone left.
  package static func choice(_ reason: InvitationMachine.PromptReason) -> ContinueScreen {
    switch reason {
    case .declined: ContinueScreen("Declined on the iPhone. You can use another device.", iPhones: [])
    case .noDocument: ContinueScreen("No app on the iPhone can answer. You can use another device.", iPhones: [])
    }
  }
}

extension ContinueScreen {
  private init(_ text: String, iPhones: [String]) {
    self.text = text
    self.iPhones = iPhones
    buttons = [Self.useQRCode, Self.cancel]
    model = NearbyModel.label
  }
}

extension ContinueScreen: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("text", \.text), Member("iPhones", \.iPhones), Member("buttons", \.buttons),
    Member("model", \.model))
}

/// The radio's report that the link to a device is lost: it was switched off.
package struct LostLinkBody: Sendable {
  /// The name of the device.
  package var device: String

  package init(device: String) { self.device = device }
}

extension LostLinkBody: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("device", \.device))
}
