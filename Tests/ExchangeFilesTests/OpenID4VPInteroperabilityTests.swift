import Foundation
import TestSupport
import TestTraits
import Testing

@testable import ExchangeFiles

/// The command and an independent implementation of OpenID4VP on jwcrypto, tested against each other through files.
@Suite("An independent implementation of OpenID4VP", .requiresPython, .serialized)
struct OpenID4VPInteroperabilityTests {
  /// A format of credentials, with the script's request for it in the command's words.
  enum Format: String, CaseIterable, CustomTestStringConvertible {
    case mdoc = "mso_mdoc"
    case sdJWT = "dc+sd-jwt"

    var testDescription: String { rawValue }

    var asked: [String] {
      let (type, elements) =
        switch self {
        case .mdoc:
          (
            "org.iso.18013.5.1.mDL",
            ["org.iso.18013.5.1:family_name:retain", "org.iso.18013.5.1:birth_date", "org.iso.18013.5.1:portrait"]
          )
        case .sdJWT:
          (
            "dc+sd-jwt urn:eudi:pid:1",
            ["claims:given_name", "claims:address.locality", "claims:nationalities[]", "claims:age"]
          )
        }
      return ["--document-type", type] + elements.flatMap { ["--element", $0] }
    }
  }

  private static let kinds = ["unsigned", "signed", "multisigned"]
  private static let faults = ["ciphertext", "value", "issuer-signature", "device-signature", "origin", "nonce"]

  private static let program = "openid4vp.py"

  /// The check that finds each of the script's faults.
  private static let codes: [String: [Format: String]] = [
    "ciphertext": [.mdoc: "openid4vp.response.decryption", .sdJWT: "openid4vp.response.decryption"],
    "value": [.mdoc: "element.digest", .sdJWT: "sd-jwt.disclosures/unreferenced"],
    "issuer-signature": [.mdoc: "issuer.signature/invalid", .sdJWT: "sd-jwt.signature/invalid"],
    "device-signature": [.mdoc: "device.signature/invalid", .sdJWT: "sd-jwt.key-binding.signature/invalid"],
    "origin": [.mdoc: "device.signature/invalid", .sdJWT: "sd-jwt.key-binding.audience"],
    "nonce": [.mdoc: "device.signature/invalid", .sdJWT: "sd-jwt.key-binding.nonce"],
  ]

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func script(_ arguments: [String]) async throws -> Programs.Run {
    try await folder.script(arguments, name: Self.program)
  }

  private func succeeds(_ run: Programs.Run, _ location: SourceLocation = #_sourceLocation) {
    #expect(run.code == 0, "\(run)", sourceLocation: location)
  }

  @Test("the independent implementation answers our request", arguments: kinds, Format.allCases)
  func ours(kind: String, format: Format) async throws {
    let signers = [
      "unsigned": [], "signed": ["--throwaway-reader", "Harbour", "--reader-root", "r.pem", "--by-domain"],
      "multisigned": ["--throwaway-reader", "Harbour", "--reader-root", "r.pem"],
    ]
    let request = try await folder.presentment(
      ["request", "--origin", "https://harbour.example", "--protocol", "openid4vp-v1-\(kind)", "--out", "ours.json"]
        + format.asked + (signers[kind] ?? []))
    succeeds(request)
    let trust = kind == "unsigned" ? [] : ["--trusted-reader", "r.pem"]
    succeeds(try await script(["respond", "ours.json", "--out", "answered.json"] + trust))
    try await folder.bothVerify("answered.json", name: Self.program)
  }

  @Test("the command answers the independent implementation's request", arguments: kinds, Format.allCases)
  func theirs(kind: String, format: Format) async throws {
    // One with several signatures asks for the shorter content encryption, an unsigned one also for none.
    let answer =
      ["unsigned": ["--plain"], "multisigned": ["--encryption", "A128GCM"]][kind, default: []]
    let origin = "https://utopia.example"
    succeeds(
      try await script(
        [
          "request", "--origin", origin, "--protocol", "openid4vp-v1-\(kind)", "--format", format.rawValue,
          "--out", "theirs.json", "--reader-root", "r.pem",
        ] + answer))
    succeeds(
      try await script([
        "respond", "theirs.json", "--out", "first.json", "--write-document", "issued", "--write-device-key", "key.json",
      ]))
    try await folder.bothVerify("first.json", name: Self.program)
    let trust = kind == "unsigned" ? [] : ["--trusted-readers", "r.pem"]
    let document = ["--document", "issued", "--device-key", "key.json", "--out", "second.json"]
    succeeds(try await folder.presentment(["respond", "first.json"] + document + trust))
    try await folder.bothVerify("second.json", name: Self.program)
    guard kind != "unsigned" else { return }
    let elsewhere = try await folder.presentment(
      ["respond", "first.json", "--origin", "\(origin):444"] + document + trust)
    #expect(elsewhere.code == 1 && elsewhere.errors.contains("[provider."), "\(elsewhere)")
  }

  @Test("the independent implementation verifies a world's answer and refuses altered ones", arguments: faults)
  func world(fault: String) async throws {
    succeeds(try await script(["request", "--origin", "http://localhost:5173", "--out", "theirs.json"]))
    let world = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path
    succeeds(
      try await folder.presentment(
        "respond", "theirs.json", "--world", world, "--device", "kellys-iphone", "--app", "Wallet", "--issuer-root",
        "root.pem", "--out", "answered.json"))
    try folder.trust("root.pem", in: "answered.json")
    try await folder.bothVerify("answered.json", name: Self.program)
    try await folder.bothRefuse(
      "answered.json", with: fault, code: Self.codes[fault]?[.mdoc], name: Self.program)
  }

  @Test(
    "both refuse an altered answer of the independent implementation with an SD-JWT credential", arguments: faults)
  func altered(fault: String) async throws {
    succeeds(
      try await script(["request", "--origin", "https://utopia.example", "--format", "dc+sd-jwt", "--out", "t.json"]))
    succeeds(try await script(["respond", "t.json", "--out", "answered.json"]))
    try await folder.bothVerify("answered.json", name: Self.program)
    try await folder.bothRefuse(
      "answered.json", with: fault, code: Self.codes[fault]?[.sdJWT], name: Self.program)
  }
}
