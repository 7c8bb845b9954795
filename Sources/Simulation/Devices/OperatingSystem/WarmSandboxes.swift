import CWorkerProcess
import DevicePlatform
import Foundation
import Synchronization
import Vocabulary

/// Starts processes of sandboxes as copies of a warm one, which saves loading and linking a program.
///
/// The template is the program `presentment-sandbox`. It has read nothing from outside and never will, so every copy begins
/// in the same state. The next copy is made when the first call of a copy has ended: it is confined and waits before it is
/// needed. Worlds on several threads use several templates.
package final class WarmSandboxes: SandboxLauncher {
  /// The templates of this program, which end with it.
  package static let shared = WarmSandboxes(program: SandboxProcess.path(of: "presentment-sandbox"))

  private let program: String
  /// The templates whose last copy has ended its first call, each with an order for its next copy.
  let idle = Mutex<[SandboxProcess]>([])

  /// Creates a launcher for a program. It starts the program when it is needed.
  package init(program: String) { self.program = program }

  deinit { end() }

  /// Starts a process. A template that has died is replaced.
  package func start(at station: Station? = nil) throws(SandboxRefusal) -> SandboxProcess {
    while let template = idle.withLock({ $0.popLast() }) {
      if let process = copy(of: template) { return process }
      template.end()
    }
    let template = try SandboxProcess.start(program)
    if template_process_order(template.stream) != 0, let process = copy(of: template) { return process }
    throw .notStarted(program, because: template.end().description)
  }

  /// Ends the templates that have an order, and the copies that wait.
  package func end() {
    let templates = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for template in templates {
      Self.take(from: template)?.end()
      template.end()
    }
  }

  /// The copy that a template was ordered to make, or nil if the template has died.
  private func copy(of template: SandboxProcess) -> SandboxProcess? {
    Self.take(from: template) { [self] in
      if template_process_order(template.stream) != 0 {
        idle.withLock { $0.append(template) }
      } else {
        template.end()
      }
    }
  }

  private static func take(
    from template: SandboxProcess, afterFirstCall: (@Sendable () -> Void)? = nil
  ) -> SandboxProcess? {
    var stream: Int32 = -1
    let process = template_process_take(template.stream, &stream)
    return process > 0 ? SandboxProcess(process, stream: stream, afterFirstCall: afterFirstCall) : nil
  }

  private static let building = "build the program with 'swift build --product presentment-sandbox', or "
  private static var isBuilt: Bool { access(shared.program, X_OK) == 0 }

  /// The reason why requests cannot be parsed in a confined process here, or nil if they can.
  package static let problem: String? = {
    do throws(SandboxRefusal) {
      _ = try SandboxWorker(launcher: shared).answer(to: Array("{}".utf8))
      return nil
    } catch {
      let details = [error.message] + error.evidence.compactMap(\.found)
      return """
        requests cannot be parsed in a confined process: \(details.joined(separator: ": ")); \(isBuilt ? "" : building)\
        parse them in this process with 'sandbox: in-process' in the world or --sandbox in-process
        """
    }
  }()
}
