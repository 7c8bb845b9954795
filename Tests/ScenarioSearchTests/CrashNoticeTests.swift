import CCrashNotice
import Foundation
import Testing

@Suite("The notice of a crash")
struct CrashNoticeTests {
  @Test("A thread that traps writes its own notice, and the program ends with the signal")
  func ownNotice() async throws {
    let ended = try #require(
      await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        #expect(crash_notice_install() == 0)
        crash_notice_set("of another thread\n")
        let thread = Thread {
          crash_notice_set("of the run before\n")
          crash_notice_set("of this run\n")
          abort()
        }
        thread.start()
        while true { sleep(1) }
      })
    let text = String(decoding: ended.standardErrorContent, as: UTF8.self)
    #expect(text.contains("of this run\n"))
    #expect(!text.contains("of another thread") && !text.contains("of the run before"))
  }
}
