import CHeap
import Dispatch
import Foundation

/// What a program needs of the machine at its start. Swift, Dispatch and SwiftNIO end the process at once if they do not
/// get memory or their descriptors, so a program looks for both before it does anything.
package enum MachineNeeds {
  /// The least address space in bytes that must be free at the start. The threads of a world and the memory that the C
  /// library reserves for each take most of it. With less, an allocation that fails may end the program or let it wait
  /// for ever.
  package static let leastAddressSpace = 256 << 20
  /// The address space in bytes of each further world that runs at the same time: the stack of its thread, and its
  /// allocations.
  package static let addressSpaceOfWorld = 72 << 20
  /// The least number of descriptors that must be free at the start: two for Dispatch, and some for files.
  package static let leastDescriptors = 8

  /// Ends the program with exit code 2 and a message if it cannot work here.
  ///
  /// With a limit of address space, threads share the heap: a busy machine lets more of them run at once, and what the C
  /// library would reserve for each leaves too little for a large allocation, whose failure ends the program.
  package static func require() {
    if hasLimit(RLIMIT_AS) { heap_share_among_threads() }
    guard canMap(leastAddressSpace) else {
      refuse(
        "the limit of address space is too low: \(leastAddressSpace >> 20) MiB must be free at the start; see 'ulimit -v'"
      )
    }
    requireDescriptors(leastDescriptors)
    // Dispatch opens its descriptors with its first thread. Later, files may have taken all.
    let begun = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { begun.signal() }
    begun.wait()
  }

  /// Ends the program with exit code 2 and a message if there are too few free descriptors.
  package static func requireDescriptors(_ count: Int) {
    guard canOpen(count) else {
      refuse("the limit of open files is too low: \(count) must be free at the start; see 'ulimit -n'")
    }
  }

  /// The number of worlds that have space at the same time, up to a number.
  package static func worlds(upTo most: Int) -> Int {
    var fitting = 1..<max(2, most + 1)
    while fitting.count > 1 {
      let middle = (fitting.lowerBound + fitting.upperBound) / 2
      let fits = canMap(leastAddressSpace + (middle - 1) * addressSpaceOfWorld)
      fitting = fits ? middle..<fitting.upperBound : fitting.lowerBound..<middle
    }
    return fitting.lowerBound
  }

  private static func refuse(_ message: String) -> Never {
    StandardError.write("Error: \(message)")
    exit(2)
  }

  /// Returns true if the process may map so many bytes more. Without a limit, the machine's memory decides later.
  private static func canMap(_ length: Int) -> Bool {
    guard hasLimit(RLIMIT_AS) || hasLimit(RLIMIT_DATA) else { return true }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
      return false
    }
    munmap(memory, length)
    return true
  }

  /// RLIM_INFINITY, which Swift cannot import, is the largest number.
  private static func hasLimit(_ resource: __rlimit_resource) -> Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
  }

  /// Returns true if the process may open so many more files.
  private static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }
}
