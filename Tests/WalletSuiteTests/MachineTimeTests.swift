import CaseSuites
import Synchronization
import Testing

@Suite("The time of a world that follows this machine's")
struct MachineTimeTests {
  @Test("an interruption ends a wait, and a world that is too far ahead does not begin one")
  func waits() {
    let asked = Mutex(0)
    let time = MachineTime {
      asked.withLock { asked in
        asked += 1
        return asked == 3
      }
    }
    #expect(time.wait(until: 300_000) == "the run was interrupted")
    #expect(time.wait(until: 0) == nil)
    #expect(time.wait(until: 3_600_000)?.hasSuffix("seconds ahead of this machine's") == true)
    #expect(asked.withLock { $0 } == 3)
  }
}
