import Foundation
import InteractiveWorlds
import JSON
import Messaging
import StageViews
import Synchronization
import Vocabulary

/// A computed play, with its JSON.
struct Play: Sendable {
  let playback: Playback
  /// The catalogue's name of the file.
  let name: String
  /// The names of the faults that were added to the case.
  let faults: [String]
  /// True if no command repeats the run: faults were added, or the devices have another language.
  let isAltered: Bool
  let json: Data
  /// A short text that differs for other content, for `ETag`.
  let tag: String

  init(_ playback: Playback, name: String, faults: [String], language: Language? = nil) {
    self.playback = playback
    self.name = name
    self.faults = faults
    isAltered = !faults.isEmpty || language ?? .english != .english
    let bytes = JSONCoding.encode(PlayJSON(playback, name: name, faults: faults, isAltered: isAltered))
    json = Data(bytes)
    // FNV-1a: a browser's cache needs no more.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = String(hash, radix: 36)
  }

  /// The approximate memory of the play in bytes.
  var size: Int {
    let entries = playback.result.journal.entries
    let messages = entries.lazy.compactMap(\.event.message).reduce(0) { $0 + $1.bytes.count }
    let opened = playback.result.journal.openings.reduce(0) { $0 + $1.bytes.count }
    return json.count + messages + opened + entries.count * MemoryLayout<JournalEntry>.size
  }
}

/// The plays that were asked for last. A play is a pure function of its key, so any of them can be computed again.
final class Plays: Sendable {
  /// Everything that a play depends on.
  struct Key: Hashable, Sendable {
    var scenario: String
    var seed: UInt64?
    var faults: [String]
    var language: Language?
    /// The state of the files that it is read from.
    var files: [Date]
  }

  /// The maximum number of kept plays: a person who tries several faults goes back and forth among a few.
  static let maximumCount = 64
  /// The maximum size of all kept plays in bytes. A presentment has about half a MiB.
  static let maximumSize = 64 << 20

  private struct Kept {
    var play: Play
    var size: Int
    var lastUse: Int
  }

  private struct State {
    var plays: [Key: Kept] = [:]
    var size = 0
    var uses = 0

    mutating func remove(_ key: Key) { if let kept = plays.removeValue(forKey: key) { size -= kept.size } }
  }

  private let state = Mutex(State())
  private let count: Int
  private let size: Int

  init(count: Int = Plays.maximumCount, size: Int = Plays.maximumSize) {
    self.count = count
    self.size = size
  }

  /// The number and the size of the kept plays.
  var load: (count: Int, size: Int) { state.withLock { ($0.plays.count, $0.size) } }

  /// Returns a kept play.
  func find(_ key: Key) -> Play? {
    state.withLock { state in
      state.uses += 1
      state.plays[key]?.lastUse = state.uses
      return state.plays[key]?.play
    }
  }

  /// Keeps a play, and drops the ones that have been unused for the longest time if there are too many. One that is
  /// larger than all together may be is not kept.
  func keep(_ play: Play, as key: Key) {
    let needed = play.size
    guard needed <= size else { return }
    state.withLock { state in
      state.remove(key)
      state.uses += 1
      state.plays[key] = Kept(play: play, size: needed, lastUse: state.uses)
      state.size += needed
      while state.plays.count > count || state.size > size {
        guard let oldest = state.plays.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        state.remove(oldest.key)
      }
    }
  }
}
