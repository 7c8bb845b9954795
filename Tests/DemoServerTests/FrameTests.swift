import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import DemoServer

@Suite("Frames on the stage") struct FrameTests {
  private struct World: Decodable {
    struct Actor: Decodable {
      var id: String
      var title: String
    }
    var id: String
    var actors: [Actor]
  }

  private struct Play: Decodable {
    struct Frame: Decodable {
      struct Page: Decodable {
        var title: String
        var verdict: String?
      }
      struct Fact: Decodable {
        var words: String
      }
      var name: String
      var website: String
      var page: Page
      var facts: [Fact]?
    }
    struct Warning: Decodable {
      var origin: String
      var buttons: [String]
    }
    struct Device: Decodable {
      var frames: [Frame]?
      var warning: Warning?
    }
    struct Screen: Decodable {
      var devices: [String: Device]
    }
    var screens: [Screen]
  }

  private static let scenario = "browser/a-site-in-a-frame#the person continues after the warning"

  @Test("A world names the script of a frame, and takes taps in it and an answer to the warning")
  func world() async throws {
    try await ServedStage.test { client in
      func post(_ path: String, _ body: String) async throws -> TestClient.Response {
        try await client.execute(
          uri: path, method: .post, headers: [.contentType: "application/json"], body: ByteBuffer(string: body))
      }
      let response = try await post("/api/worlds", #"{"scenario":"\#(Self.scenario)","steps":0}"#)
      let world = try JSONDecoder().decode(World.self, from: Data(buffer: response.body))
      let frame = world.actors.first { $0.id == "page:orbital-market@kellys-iphone#spaceship-rentals/market" }
      #expect(frame?.title == "Page of Orbital Market in the frame market")
      for (step, status) in [
        (#"{"visits":"spaceship-rentals"}"#, HTTPResponse.Status.noContent),
        (#"{"taps":"Verify Identity","frame":"nowhere"}"#, .badRequest),
        (#"{"answers-warning":"continue"}"#, .conflict),
        (#"{"taps":"Verify Identity","frame":"market","on":"kellys-iphone"}"#, .noContent),
        (#"{"answers-warning":"continue","on":"kellys-iphone"}"#, .noContent),
        (#"{"picks":"Wallet"}"#, .noContent),
      ] {
        let taken = try await post("/api/worlds/\(world.id)/steps", #"{"person":\#(step)}"#)
        #expect(taken.status == status, "\(step): \(String(buffer: taken.body))")
      }
    }
  }

  @Test("The screens of a play have the frames of the page, and the warning") func play() async throws {
    try await ServedStage.test { client in
      let name = try #require(Self.scenario.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let response = try await client.execute(uri: "/api/play?scenario=\(name)", method: .get)
      let play = try JSONDecoder().decode(Play.self, from: Data(buffer: response.body))
      let devices = play.screens.compactMap { $0.devices["kellys-iphone"] }
      let warnings = devices.compactMap(\.warning)
      #expect(warnings.map(\.origin) == ["https://orbital-market.example"])
      #expect(warnings.first?.buttons == ["Continue", "Cancel"])
      let last = try #require(devices.last?.frames)
      #expect(last.map(\.name) == ["market"] && last.map(\.website) == ["orbital-market"])
      #expect(last[0].page.title == "Orbital Market" && last[0].page.verdict == "verified")
      #expect(last[0].facts?.map(\.words) == ["Kelly", "Yes"])
    }
  }
}
