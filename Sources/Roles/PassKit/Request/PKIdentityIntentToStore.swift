import JSON

/// An app's intention to store an element after the verification.
public struct PKIdentityIntentToStore: Sendable, Hashable, CustomStringConvertible {
  /// Indicates whether the app may store the element.
  public let mayStoreElement: Bool
  /// The longest time of storage in days; nil for no limit, and for an element that is not stored.
  public let days: Int?

  private init(mayStoreElement: Bool, days: Int? = nil) {
    self.mayStoreElement = mayStoreElement
    self.days = days
  }

  /// The app uses the element for this verification only.
  public static let willNotStore = PKIdentityIntentToStore(mayStoreElement: false)
  /// The app may store the element without a limit of time.
  public static let mayStore = PKIdentityIntentToStore(mayStoreElement: true)
  /// The app may store the element for a number of days.
  public static func mayStore(days: Int) -> PKIdentityIntentToStore {
    PKIdentityIntentToStore(mayStoreElement: true, days: days)
  }

  /// The intention in words.
  public var description: String {
    guard mayStoreElement else { return "will not be stored" }
    return days.map { "will be stored for \($0) day\($0 == 1 ? "" : "s")" } ?? "will be stored"
  }
}

extension PKIdentityIntentToStore: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("mayStoreElement", \.mayStoreElement), Member(optional: "days", \.days))
}
