import Messaging
import Synchronization
import Telling

extension InteractiveWorld {
  /// The end of the last presentment in words, or nil if it has not ended.
  public var conclusion: Conclusion? {
    let entries = journal.entries
    let names = scenario.world.names
    guard let setting, let snapshot else { return Conclusion(of: entries, names: names) }
    return Conclusion(
      of: entries, changes: setting.changesInWords, names: names, isServerOutside: setting.isServerOutside
    ) { [honest] in
      honest.value {
        let caller = entries.last { $0.event.message?.kind == .getCredential }?.party
        return setting.journalWithoutFaults(
          website: snapshot.website, frame: caller?.frame?.name, device: snapshot.device)
      }
    }
  }
}

/// A value that is made when it is needed first.
final class MadeOnce<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)

  func value(_ make: () -> Value) -> Value {
    made.withLock { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}

extension DemoConfiguration {
  /// The most taps from an open page to its call: an item, and the button.
  private static let longestWay = 2

  /// Opens a website's page in the world without the faults of this configuration, and taps its buttons, or those of a frame
  /// in it, until it asks.
  /// - Returns: The journal, or nil if the page does not ask.
  func journalWithoutFaults(website: String, frame: String?, device: String) -> [JournalEntry]? {
    guard let world = try? withoutFaults.begin(clock: StandingClock()) else { return nil }
    defer { world.stop() }
    func hasAsked() -> Bool { world.journal.entries.contains { $0.event.selection != nil } }
    let browsing = DevicesInUse(world.scenario.world.devices, current: device).browsing
    do throws(InteractiveWorldError) {
      try world.performAndWait(.person(.visit(website: website, device: browsing)))
      for _ in 0..<Self.longestWay where !hasAsked() {
        guard let view = world.snapshot?.view else { break }
        let page =
          frame.map { view.page(ofFrame: $0, in: website, on: browsing) } ?? view.page(of: website, on: browsing)
        guard let button = page?.buttons.first else { break }
        try world.performAndWait(.person(.tap(button, frame: frame)))
        guard world.snapshot?.view.warning(on: browsing) != nil else { continue }
        try world.performAndWait(.person(.browse(.answerWarning(continues: true))))
      }
    } catch {
      return nil
    }
    return hasAsked() ? world.journal.entries : nil
  }
}
