import Certificates
import JSON
import Vocabulary

extension BrandIdentity {
  /// The picture for people: a `data` URL, or the file of the icon.
  var picture: String { logotype?.url ?? icon }

  /// The address of the picture on a page.
  package var address: String { logotype?.url ?? "/icons/\(icon)" }
}

/// The icons of the requesting apps of a world by their names. An app has the icon of the brand whose server it uses.
struct AppIcons: JSONWritable {
  private let icons: [(name: String, icon: String)]

  init(of world: WorldDescription) {
    let names = Set(world.requestingApps.map(\.name)).sorted()
    icons = names.compactMap { name in world.brand(ofRequestingApp: name).map { (name, $0.picture) } }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for (name, icon) in icons { json.member(name, icon) }
    }
  }
}
