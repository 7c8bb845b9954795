import JSON
import Vocabulary

/// The icons of the requesting apps of a world by their names. An app has the icon of the brand whose server it uses.
struct AppIcons: JSONWritable {
  private let icons: [(name: String, icon: String)]

  init(of world: WorldDescription) {
    let names = Set(world.requestingApps.map(\.name)).sorted()
    icons = names.compactMap { name in world.icon(ofRequestingApp: name).map { (name, $0) } }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for (name, icon) in icons { json.member(name, icon) }
    }
  }
}
