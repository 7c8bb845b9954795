import DevicePlatform
import Glibc
import SandboxProgram

/// Performs a fault with everything that an attacker's code could use in this process. Returns only from a call that
/// should have ended the process, and for an unknown name.
/// - Parameter fault: The last word of the fault's id in the catalogue.
func misbehave(_ fault: String, with call: [UInt8]) {
  switch fault {
  case "trap":
    let empty: [UInt8] = []
    _ = empty[call.count]
  case "loop": while true {}
  case "memory":
    var hoard: [[UInt8]] = []
    while true {
      var block: [UInt8] = []
      block.reserveCapacity(1 << 24)
      hoard.append(block)
    }
  case "silence":
    // The only call in which the process may block.
    _ = SandboxProgram.receive(1)
  case "garbage":
    let answer = Array("this is not an answer".utf8)
    SandboxProgram.send(SandboxFrame.header(for: answer) + answer)
    SandboxProgram.end(.answered)
  case "flood":
    let answer = [UInt8](repeating: 0, count: SandboxFrame.maximumAnswerLength + 1)
    SandboxProgram.send(SandboxFrame.header(for: answer))
    while true { SandboxProgram.send(answer) }
  case "open-file": _ = open("/etc/passwd", O_RDONLY)
  case "socket": _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  default: break
  }
}
