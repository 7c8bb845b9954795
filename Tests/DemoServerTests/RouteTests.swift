import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import DemoServer

/// The OpenAPI description has the routes that the server knows, and no others.
@Suite("Routes") struct RouteTests {
  /// The methods of each path in the description, by the two levels of indentation below `paths`.
  private static func described() throws -> [String: Set<String>] {
    let file = Programs.package.appendingPathComponent("Sources/Apps/DemoServer/Web/Assets/openapi.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "\npaths:\n")?.upperBound)
    let end = try #require(text.range(of: "\ncomponents:\n")?.lowerBound)
    var described: [String: Set<String>] = [:]
    var path = ""
    for line in text[start..<end].split(separator: "\n") {
      if let match = line.wholeMatch(of: /\ {2}(\/\S+):/) {
        path = String(match.output.1)
        #expect(described.updateValue([], forKey: path) == nil, "\(path) is described twice")
      } else if let match = line.wholeMatch(of: /\ {4}(get|post|put|patch|delete):/) {
        described[path]?.insert(match.output.1.uppercased())
      }
    }
    return described
  }

  @Test func everyRouteIsDescribedWithItsMethods() throws {
    let known = APIRoute.allCases.map { ($0.rawValue, Set($0.methods.map(\.rawValue))) }
    #expect(try Self.described() == Dictionary(uniqueKeysWithValues: known))
  }

  @Test func aPathHasOneRoute() throws {
    for route in APIRoute.allCases {
      let path = route.rawValue.split(separator: "/").map { $0.hasPrefix("{") ? "7" : String($0) }
      let found = try #require(APIRoute.find(path))
      #expect(found.route == route && found.values.allSatisfy { $0 == "7" })
      #expect(found.values.count == route.rawValue.count { $0 == "{" })
      #expect(APIRoute.find(path + ["more", "and", "more"]) == nil, "\(route)")
    }
  }
}
