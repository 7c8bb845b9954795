import Foundation
import InteractiveWorlds
import Primitives
import Synchronization

/// The external pages that joined: one entry, and one live world, for each origin in each place. A page that belongs to a
/// test shares its world with pages of that test only.
final class ExternalPages: Sendable {
  /// The world or the scenario that pages join.
  struct Place: Hashable {
    var world: String?
    var scenario: String?
    var seed: UInt64?
    /// The browser that the page wants in place of the world's.
    var browser: Browser?
    /// The test that the page belongs to; nil for pages that share a world.
    var test: String?
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
    /// True from the end of the page's world until the page joins again.
    var hasEnded = false
    /// The faults that were begun in a world.
    var acting: (world: String, faults: [DemoFault])?
  }

  /// The maximum number of entries: more than a person keeps apart. A new entry replaces the one that joined first.
  static let maximumCount = 64
  /// The maximum number of entries that belong to tests: as many workers as a large machine runs, and fewer than the worlds
  /// of a server, so that other pages have some.
  static let maximumOfTests = 24

  private struct State: Sendable {
    var pages: [String: Page] = [:]
    var turn = 0
    /// The last change of each page's faults.
    var changes: [String: Task<Result<Void, InteractiveWorldError>, Never>] = [:]
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextReader = 0

    mutating func remove(_ page: Page) {
      pages[page.identifier] = nil
      changes[page.identifier] = nil
    }

    /// Makes room for an entry of a test.
    /// - Returns: The world that ends for it, if there is one.
    mutating func makeRoomForTest(_ isOver: (Page) -> Bool) throws(HTTPProblem) -> String? {
      let ofTests = pages.values.filter { $0.place.test != nil }
      guard ofTests.count >= ExternalPages.maximumOfTests else { return nil }
      guard let oldest = ofTests.filter({ $0.hasEnded || isOver($0) }).min(by: { $0.turn < $1.turn }) else {
        throw HTTPProblem(
          .tooManyRequests, .full,
          "\(ofTests.count) pages of tests have worlds, the most of a server; end a test, or start another server")
      }
      remove(oldest)
      return oldest.world
    }
  }

  private let state = Mutex(State())

  /// The pages, the last that joined first.
  var all: [Page] { state.withLock { $0.pages.values.sorted { $0.turn > $1.turn } } }

  func page(_ identifier: String) -> Page? { state.withLock { $0.pages[identifier] } }

  /// Returns the page with a world.
  func page(inWorld world: String) -> Page? { state.withLock { $0.pages.values.first { $0.world == world } } }

  /// Adds a page, or notes that it joined again. The faults that its script element names replace the chosen ones if they
  /// are not those that it named before, so that a choice made elsewhere outlasts a reload of the page.
  ///
  /// - Parameter isOver: Returns whether no page of a test's world needs it any more.
  /// - Returns: The entry, the faults for its next calls, and the world that ends for it.
  /// - Throws: ``HTTPProblem`` if too many entries belong to tests in progress. None of these ends for another.
  func join(
    _ origin: String, in place: Place, naming named: [DemoFault], isOver: (Page) -> Bool = { _ in false }
  ) throws(HTTPProblem) -> (page: Page, faults: [DemoFault], ending: String?) {
    let joined = try state.withLock { state throws(HTTPProblem) -> (Page, [DemoFault], String?) in
      let known = state.pages.values.first { $0.origin == origin && $0.place == place }
      var ending: String?
      if known == nil, place.test != nil { ending = try state.makeRoomForTest(isOver) }
      state.turn += 1
      var page = known ?? Page(identifier: "page-\(state.turn)", place: place, origin: origin)
      (page.joined, page.turn) = (DateTime(Date()), state.turn)
      let faults = named == page.named ? page.faults : named
      (page.named, page.hasEnded) = (named, false)
      state.pages[page.identifier] = page
      let others = state.pages.values.filter { $0.place.test == nil }
      if others.count > Self.maximumCount, let oldest = others.min(by: { $0.turn < $1.turn }) { state.remove(oldest) }
      return (page, faults, ending)
    }
    notify()
    return joined
  }

  /// Stores the page's world.
  /// - Returns: False if the page was removed meanwhile.
  func begin(_ identifier: String, in world: String) -> Bool {
    let isKnown = state.withLock { state in
      state.pages[identifier]?.world = world
      return state.pages[identifier] != nil
    }
    notify()
    return isKnown
  }

  /// Removes entries.
  /// - Returns: Their worlds, which have to end.
  func remove(where isRemoved: (Page) -> Bool) -> [String] {
    let removed = state.withLock { state in
      let removed = state.pages.values.filter(isRemoved)
      for page in removed { state.remove(page) }
      return removed
    }
    if !removed.isEmpty { notify() }
    return removed.compactMap(\.world)
  }

  /// Called when a world has ended.
  func end(world: String) { change(inWorld: world) { ($0.world, $0.hasEnded) = (nil, true) } }

  func countCall(inWorld world: String) { change(inWorld: world) { $0.calls += 1 } }

  /// Changes the page with a world, if there is one.
  private func change(inWorld world: String, _ body: (inout Page) -> Void) {
    let isKnown = state.withLock { state in
      guard var page = state.pages.values.first(where: { $0.world == world }) else { return false }
      body(&page)
      state.pages[page.identifier] = page
      return true
    }
    if isKnown { notify() }
  }

  /// Sets the faults for a page's next calls, after every earlier change: those that acted end, and the others begin.
  ///
  /// - Parameter session: The page's world; nil if it has none. The page's next world gets the faults when it begins.
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

  private func notify() { for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() } }
}
