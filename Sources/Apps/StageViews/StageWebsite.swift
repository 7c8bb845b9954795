import Certificates
import JSON
import Vocabulary

/// A website of a world, for the stage.
struct StageWebsite: JSONObjectWritable {
  private let website: WorldDescription.Website
  /// The name of the live world in addresses; nil for a play.
  private let live: String?

  /// The websites of a world.
  /// - Parameter live: The name of the live world in addresses; nil for a play.
  static func all(of world: WorldDescription, live: String? = nil) -> [StageWebsite] {
    world.websites.map { StageWebsite(website: $0, live: live) }
  }

  func writeMembers(to json: inout JSONWriter) {
    let origin = website.origin.serialized
    json.member("icon", website.brand.picture)
    json.member("name", website.identifier)
    json.member("origin", origin)
    json.member("title", website.brand.name)
    // The address of its page in a live world.
    json.member("url", live.map { "\(origin)/?world=\($0)" })
  }
}

extension BrandIdentity {
  /// The picture for people: a `data` URL, or the file of the icon.
  var picture: String { logotype?.url ?? icon }

  /// The address of the picture on a page.
  package var address: String { logotype?.url ?? "/icons/\(icon)" }
}

extension WorldDescription {
  /// The icons of the requesting apps by their names. An app has the icon of the brand whose server it uses.
  var appIcons: [String: String] {
    let icons = requestingApps.compactMap { app in brand(ofRequestingApp: app.name).map { (app.name, $0.picture) } }
    return Dictionary(icons) { first, _ in first }
  }
}
