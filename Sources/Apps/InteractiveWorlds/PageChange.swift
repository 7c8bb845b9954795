import DigitalCredentials
import Ecosystem
import JSON

/// The change to a world that puts a page into it whose script runs outside: as a page of the website that has its origin,
/// or of a new one, which asks for nothing of its own.
public struct PageChange: Sendable {
  /// The website that the page is of.
  public let website: String
  /// The change, as a scenario writes it.
  public let text: String

  /// What a website that is added is called, unless the world has one of that name.
  private static let name = "your-site"

  /// The change for a page of an origin.
  public init(_ origin: Origin, into world: WorldDescription) {
    if let known = world.websites.first(where: { $0.origin == origin }) {
      website = known.identifier
      text = JSONCoding.text(["websites": [website: ["script": "outside"]]])
      return
    }
    let taken = world.websites.map(\.identifier)
    var name = Self.name
    while taken.contains(name) { name += "-too" }
    website = name
    let address = origin.serialized
    // People know a site by its host, and one of their own machine by the port behind it.
    let shown = String(address[(address.firstRange(of: "://")?.upperBound ?? address.startIndex)...])
    text = JSONCoding.text(["websites": [name: Website(origin: address, brand: ["name": shown])]])
  }

  private struct Website: Encodable {
    var script = "outside"
    var origin: String
    var brand: [String: String]
    var asks: [String: String] = [:]
  }
}
