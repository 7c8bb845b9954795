/// The view of an app on the screen of a device, as the operating system knows it. A touch of the person names the view that the
/// person saw, and counts for that view only: an agreement that is on its way while the app shows another document agrees to
/// nothing.
///
/// ```
/// app --view--> system --number--> person          each view that is shown has a new number
/// person --touch, number--> system --touch--> app  only if that view is still on the screen
/// ```
///
/// The system numbers the views itself and uses no number twice. So neither an app nor a late touch can take one view for
/// another. The app has numbers of its own, and gets the touched view's back.
public struct ViewOnScreen: Sendable {
  private struct View: Sendable {
    let app: String
    /// The app's own number of the view.
    let number: Int
  }

  private var newest = 0
  private var view: View?

  /// Creates a screen without a view.
  public init() {}

  /// Takes a view that an app shows, in place of the one before.
  /// - Parameters:
  ///   - number: The app's own number of the view.
  ///   - app: The name of the app.
  /// - Returns: The system's number of the view.
  public mutating func show(_ number: Int, of app: String) -> Int {
    newest += 1
    view = View(app: app, number: number)
    return newest
  }

  /// Returns the app's number of a view that the person touched, or nil if that view is not on the screen any more.
  /// - Parameters:
  ///   - number: The system's number of the view that the person saw.
  ///   - app: The name of the app that showed it.
  public func touched(_ number: Int, of app: String) -> Int? {
    guard number == newest, let view, view.app == app else { return nil }
    return view.number
  }

  /// Closes the view.
  public mutating func close() { view = nil }
}
