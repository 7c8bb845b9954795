import Foundation
import IdentityDocumentServices
import TestSupport
import Testing

@testable import RegistrationStressTool
@testable import Storage

/// Kills a process at random points of its changes to a device's registrations.
@Suite("Registrations of a process that is killed")
struct RegistrationKillTests {
  private static let kills = 200
  private static let killsWhileMaking = 25

  /// The expected registrations of an app.
  private struct AppState: Equatable {
    var entitlement: [String] = []
    /// Revisions by document.
    var documents: [String: Int] = [:]

    var registrations: [MobileDocumentRegistration] {
      documents.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { Churn.registration($0.key, revision: $0.value) }
    }
  }

  private typealias DeviceState = [String: AppState]

  private static let nothing = DeviceState(uniqueKeysWithValues: Churn.apps.map { ($0, AppState()) })

  private static func state(_ state: DeviceState, after number: Int, of churn: Churn) -> DeviceState {
    var state = state
    let (app, change) = churn.change(number)
    switch change {
    case .add(let document, let revision): state[app]?.documents[document] = revision
    case .remove(let document): state[app]?.documents[document] = nil
    case .update(let entitlement): state[app]?.entitlement = entitlement
    case .uninstall: state[app] = AppState()
    }
    return state
  }

  /// Returns true if the file holds exactly a state.
  private static func holds(_ state: DeviceState, _ database: RegistrationDatabase) throws -> Bool {
    for (app, expected) in state {
      guard try database.entitlement(of: app) == expected.entitlement,
        try database.registrations(of: app) == expected.registrations
      else { return false }
    }
    return true
  }

  private struct SaidSomethingElse: Error { let line: String }

  /// The numbers of the started changes, in order, and a Boolean value that is true if the last one was acknowledged.
  private static func changes(in lines: [String]) throws -> (begun: [Int], isLastAcknowledged: Bool) {
    var begun: [Int] = []
    var isLastAcknowledged = true
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[1]) else { throw SaidSomethingElse(line: line) }
      switch words[0] {
      case "begin" where isLastAcknowledged:
        begun.append(number)
        isLastAcknowledged = false
      case "ack" where begun.last == number && !isLastAcknowledged: isLastAcknowledged = true
      default: throw SaidSomethingElse(line: line)
      }
    }
    return (begun, isLastAcknowledged)
  }

  @Test("after each of 200 kills acknowledged changes are stored and no change is stored in part")
  func killed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    let churn = Churn(seed: 5)
    var draw = SeededGenerator(seed: 6)
    var expected = Self.nothing
    var next = 0
    var inFlight = (finished: 0, undone: 0)
    for kill in 0..<Self.kills {
      let process = try ChurnProcess(path: path, seed: churn.seed, first: next)
      let (lines, signal) = process.kill(
        afterLines: Int.random(in: 0...16, using: &draw),
        andMicroseconds: Int.random(in: 0...2_000, using: &draw))
      #expect(signal == SIGKILL, "\(lines)")
      let (begun, isLastAcknowledged) = try Self.changes(in: lines)
      #expect(begun == Array(next..<next + begun.count))
      let acknowledged = isLastAcknowledged ? begun : begun.dropLast()
      expected = acknowledged.reduce(expected) { Self.state($0, after: $1, of: churn) }

      let database = try RegistrationDatabase(at: path)
      try database.checkIntegrity()
      let isAsAcknowledged = try Self.holds(expected, database)
      if !isLastAcknowledged, let last = begun.last {
        let finished = Self.state(expected, after: last, of: churn)
        let isFinished = try Self.holds(finished, database)
        #expect(isAsAcknowledged || isFinished, "kill \(kill), change \(last): \(churn.change(last))")
        if isFinished {
          if !isAsAcknowledged { inFlight.finished += 1 }
          expected = finished
        } else {
          inFlight.undone += 1
        }
      } else {
        #expect(isAsAcknowledged, "kill \(kill), after change \(begun.last ?? next - 1)")
      }
      next += begun.count
      try database.close()
    }
    // The kills hit changes that were in progress.
    #expect(next > Self.kills && inFlight.undone > 0, "\(next) changes, \(inFlight)")
  }

  @Test("a kill while the file is created leaves a usable file")
  func killedWhileMaking() throws {
    let folder = try TemporaryFolder()
    var draw = SeededGenerator(seed: 7)
    var sizes: Set<Int> = []
    // In microseconds. It grows until a kill comes after the file has begun.
    var longest = 40_000
    for kill in 0..<Self.killsWhileMaking {
      let path = folder.file("device \(kill)")
      let process = try ChurnProcess(path: path, seed: 1, first: 0)
      // It writes its first line after the file is created.
      let (lines, _) = process.kill(afterLines: 0, andMicroseconds: Int.random(in: 2_000...longest, using: &draw))
      let size = FileManager.default.contents(atPath: path)?.count
      if size == nil { longest = min(longest * 3 / 2, 10_000_000) }
      sizes.insert(size ?? -1)
      let database = try RegistrationDatabase(at: path)
      try database.checkIntegrity()
      if lines.isEmpty { #expect(try Churn.apps.allSatisfy { try database.registrations(of: $0).isEmpty }) }
      try database.close()
      try RegistrationDatabase(at: path).checkIntegrity()
    }
    #expect(sizes.count > 1, "\(sizes)")
  }
}
