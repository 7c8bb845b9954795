import DigitalCredentials
import Ecosystem
import InteractiveWorlds
import Testing

/// Pages that are put into worlds.
@Suite struct PageChangeTests {
  private func website(
    _ origin: String, changes: String? = nil
  ) throws -> (name: String, description: WorldDescription.Website) {
    let world = try LiveSample.headline(changes: changes).world
    let change = PageChange(try Origin(serialized: origin), into: world)
    let changed = try LiveSample.scenario(
      LiveSample.folder + "/headline.yaml", changes: [changes, change.text].compactMap(\.self)
    ).world
    let found = try #require(changed.websites.first { $0.identifier == change.website })
    #expect(found.origin.serialized == origin && found.script == .outside)
    return (change.website, found)
  }

  @Test func aPageOfAKnownOriginIsThatWebsites() throws {
    let (name, website) = try website("https://spaceship-rentals.example")
    #expect(name == "spaceship-rentals" && website.brand.name == "Spaceship Rentals" && !website.asks.isEmpty)
  }

  @Test(arguments: [
    ("https://site.example", "site.example"), ("http://localhost:9999", "localhost:9999"),
  ])
  func aPageOfAnotherOriginIsANewWebsites(_ origin: String, _ shown: String) throws {
    let (name, website) = try website(origin)
    #expect(name == "your-site" && website.brand.name == shown && website.asks.isEmpty)
  }

  @Test func aNameThatIsTakenIsNotTakenAgain() throws {
    let taken = #"{ websites: { your-site: { origin: "https://taken.example", brand: { name: Taken }, asks: {} } } }"#
    #expect(try website("https://site.example", changes: taken).name == "your-site-too")
  }
}
