import CConfinement
import DevicePlatform
import Glibc

/// The steps of a request sandbox in a process of its own: one answer for each call, until the calls end.
///
/// ```
/// system --order--> template                warm; reads nothing from outside
///                   template --clone--> sandbox
/// system <--stream-- template               the sandbox waits, confined, before a call needs it
/// system --length, call--> sandbox
/// system <--length, answer-- sandbox        exactly one for each call
/// ```
package enum SandboxProgram {
  /// Limits of the process.
  private enum Limit {
    /// Mapped memory in bytes. The program and its libraries map about 30 MB at the start; the longest call and the
    /// longest answer take a few more.
    static let addressSpace: UInt64 = 256 << 20
    /// Stack in bytes: the same as for the threads of worlds, which run the same parser.
    static let stack: UInt64 = 8 << 20
  }

  /// Makes the libraries open, map and look up all that they need, by a call of its own. Ends the process if that fails.
  package static func warmUp() {
    let sample = SandboxAnswer(RequestSandbox.answer(to: Array(SampleCall.text.utf8)).bytes)
    guard case .partialRequest = sample?.content else { end(.notReady) }
  }

  /// Serves as the template of sandboxes. Returns in each new process.
  package static func serveAsTemplate() { template_serve() }

  /// Confines the process. Ends it if that fails.
  package static func confine() {
    let seconds = UInt64(SandboxLimit.processorSeconds)
    guard confinement_begin(seconds, Limit.addressSpace, Limit.stack) == 0 else { end(.unconfined) }
  }

  /// Answers calls, and ends the process when they end.
  package static func answerCalls() -> Never {
    guard var call = receiveCall() else { end(.unreadableCall) }
    while true {
      answer(call)
      guard let next = receiveCall() else { end(.answered) }
      call = next
    }
  }

  /// Reads a call, or returns nil if the calls have ended. Ends the process if the call is unreadable.
  package static func receiveCall() -> [UInt8]? {
    let header = receive(SandboxFrame.headerLength)
    guard !header.isEmpty else { return nil }
    let length = SandboxFrame.length(header)
    guard header.count == SandboxFrame.headerLength, length <= SandboxFrame.maximumCallLength else {
      end(.unreadableCall)
    }
    let call = receive(length)
    guard call.count == length else { end(.unreadableCall) }
    return call
  }

  /// Answers a call.
  package static func answer(_ call: [UInt8]) {
    let answer = RequestSandbox.answer(to: call).bytes
    send(SandboxFrame.header(for: answer) + answer)
  }

  /// Reads bytes from descriptor 0: fewer if it ends earlier.
  package static func receive(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let received = read(0, buffer.baseAddress?.advanced(by: filled), count - filled)
        guard received > 0 else { return }
        filled += received
      }
    }
  }

  /// Writes bytes to descriptor 1. A failure cannot be reported.
  package static func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let written = bytes.withUnsafeBytes { write(1, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
      guard written > 0 else { return }
      sent += written
    }
  }

  /// Ends the process without exit handlers.
  package static func end(_ exit: SandboxExit) -> Never { _exit(exit.rawValue) }
}

/// A call for warming up: a request of the second edition for one element, signed once, as a world's website wrote it.
/// Its key is not in use and it was never sent.
enum SampleCall {
  static let text = #"""
    {"origin":"https://sample.example","requestData":"eyJkZXZpY2VSZXF1ZXN0IjoicEdkMlpYSnphVzl1WXpFdU1XdGtiMk5TWlhGMV\#
    pYTjBjNEdoYkdsMFpXMXpVbVZ4ZFdWemROZ1lXRXVpWjJSdlkxUjVjR1YxYjNKbkxtbHpieTR4T0RBeE15NDFMakV1YlVSTWFtNWhiV1ZUY0dGal\#
    pYT2hjVzl5Wnk1cGMyOHVNVGd3TVRNdU5TNHhvV3RoWjJWZmIzWmxjbDh4T1BSdGNtVmhaR1Z5UVhWMGFFRnNiSUdFUTZFQkpxRVlJVmtCOURDQ0\#
    FmQXdnZ0dXb0FNQ0FRSUNFSDhlTkYzeHRGYWxWQUdES2pfU251WXdDZ1lJS29aSXpqMEVBd0l3SkRFS01BZ0dBMVVFQ2d3QmNqRVdNQlFHQTFVRU\#
    F3d05jaUJTWldGa1pYSWdVbTl2ZERBZUZ3MHlOVEE1TVRVeE56QXdNREJhRncweU5qRXdNakF4TnpBd01EQmFNQ294RHpBTkJnTlZCQW9NQmxOaG\#
    JYQnNaVEVYTUJVR0ExVUVBd3dPYzJGdGNHeGxMbVY0WVcxd2JHVXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBVHZvdm91T0N4dE\#
    J0amg3NU9BX3pZSUh3V1g5OVpCaXBmcUNvT0VxbjBuWHIwSUZvSzhtV2xNOU5UOVpKMHJRU2hIdmRkMEE0ZVp5Sk45UDdFanFWNTBvNEdqTUlHZ0\#
    1BNEdBMVVkRHdFQl93UUVBd0lIZ0RBVkJnTlZIU1VCQWY4RUN6QUpCZ2NvZ1l4ZEJRRUdNQjhHQTFVZEl3UVlNQmFBRkVXVWNYenVKWDdwSUNUZl\#
    FUTmNXZWtraVg4TE1CMEdBMVVkRGdRV0JCVGZfYk84VmVqUHNPbHR6S0FqcWlHSGp4SFdXekFaQmdOVkhSRUVFakFRZ2c1ellXMXdiR1V1WlhoaG\#
    JYQnNaVEFjQmd3ckJnRUVBWUg5V1lHTVhRRUVEREFLREFaVFlXMXdiR1VNQURBS0JnZ3Foa2pPUFFRREFnTklBREJGQWlCb3J0UjdPNlV6S0pzdW\#
    5Ob2JKUjdMaTV6RFl3UTFXY1hGelJ2QzZmX2pTQUloQU1kSXV0QXQ3V2hZVmFxUENFbmRtNF9CN09YNUV6VE5RMXJOMEJoQ3VTTWs5bGhBeEFybz\#
    FyLVpidmxMejd1T2cwa0l4Y18zbTdLcm5oaUN2YlF3aGl5ZVhrcU41d0cwSUI0RzJMbW45Z1FSYW9jZVc4STZPMXdBcUhVUVFJVE9NZFRwQjNGa1\#
    pYWnBZMlZTWlhGMVpYTjBTVzVtYjlnWVdDZWhhSFZ6WlVOaGMyVnpnYUpwYldGdVpHRjBiM0o1OVd4a2IyTjFiV1Z1ZEZObGRIT0JnUUEiLCJlbm\#
    NyeXB0aW9uSW5mbyI6ImdtVmtZMkZ3YWFKbGJtOXVZMlZZSUtGMFd0U3ZWanRTUVV0Z2NxU0k5SVlsVlFRQnJpMTVhTndTYVh3SDU3Y0ZjbkpsWT\#
    Jsd2FXVnVkRkIxWW14cFkwdGxlYVFCQWlBQklWZ2dNWkROV1FsVzRWVmJTY05rbjNZX21hTXFuRlhESHgxQXJLLVV2UHp5c1VFaVdDREkyWG5kVU\#
    ZxNDRSTzJHWV9NVnVHWHF2NnREZWJ6VW1UaGhsZHotSG5WU3cifQ"}
    """#
}
