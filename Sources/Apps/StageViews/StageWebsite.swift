import Certificates
import JSON
import Vocabulary

/// A website of a world, for the stage.
struct StageWebsite {
  var name: String
  var title: String
  var icon: String
  var origin: String
  /// The address of its page in a live world; nil for a play.
  var url: String?

  /// The websites of a world.
  /// - Parameter live: The name of the live world in addresses; nil for a play.
  static func all(of world: WorldDescription, live: String? = nil) -> [StageWebsite] {
    world.websites.map { website in
      let origin = website.origin.serialized
      return StageWebsite(
        name: website.identifier, title: website.brand.name, icon: website.brand.picture, origin: origin,
        url: live.map { "\(origin)/?world=\($0)" })
    }
  }
}

extension StageWebsite: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("icon", icon)
    json.member("name", name)
    json.member("origin", origin)
    json.member("title", title)
    json.member("url", url)
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
