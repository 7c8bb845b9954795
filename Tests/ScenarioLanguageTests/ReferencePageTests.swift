import Foundation
import Testing

@testable import ScenarioLanguage

/// The generated parts of the documentation. With `PRESENTMENT_WRITE_REFERENCE=1` they are written into the pages.
@Suite("Reference pages")
struct ReferencePageTests {
  private static let folder = URL(fileURLWithPath: ShippedSteps.folder + "/../docs")
  private static let isWriting = ProcessInfo.processInfo.environment["PRESENTMENT_WRITE_REFERENCE"] == "1"

  private static func page(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("a page has what the declarations say; make reference writes it", arguments: ReferencePages.names)
  func page(name: String) throws {
    let page = try Self.page(name)
    let updated = ReferencePages.updated(page, named: name)
    if Self.isWriting {
      try updated.write(to: Self.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    } else {
      #expect(page == updated, "run: make reference")
    }
  }

  @Test("every generated part is in exactly one place, and every place has a part")
  func parts() throws {
    let marker = /^<!-- ((?:keys|checks|parties|profiles): .+) -->$/.anchorsMatchLineEndings()
    let places = try ReferencePages.names.flatMap { name in
      try Self.page(name).matches(of: marker).map { String($0.output.1) }
    }
    #expect(places.sorted() == ReferencePages.parts.map(\.marker).sorted())
  }
}
