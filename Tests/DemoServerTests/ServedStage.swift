import TestSupport

@testable import DemoServer

/// The stage of the shipped scenarios, called without a socket.
enum ServedStage {
  static func test(_ body: @escaping @Sendable (TestClient) async throws -> Void) async throws {
    let folder = Programs.package.appendingPathComponent("scenarios").path
    let server = try DemoServer(
      DemoServer.Configuration(world: folder + "/worlds/spaceport.yaml", folder: folder))
    try await server.test(Sessions(), body)
  }
}
