import DevicePlatform
import Devices
import Foundation
import Messaging
import Synchronization
import Vocabulary

/// A way in which the sandbox's process misbehaves at one request, as code of an attacker in it would.
public enum SandboxFault: String, Sendable, CaseIterable {
  case killed
  case trap
  case loop
  case memory
  case silence
  case garbage
  case flood
  case openFile = "open-file"
  case socket

  /// The entry of the catalogue.
  package var entry: Fault {
    switch self {
    case .killed: entry("The sandbox's process is killed", .died)
    case .trap: entry("The sandbox's process runs into a trap", .died)
    case .loop: entry("The sandbox's process computes without end", .time)
    case .memory: entry("The sandbox's process takes memory without end", .memory)
    case .silence: entry("The sandbox's process never answers", .time)
    case .garbage: entry("The sandbox's process sends an unreadable answer", .garbage)
    case .flood: entry("The sandbox's process answers without end", .garbage)
    case .openFile: entry("The sandbox's process opens a file", .forbidden)
    case .socket: entry("The sandbox's process opens a socket", .forbidden)
    }
  }

  private func entry(_ title: String, _ reason: SandboxCheck.Reason) -> Fault {
    Fault(
      .sandbox, rawValue, title, .fails(SandboxCheck.worker, reason, by: "sandbox"), at: "sandbox process",
      .sandbox(self))
  }
}

/// The sandbox launcher of a world with faults: starts the program `presentment-faulty-sandbox` for a request whose process
/// has to misbehave.
package final class FaultySandboxLauncher: SandboxLauncher {
  private static let faulty = SandboxProcess.path(of: "presentment-faulty-sandbox")
  /// The fault of the next request by device.
  private let pending = Mutex<[String: SandboxFault]>([:])

  /// A launcher without a fault.
  package init() {}

  /// Lets the processes of the next request on each device misbehave; nil for no fault.
  package func set(_ fault: SandboxFault?, on devices: [String]) {
    pending.withLock { pending in for device in devices { pending[device] = fault } }
  }

  /// Indicates whether a fault is pending on the device.
  package func needsStart(at station: Station?) -> Bool {
    guard let station else { return false }
    return pending.withLock { $0[station.party.name] != nil }
  }

  /// Starts a process that misbehaves if a fault is pending on the device.
  package func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess {
    guard let station, let fault = pending.withLock({ $0.removeValue(forKey: station.party.name) }) else {
      return try WarmSandboxes.shared.start(at: station)
    }
    station.record(.fault(fault.entry.event))
    return try start(with: fault)
  }

  /// Starts a process with a fault.
  package func start(with fault: SandboxFault) throws(SandboxRefusal) -> SandboxProcess {
    guard fault == .killed else { return try SandboxProcess.start(Self.faulty, [fault.rawValue]) }
    let process = try WarmSandboxes.shared.start()
    process.killAsFault()
    return process
  }
}

extension Fault {
  /// Faults of sandboxes.
  static let ofSandboxes: [Fault] = SandboxFault.allCases.map(\.entry)
}
