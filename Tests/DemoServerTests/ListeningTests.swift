import Foundation
import InteractiveWorlds
import NIOCore
import TestSupport
import Testing

@testable import DemoServer

/// The address that the server listens on.
@Suite("Addresses to listen on") struct ListeningTests {
  @Test(arguments: ["127.0.0.1", "::1", "localhost"]) func thisMachineOnlyNeedsNoWarning(_ address: String) {
    let listening = ListeningAddress(address)
    #expect(listening.stage(port: 8080) == "http://demo.localhost:8080/")
    #expect(listening.warning(port: 8080).isEmpty && listening.names.isEmpty)
  }

  @Test func addressesThatOtherMachinesReachAreWarnedAbout() {
    let every = ListeningAddress("0.0.0.0", names: ["Stage.example"])
    #expect(every.stage(port: 8080) == "http://demo.localhost:8080/")
    let warning = every.warning(port: 8080).joined(separator: "\n")
    #expect(warning.contains("without a password") && warning.contains("http://stage.example:8080/"))
    #expect(warning.contains(".localhost") && !warning.contains("0.0.0.0:8080"))
    #expect(ListeningAddress("192.0.2.7").stage(port: 8080) == "http://192.0.2.7:8080/")
    #expect(ListeningAddress("2001:db8::7").stage(port: 8080) == "http://[2001:db8::7]:8080/")
    #expect(ListeningAddress("stage.example").names.contains("stage.example"))
  }

  @Test func onlyKnownNamesReachTheStage() throws {
    let hosts = Hosts(port: 8080, names: ListeningAddress("0.0.0.0", names: ["Stage.example"]).names)
    #expect(try hosts.owner(of: "stage.example:8080") == .stage)
    #expect(throws: HTTPProblem.self) { try hosts.owner(of: "rebound.example:8080") }
    #expect(throws: HTTPProblem.self) { try hosts.owner(of: "stage.example.evil.example:8080") }
  }

  @Test func aBusyPortIsExplained() async throws {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    let server = try DemoServer(DemoServer.Configuration(world: worlds + "/any-site.yaml", folder: worlds))
    try await server.testListening { _, port in
      let run = try await Programs.run(Programs.presentment, ["serve", "--port", "\(port)"])
      #expect(run.code == 2, "\(run)")
      #expect(
        run.errors == "cannot serve at 127.0.0.1, port \(port): the port is in use; choose another with --port, "
          + "or any free one with --port 0\n")
    }
  }

  @Test func aBusyPortOfTheEndpointForTestsIsExplained() async throws {
    let worlds = Programs.package.appendingPathComponent("scenarios/worlds").path
    let server = try DemoServer(DemoServer.Configuration(world: worlds + "/any-site.yaml", folder: worlds))
    try await server.testListening { _, port in
      let run = try await Programs.run(Programs.presentment, ["serve", "--port", "0", "--bidi", "\(port)"])
      // The stage, which ends at once, is not announced.
      #expect(run.code == 2 && run.output.isEmpty, "\(run)")
      #expect(
        run.errors == "cannot listen for WebDriver BiDi at 127.0.0.1, port \(port): the port is in use; choose another "
          + "with --bidi, or any free one with --bidi 0\n")
    }
  }

  @Test func aMissingFolderIsExplained() async throws {
    for path in ["nosuch", "README.md"] {
      let run = try await Programs.run(Programs.presentment, ["serve", "--scenarios", path, "--port", "0"])
      #expect(run.code == 2 && run.output.isEmpty, "\(run)")
      #expect(run.errors.hasPrefix("Error: --scenarios takes a folder; there is none at \(path)\n"), "\(run)")
    }
  }

  @Test func anOtherErrorHasNoRemedy() {
    let listening = ListeningAddress("127.0.0.1")
    #expect(listening.refusal(of: IOError(errnoCode: EADDRINUSE, reason: "bind"), port: 1) != nil)
    #expect(listening.refusal(of: IOError(errnoCode: ENOMEM, reason: "bind"), port: 1) == nil)
  }

  @Test func aRecordingDoesNotNameFoldersOfThisMachine() throws {
    let path = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path
    let world = try DemoConfiguration(path: path).begin()
    defer { world.stop() }
    let title = world.recording.yaml.split(separator: "\n").first
    #expect(title?.contains("Recorded: spaceport") == true)
    #expect(!world.recording.yaml.contains(Programs.package.path))
  }
}
