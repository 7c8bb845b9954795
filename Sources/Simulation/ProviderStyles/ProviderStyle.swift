import IdentityDocumentServices
import Vocabulary

/// The code of a provider app in a world: an extension written against `IdentityDocumentServices`, by the name that world
/// files use.
public protocol ProviderStyle: Sendable {
  /// The name in world files.
  var name: String { get }
  /// A short description, for the reference page.
  var meaning: String { get }

  /// Returns the extension for one presentment, or for another call of the system.
  func provider(in surroundings: ProviderSurroundings) async -> any IdentityDocumentProvider
}

/// An app's authorization view as data, which a person, a terminal and a web page can show.
public struct ProviderView: Sendable, Equatable {
  /// The heading; nil for the heading of the shipped views.
  public var title: String?
  /// Lines of text below the requester.
  public var lines: [String]
  /// The labels of the controls that agree: the system releases the raw request after a touch of one only. `face-id` and
  /// `passcode` agree when the system has authenticated the owner.
  public var agreeing: [String]
  /// The labels of the controls that decline.
  public var declining: [String]
  /// True if the view has the requester's brand icon.
  public var showsBrand: Bool
  /// The texts of the heading and the lines, of a shipped style.
  package private(set) var texts: [ScreenText] = []

  /// Creates a view.
  public init(
    title: String? = nil, lines: [String] = [], agreeing: [String], declining: [String], showsBrand: Bool = false
  ) {
    self.title = title
    self.lines = lines
    self.agreeing = agreeing
    self.declining = declining
    self.showsBrand = showsBrand
  }

  /// Creates a view with texts in every language.
  package init(title: ScreenText, lines: [ScreenText], agreeing: ScreenWord, declining: ScreenWord) {
    self.init(
      title: title.english, lines: lines.map(\.english), agreeing: [agreeing.english], declining: [declining.english])
    texts = [title] + lines
  }
}
