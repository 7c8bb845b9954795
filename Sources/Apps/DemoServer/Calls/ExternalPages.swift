import Foundation
import InteractiveWorlds
import Primitives
import Synchronization

/// The external pages that joined: one entry, and one live world, for each origin in each place.
final class ExternalPages: Sendable {
  /// The world or the scenario that pages join.
  struct Place: Hashable {
    var world: String?
    var scenario: String?
    var seed: UInt64?
    /// The browser that the page wants in place of the world's.
    var browser: Browser?
  }

  /// A browser of a place.
  struct Browser: Hashable {
    /// The name of its profile.
    var profile: String
    /// The device; nil for the one whose browser shows the pages.
    var device: String?
  }

  struct Page: Sendable {
    let identifier: String
    let place: Place
    let origin: String
    /// The last time at which the page joined.
    var joined = DateTime(Date())
    /// The order of joining.
    var turn = 0
    var calls = 0
    /// The faults for its calls.
    var faults: [DemoFault] = []
    /// The faults that its script element named when it joined last.
    var named: [DemoFault] = []
    /// The page's world; nil before it begins and after it has ended.
    var world: String?
    /// The faults that were begun in a world.
    var acting: (world: String, faults: [DemoFault])?

    init(identifier: String, place: Place, origin: String) {
      (self.identifier, self.place, self.origin) = (identifier, place, origin)
    }
  }

  /// The maximum number of entries: more than a person keeps apart. A new entry replaces the one that joined first.
  static let maximumCount = 64

  private struct State: Sendable {
    var pages: [String: Page] = [:]
    var turn = 0
    /// The last change of each page's faults.
    var changes: [String: Task<Result<Void, InteractiveWorldError>, Never>] = [:]
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextReader = 0
  }

  private let state = Mutex(State())

  /// The pages, the last that joined first.
  var all: [Page] { state.withLock { $0.pages.values.sorted { $0.turn > $1.turn } } }

  func page(_ identifier: String) -> Page? { state.withLock { $0.pages[identifier] } }

  /// Returns the page with a world.
  func page(inWorld world: String) -> Page? {
    state.withLock { $0.pages.values.first { $0.world == world } }
  }

  /// Adds a page, or notes that it joined again. The faults that its script element names replace the chosen ones if they
  /// are not those that it named before, so that a choice made elsewhere outlasts a reload of the page.
  ///
  /// - Returns: the entry, and the faults for its next calls.
  func join(_ origin: String, in place: Place, naming named: [DemoFault]) -> (page: Page, faults: [DemoFault]) {
    let joined = state.withLock { state -> (Page, [DemoFault]) in
      state.turn += 1
      let known = state.pages.values.first { $0.origin == origin && $0.place == place }
      var page = known ?? Page(identifier: "page-\(state.turn)", place: place, origin: origin)
      (page.joined, page.turn) = (DateTime(Date()), state.turn)
      let faults = named == page.named ? page.faults : named
      page.named = named
      state.pages[page.identifier] = page
      if state.pages.count > Self.maximumCount, let oldest = state.pages.values.min(by: { $0.turn < $1.turn }) {
        state.pages[oldest.identifier] = nil
        state.changes[oldest.identifier] = nil
      }
      return (page, faults)
    }
    notify()
    return joined
  }

  /// Stores the page's world.
  func begin(_ identifier: String, in world: String) {
    state.withLock { $0.pages[identifier]?.world = world }
    notify()
  }

  /// Called when a world has ended.
  func end(world: String) {
    let isKnown = state.withLock { state in
      guard let page = state.pages.values.first(where: { $0.world == world }) else { return false }
      state.pages[page.identifier]?.world = nil
      return true
    }
    if isKnown { notify() }
  }

  func countCall(inWorld world: String) {
    let isKnown = state.withLock { state in
      guard let page = state.pages.values.first(where: { $0.world == world }) else { return false }
      state.pages[page.identifier]?.calls += 1
      return true
    }
    if isKnown { notify() }
  }

  /// Sets the faults for a page's next calls, after every earlier change: those that acted end, and the others begin.
  ///
  /// - Parameter session: the page's world; nil if it has none. The page's next world gets the faults when it begins.
  func set(_ faults: [DemoFault], for page: String, in session: Session?) async throws(InteractiveWorldError) {
    let change = state.withLock { state in
      let earlier = state.changes[page]
      let change = Task { () -> Result<Void, InteractiveWorldError> in
        _ = await earlier?.value
        do throws(InteractiveWorldError) {
          if let session { try await self.replace(with: faults, for: page, in: session) }
        } catch {
          guard error.code == .ended else { return .failure(error) }
        }
        self.state.withLock { $0.pages[page]?.faults = faults }
        return .success(())
      }
      state.changes[page] = change
      return change
    }
    defer { notify() }
    try await change.value.get()
  }

  private func replace(
    with faults: [DemoFault], for page: String, in session: Session
  ) async throws(InteractiveWorldError) {
    let acting = state.withLock { state in
      // A change that fails may have begun some of them.
      defer { state.pages[page]?.acting = (session.identifier, faults) }
      guard let acting = state.pages[page]?.acting, acting.world == session.identifier else { return [DemoFault]() }
      return acting.faults
    }
    guard acting != faults else { return }
    // Of two faults of a kind the later one acts, so the ones that stay begin again.
    try await session.world.perform((acting.compactMap(\.ending)) + faults.compactMap(\.step))
  }

  /// Adds a reader of the list. It is removed when it is released.
  /// - Throws: ``HTTPProblem`` if there are too many readers of all kinds.
  func addReader(among all: ReaderCount) throws(HTTPProblem) -> Reader {
    guard all.take() else { throw EventLog.tooMany }
    let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextReader += 1
      state.readers[state.nextReader] = waking
      return state.nextReader
    }
    return Reader(pages: self, number: number, wakes: wakes, waking: waking, all: all)
  }

  private func removeReader(_ number: Int) { state.withLock { $0.readers[number] = nil } }

  /// A reader of the list.
  final class Reader: Sendable {
    let pages: ExternalPages
    private let number: Int
    /// An element when the list may have changed.
    let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation
    private let all: ReaderCount

    fileprivate init(
      pages: ExternalPages, number: Int, wakes: AsyncStream<Void>, waking: AsyncStream<Void>.Continuation,
      all: ReaderCount
    ) {
      (self.pages, self.number, self.wakes, self.waking, self.all) = (pages, number, wakes, waking, all)
    }

    deinit {
      pages.removeReader(number)
      all.give()
    }

    func wake() { waking.yield() }
  }

  private func notify() {
    for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() }
  }
}
