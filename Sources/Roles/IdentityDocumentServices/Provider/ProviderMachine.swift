/// A provider app's part in presentments, as a pure machine: the app on the device, the presentment whose view may be on
/// the screen, and the person's decision in the view.
///
/// ```
/// absent --launched--> idle --requested--> presenting --viewReady--> asking
///    ^                  ^                   |      ^                   |
///    |                  +-------ended-------+      +-tapped: agrees or declines
///    +--removed, in every state             ^
///                                           +--requested again: the earlier view ends
/// ```
///
/// The code of a presentment runs in the app's extension, and can be late: after the end of its presentment, or after the
/// begin of another one. Each presentment has a number, so that a late view is not shown: its decision is `ended`.
package struct ProviderMachine: Sendable {
  /// A view of a presentment.
  package struct View: Sendable, Equatable {
    /// The number of the view, unique in the app.
    package let number: Int
    /// The number of the presentment whose code shows the view.
    package let presentment: Int
    /// The labels of the controls that agree.
    package let agreeing: [String]
    /// The labels of the controls that decline. A tap on anything else decides nothing.
    package let declining: [String]
    /// The identifiers of the documents that the person can choose.
    package let documents: [String]

    /// Creates a view.
    package init(
      _ number: Int, of presentment: Int, agreeing: [String], declining: [String], documents: [String] = []
    ) {
      self.number = number
      self.presentment = presentment
      self.agreeing = agreeing
      self.declining = declining
      self.documents = documents
    }
  }

  /// The end of a view.
  package enum Decision: Sendable, Equatable {
    /// The person touched a control that agrees.
    case agrees
    /// The person touched a control that declines.
    case declines
    /// The view is not on the screen any more, or was never: the person cannot decide.
    case ended
  }

  /// An input of the machine.
  package enum Event: Sendable, Equatable {
    /// The app was put on the device.
    case launched
    /// The app was taken from the device.
    case removed
    /// The system hands a partial request to the app.
    case requested
    /// The code of a presentment shows its view.
    case viewReady(View)
    /// The view on the screen has other controls now, with the same number.
    case changed(View)
    /// The person tapped a control of the view that has been shown as the one with a number.
    case tapped(String, in: Int = 1)
    /// The person chose a document in the view that has been shown as the one with a number.
    case chose(document: String, in: Int = 1)
    /// The system ends the presentment in progress.
    case ended
  }

  /// An output of the machine.
  package enum Effect: Sendable, Equatable {
    /// Open the app for the first time.
    case open
    /// Run the extension's code for the newest request, as the presentment with a number.
    case start(presentment: Int)
    /// Show a view.
    case show(view: Int)
    /// Show the view on the screen again, changed.
    case update(view: Int)
    /// Make the view on the screen again, with another document.
    case choose(view: Int, document: String)
    /// Return the decision to the code that shows a view.
    case decide(view: Int, Decision)
    /// Delete the app's documents.
    case erase
  }

  private enum State: Sendable {
    case absent
    case idle
    case presenting(Int)
    case asking(View)
  }

  private var state: State
  private var presentments = 0

  /// The number of times that the app has shown a view, which names the newest: a view that changed has another number. A
  /// touch of an earlier one is late, and decides nothing.
  package private(set) var shown = 0

  /// Creates a machine without a presentment.
  package init(isInstalled: Bool) { state = isInstalled ? .idle : .absent }

  /// Indicates whether the app is on the device.
  package var isInstalled: Bool { if case .absent = state { false } else { true } }

  /// The view on the screen, or nil if none is.
  package var view: View? { if case .asking(let view) = state { view } else { nil } }

  /// The number of the presentment in progress, or nil if none is.
  package var presentment: Int? {
    switch state {
    case .absent, .idle: nil
    case .presenting(let number): number
    case .asking(let view): view.presentment
    }
  }

  /// Returns the effects of an event, to be performed in their order. An event that does not fit the state has no effect.
  package mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (.absent, .launched):
      state = .idle
      return [.open]
    case (.absent, .viewReady(let view)): return [.decide(view: view.number, .ended)]
    case (.absent, _), (_, .launched): return []

    case (_, .requested):
      let ending = endView()
      presentments += 1
      state = .presenting(presentments)
      return ending + [.start(presentment: presentments)]
    case (_, .viewReady(let view)):
      guard view.presentment == presentment else { return [.decide(view: view.number, .ended)] }
      let ending = endView()
      state = .asking(view)
      shown += 1
      return ending + [.show(view: view.number)]
    case (.asking(let view), .changed(let changed)):
      guard changed.number == view.number, changed.presentment == view.presentment else { return [] }
      state = .asking(changed)
      shown += 1
      return [.update(view: view.number)]
    case (.asking(let view), .tapped(let label, let seen)):
      guard seen == shown, (view.agreeing + view.declining).contains(label) else { return [] }
      state = .presenting(view.presentment)
      return [.decide(view: view.number, view.agreeing.contains(label) ? .agrees : .declines)]
    case (.asking(let view), .chose(let document, let seen)):
      guard seen == shown, view.documents.contains(document) else { return [] }
      return [.choose(view: view.number, document: document)]
    case (_, .tapped), (_, .changed), (_, .chose): return []
    case (_, .ended):
      let ending = endView()
      state = .idle
      return ending
    case (_, .removed):
      let ending = endView()
      state = .absent
      return ending + [.erase]
    }
  }

  /// Returns the effect that ends the view on the screen, if one is.
  private func endView() -> [Effect] {
    guard case .asking(let view) = state else { return [] }
    return [.decide(view: view.number, .ended)]
  }
}
