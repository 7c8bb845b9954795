import CWorkerProcess
import DevicePlatform
import Foundation
import Synchronization

/// Starts a process for each call of a sandbox as the copy of a warm one, which saves loading and linking a program.
///
/// The template is the program `presentment-sandbox`. It has read nothing from outside and never will, so the copy of each
/// call begins in the same state. A template has one copy at a time; worlds on several threads use several templates.
package final class WarmSandboxes: SandboxLauncher {
  /// The templates of this program, which end with it.
  package static let shared = WarmSandboxes(program: SandboxProcess.path(of: "presentment-sandbox"))

  private let program: String
  private let idle = Mutex<[SandboxProcess]>([])

  /// Creates a launcher for a program. It starts the program when it is needed.
  package init(program: String) { self.program = program }

  deinit { end() }

  /// Starts a process. A template that has died is replaced.
  package func start(at station: Station? = nil) throws(SandboxRefusal) -> SandboxProcess {
    while let template = idle.withLock({ $0.popLast() }) {
      if let process = copy(of: template) { return process }
      _ = template.end()
    }
    let template = try SandboxProcess.start(program)
    if let process = copy(of: template) { return process }
    throw .died(template.end())
  }

  /// Ends the templates that wait.
  package func end() {
    let templates = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for template in templates { _ = template.end() }
  }

  /// Lets a template make a copy of itself, or returns nil if it cannot.
  private func copy(of template: SandboxProcess) -> SandboxProcess? {
    var stream: Int32 = -1
    let process = template_process_fork(template.stream, &stream)
    guard process > 0 else { return nil }
    return SandboxProcess(process, stream: stream) { [self] in
      var isKnown: Int32 = 0
      let end = SandboxProcess.End(template_process_end(template.stream, &isKnown))
      if isKnown == 0 {
        _ = template.end()
      } else {
        idle.withLock { $0.append(template) }
      }
      return end
    }
  }

  /// The reason why requests cannot be parsed in a confined process here, or nil if they can.
  package static let problem: String? = {
    do throws(SandboxRefusal) {
      _ = try SandboxWorker(launcher: shared).answer(to: Array("{}".utf8))
      return nil
    } catch {
      let details = [error.message] + error.evidence.compactMap(\.found)
      return """
        requests cannot be parsed in a confined process: \(details.joined(separator: ": ")); build the program with \
        'swift build --product presentment-sandbox', or parse them in this process with 'sandbox: in-process' in the \
        world or --sandbox in-process
        """
    }
  }()
}
