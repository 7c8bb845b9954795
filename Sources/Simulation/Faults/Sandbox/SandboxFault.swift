import DevicePlatform
import Devices
import Ecosystem
import Foundation
import Glibc
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

  /// The title and what the operating system finds.
  public var declaration: FaultDeclaration {
    switch self {
    case .killed: finding("The sandbox's process is killed", "sandbox.worker/died")
    case .trap: finding("The sandbox's process runs into a trap", "sandbox.worker/died")
    case .loop: finding("The sandbox's process computes without end", "sandbox.worker/time")
    case .memory: finding("The sandbox's process takes memory without end", "sandbox.worker/memory")
    case .silence: finding("The sandbox's process never answers", "sandbox.worker/time")
    case .garbage: finding("The sandbox's process sends an unreadable answer", "sandbox.worker/garbage")
    case .flood: finding("The sandbox's process answers without end", "sandbox.worker/garbage")
    case .openFile: finding("The sandbox's process opens a file", "sandbox.worker/forbidden")
    case .socket: finding("The sandbox's process opens a socket", "sandbox.worker/forbidden")
    }
  }

  private func finding(_ title: String, _ check: String) -> FaultDeclaration {
    FaultDeclaration(title, .fails(check, by: "sandbox"))
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
    pending.withLock { pending in
      for device in devices { pending[device] = fault }
    }
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
    station.record(.fault(FaultEvent("sandbox.\(fault.rawValue)", fault.declaration.title)))
    return try start(with: fault)
  }

  /// Starts a process with a fault.
  package func start(with fault: SandboxFault) throws(SandboxRefusal) -> SandboxProcess {
    guard fault == .killed else { return try SandboxProcess.start(Self.faulty, [fault.rawValue]) }
    let process = try WarmSandboxes.shared.start()
    kill(process.identifier, SIGKILL)
    return process
  }
}

extension Fault {
  /// Faults of sandboxes.
  static let ofSandboxes = SandboxFault.allCases.map {
    Fault(.sandbox, $0.rawValue, $0.declaration, at: "sandbox process", .sandbox($0))
  }
}
