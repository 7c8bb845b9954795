import DigitalCredentials
import Foundation
import JSON
import TraceViews

/// The script that websites include: its modules as one classic script.
enum PageScript {
  /// The file that the modules are written into, and the script's address.
  static let name = "presentment.js"
  private static let placeOfModules = "/* modules */"
  private static let placeOfProfiles = "{/* profiles */}"

  /// Returns the script.
  /// - Throws: ``TraceViewError`` if a module is missing, or cannot be joined.
  static func text(in folder: URL) throws(TraceViewError) -> String {
    let modules = try ScriptBundle(entry: "main.js") { (name) throws(TraceViewError) in
      try WebFiles.text(name, in: folder)
    }
    return try WebFiles.text(name, in: folder)
      .replacing(placeOfModules, with: modules.text.replacing(placeOfProfiles, with: profiles))
  }

  /// The facts about each browser that the script needs before the server answers.
  private static var profiles: String {
    func exception(_ finding: BrowserFinding, _ profile: BrowserProfile) -> JSONValue {
      JSONValue(members: [
        ("name", .string(profile.exceptionName(for: finding).text)), ("message", .string(finding.message)),
      ])
    }
    func protocols(of profile: BrowserProfile) -> [String] {
      profile.allowedProtocols.map(\.rawValue) + profile.allowedIssuanceProtocols.map(\.rawValue)
    }
    let table = BrowserProfile.all.map { profile in
      let facts = JSONValue(members: [
        ("protocols", .array(protocols(of: profile).map { .string($0) })),
        ("create", .string(profile.create.rawValue)), ("issue", .string(profile.issue.rawValue)),
        ("inactive", exception(BrowserFinding(.fullyActive, .inactive), profile)),
        ("gone", exception(BrowserFinding(.fullyActive, .gone), profile)),
      ])
      return (profile.name, facts)
    }
    return String(decoding: JSONValue(members: table).bytes, as: UTF8.self)
  }
}
