import CWorkerProcess
import Foundation

/// Starts the process in which a sandbox answers one call.
package protocol SandboxLauncher: Sendable {
  /// Path of the program, for messages.
  var program: String { get }

  /// Starts a process.
  /// - Parameters:
  ///   - stream: receives the descriptor of the stream to the process.
  ///   - station: the sandbox's place in the world; nil outside a world.
  /// - Returns: the process, or a negative error number.
  func start(_ stream: inout Int32, at station: Station?) -> pid_t
}

/// The launcher of a world without faults: starts the program `presentment-sandbox` without arguments.
package struct StandardSandboxLauncher: SandboxLauncher {
  /// Path of the program.
  package let program: String

  /// Creates a launcher for a program.
  package init(program: String = SandboxProcess.path(of: "presentment-sandbox")) { self.program = program }

  /// Starts a process.
  package func start(_ stream: inout Int32, at station: Station?) -> pid_t {
    SandboxProcess.start(program, [], &stream)
  }
}

/// The processes of sandboxes.
package enum SandboxProcess {
  /// The path of a program beside the one that runs.
  package static func path(of name: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
  }

  /// Starts a program with one end of a stream as its standard input and output.
  /// - Returns: the process, or a negative error number.
  package static func start(_ program: String, _ arguments: [String], _ stream: inout Int32) -> pid_t {
    // The runtime's own crash handler would be stopped by the confinement and hide the crash.
    withTexts([program] + arguments) { arguments in
      withTexts(["SWIFT_BACKTRACE=enable=no"]) { environment in
        worker_process_start(program, arguments, environment, &stream)
      }
    }
  }

  /// Calls a function with strings as in C: a list that ends with a null pointer.
  private static func withTexts<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
