import DevicePlatform
import Glibc

/// Does what a drill says, with everything that a stranger's code in this process would have. Comes back only from a
/// call that should have ended the process, and from `killed`, which is done from outside.
func misbehave(_ drill: SandboxDrill, with call: [UInt8]) {
  switch drill {
  case .killed:
    break
  case .trap:
    let nothing: [UInt8] = []
    _ = nothing[call.count]
  case .loop:
    while true {}
  case .memory:
    var hoard: [[UInt8]] = []
    while true {
      var block: [UInt8] = []
      block.reserveCapacity(1 << 24)
      hoard.append(block)
    }
  case .silence:
    // The only call in which the process may wait.
    _ = receive(1)
  case .garbage:
    let answer = Array("this is no answer".utf8)
    send(SandboxFrame.header(for: answer) + answer)
    end(.answered)
  case .flood:
    let answer = [UInt8](repeating: 0, count: SandboxFrame.maximumAnswerLength + 1)
    send(SandboxFrame.header(for: answer))
    while true { send(answer) }
  case .openFile:
    _ = open("/etc/passwd", O_RDONLY)
  case .socket:
    _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  }
}
