import ExchangeFiles
import Foundation
import InteractiveWorlds
import ScenarioLanguage
import TestSupport
import Testing

@testable import DemoServer

/// The scripts of the web demo show codes, and know some by name.
@Suite("Codes in scripts") struct ScriptCodeTests {
  private static let registered: Set<String> = {
    var codes = CodeRegistry.all + ExchangeFileError.Code.allCases.map(\.rawValue)
    codes += (InteractiveWorldError.Code.steps + InteractiveWorldError.Code.answers).map(\.rawValue)
    codes += HTTPProblem.Code.requests.map(\.rawValue)
    return Set(codes)
  }()

  @Test func everyCodeInAScriptExists() throws {
    let families = Set(Self.registered.compactMap { $0.split(separator: ".").first })
    let web = "Sources/Apps/DemoServer/Web"
    let folders = ["\(web)/Assets", "\(web)/Script", "Sources/Tools/TraceViews/Web"]
    let scripts = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        at: Programs.package.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    }.filter { $0.pathExtension == "js" }
    var known: Set<String> = []
    for script in scripts {
      let text = try String(contentsOf: script, encoding: .utf8)
      // Text that starts like a code, up to its end or to an interpolation.
      for match in text.matches(of: /["'`](([a-z]+)\.[a-z0-9.-]*(\$\{)?)/) where families.contains(match.output.2) {
        let code = String(match.output.1)
        guard !code.hasSuffix(".svg") else { continue }
        #expect(Self.registered.contains(code), "\(script.lastPathComponent): \(code)")
        known.insert(code)
      }
    }
    #expect(known.contains("provider.answered"), "\(known)")
  }
}
