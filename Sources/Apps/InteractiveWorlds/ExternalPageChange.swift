import DigitalCredentials
import Ecosystem
import LocatedYAML

/// The change to a world that adds a page with an external script: as a page of the website with its origin, or of a new
/// website, which requests nothing itself.
public struct ExternalPageChange: Sendable {
  /// The website of the page.
  public let website: String
  /// The change, as under `changes` in a scenario.
  public let change: YAMLValue

  /// The name of an added website, unless the world has one of that name.
  private static let name = "your-site"

  /// Creates the change for a page of an origin.
  public init(_ origin: Origin, into world: WorldDescription) {
    if let known = world.websites.first(where: { $0.origin == origin }) {
      website = known.identifier
      change = .one("websites", .one(website, .one("script", .text("external"))))
      return
    }
    let taken = world.websites.map(\.identifier)
    var name = Self.name
    while taken.contains(name) { name += "-too" }
    website = name
    let address = origin.serialized
    // People know a site by its host, and a site of their own machine by its port.
    let shown = String(address[(address.firstRange(of: "://")?.upperBound ?? address.startIndex)...])
    let added: [YAMLValue.Entry] = [
      YAMLValue.Entry("script", .text("external")), YAMLValue.Entry("origin", .text(address)),
      YAMLValue.Entry("brand", .one("name", .text(shown))), YAMLValue.Entry("asks", .mapping([])),
    ]
    change = .one("websites", .one(name, .mapping(added)))
  }
}
