import DigitalCredentials
import InteractiveWorlds
import LocatedYAML
import Testing
import Vocabulary

/// Pages that are added to worlds.
@Suite struct ExternalPageChangeTests {
  private func website(
    _ origin: String, changes: String? = nil
  ) throws -> (name: String, description: WorldDescription.Website) {
    let world = try InteractiveSample.headline(changes: changes).world
    let change = ExternalPageChange(try Origin(serialized: origin), into: world)
    let earlier = try changes.map { try YAMLValue(parsing: $0) }
    let changed = try InteractiveSample.scenario(
      InteractiveSample.folder + "/headline.yaml", changes: [earlier, change.change].compactMap(\.self)
    ).world
    let found = try #require(changed.websites.first { $0.identifier == change.website })
    #expect(found.origin.serialized == origin && found.script == .external)
    return (change.website, found)
  }

  @Test func aPageOfAKnownOriginBelongsToItsWebsite() throws {
    let (name, website) = try website("https://spaceship-rentals.example")
    #expect(name == "spaceship-rentals" && website.brand.name == "Spaceship Rentals" && !website.asks.isEmpty)
  }

  @Test(arguments: [
    ("https://site.example", "site.example"), ("http://localhost:9999", "localhost:9999"),
  ])
  func aPageOfAnotherOriginBecomesANewWebsite(_ origin: String, _ shown: String) throws {
    let (name, website) = try website(origin)
    #expect(name == "your-site" && website.brand.name == shown && website.asks.isEmpty)
  }

  @Test func aNewWebsiteGetsAFreeName() throws {
    let taken = #"{ websites: { your-site: { origin: "https://taken.example", brand: { name: Taken }, asks: {} } } }"#
    #expect(try website("https://site.example", changes: taken).name == "your-site-too")
  }
}
