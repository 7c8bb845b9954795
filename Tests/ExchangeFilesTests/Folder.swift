import Foundation
import TestSupport
import Testing

@testable import ExchangeFiles

/// A folder for the files of one test, removed at its end.
final class Folder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Runs the command from the same build as the tests.
  /// - Parameters:
  ///   - input: a file of the folder to be standard input.
  ///   - output: a device to be standard output.
  func presentment(_ arguments: String..., input: String? = nil, output: String? = nil) async throws -> Programs.Run {
    try await presentment(arguments, input: input, output: output)
  }

  func presentment(_ arguments: [String], input: String? = nil, output: String? = nil) async throws -> Programs.Run {
    try await Programs.run(
      Programs.presentment, arguments, in: url, from: input.map(url.appendingPathComponent),
      to: output.map { URL(fileURLWithPath: $0) })
  }

  /// The names in the folder or one below it, sorted.
  func names(in below: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appendingPathComponent(below).path).sorted()
  }

  func path(of name: String) -> String { url.appendingPathComponent(name).path }

  /// Runs the independent implementation.
  /// - Parameter name: The program: `exchange.py` and `openid4vp.py` for websites, `in_app.py` for apps.
  func script(_ arguments: String..., name: String = "exchange.py") async throws -> Programs.Run {
    try await script(arguments, name: name)
  }

  func script(_ arguments: [String], name: String) async throws -> Programs.Run {
    let script = Programs.package.appendingPathComponent("Tests/External/Interoperability/\(name)").path
    return try await Programs.run(Programs.python, ["-B", script] + arguments, in: url)
  }

  /// Returns the report of `presentment verify --json`.
  func verified(_ file: String, code: Int32) async throws -> [String: Any] {
    let run = try await presentment("verify", file, "--json")
    #expect(run.code == code, "\(run)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// Expects that both implementations find the same elements or claims in a file.
  func bothVerify(_ file: String, name: String = "exchange.py") async throws {
    let ours = try #require(try await verified(file, code: 0)["documents"] as? NSArray)
    let script = try await script("verify", file, name: name)
    #expect(script.code == 0, "\(script)")
    let theirs = try JSONSerialization.jsonObject(with: Data(script.output.utf8)) as? [String: Any]
    #expect(ours.count == 1 && ours == theirs?["documents"] as? NSArray, "\(ours) \(script)")
  }

  /// Expects that both implementations refuse an altered file, and ours with a code.
  func bothRefuse(_ file: String, with fault: String, code: String?, name: String = "exchange.py") async throws {
    #expect(try await script("tamper", file, "--with", fault, "--out", "altered.json", name: name).code == 0)
    let report = try await verified("altered.json", code: 1)
    let failure = try #require(report["failure"] as? [String: Any])
    let found = [failure["check"] as? String, failure["reason"] as? String].compactMap(\.self).joined(separator: "/")
    #expect(found == code)
    #expect((report["documents"] as? NSArray)?.count == 0)
    #expect(try await script("verify", "altered.json", name: name).code == 1)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  func permissions(of name: String) throws -> Int? {
    let path = url.appendingPathComponent(name).path
    return (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  /// Makes a file trust the roots of another.
  func trust(_ root: String, in name: String) throws {
    let place = url.appendingPathComponent(name)
    var draft = try Draft(try ExchangeFile([UInt8](Data(contentsOf: place))))
    draft.members["trustedIssuers"] = .array([.string(root)])
    try Data(draft.bytes).write(to: place)
  }
}
