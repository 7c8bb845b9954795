import Foundation
import HummingbirdTesting
import TestSupport

@testable import DemoServer

/// The stage of the shipped scenarios, called without a socket.
enum ServedStage {
  static func test(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
    let folder = Programs.package.appendingPathComponent("scenarios").path
    let server = try DemoServer(
      DemoServer.Configuration(world: folder + "/worlds/spaceport.yaml", folder: folder))
    let sessions = Sessions()
    defer { sessions.end() }
    try await server.application(sessions).test(.router, body)
  }
}
