import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import Mustache
import TraceViews
import Vocabulary

/// The pages and the files that they load.
struct Pages: Sendable {
  /// The data of a website's page.
  struct Site {
    var title: String
    /// The address of the brand's picture.
    var icon: String
    var name: String
    var world: String
    /// The origin of the phone and its script.
    var demoOrigin: String
    /// The look of the page: the name of its icon.
    var theme: String
    var asks: [Asked]
    var checkout: Checkout
  }

  /// The checkout around a website's button.
  struct Checkout {
    /// The item, if there is one.
    var item: WorldDescription.Website.Checkout.Item?
    /// The items to select from, if there are several.
    var items: [WorldDescription.Website.Checkout.Item]
    var reason: String
    var success: String
    var ready: String

    init(_ checkout: WorldDescription.Website.Checkout) {
      item = checkout.items.count == 1 ? checkout.items.first : nil
      items = checkout.items.count > 1 ? checkout.items : []
      (reason, success, ready) = (checkout.reason, checkout.success, checkout.ready)
    }
  }

  /// A requested element.
  struct Asked {
    var nameSpace: String
    var identifier: String
    var label: String
    var isRetained: Bool
  }

  private let templates: MustacheLibrary
  private let assets: [String: (data: Data, type: String)]

  /// The media types of the files.
  private static let types = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "yaml": "application/yaml",
  ]

  /// Reads the pages and files from the program's resources.
  /// - Throws: An error if they are missing.
  init() throws {
    let web = try WebFiles.folder(of: "DemoServer")
    var templates = MustacheLibrary()
    for name in ["head", "stage", "beside", "site", "phone", "notes", "tour", "reference"] {
      let file = web.appendingPathComponent("Templates/\(name).html")
      try templates.register(String(contentsOf: file, encoding: .utf8), named: name)
    }
    var assets: [String: (data: Data, type: String)] = [:]
    for folder in [web.appendingPathComponent("Assets"), try WebFiles.folder()] {
      let root = folder.standardizedFileURL.path + "/"
      for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
        guard let type = Self.types[String(path.split(separator: ".").last ?? "")] else { continue }
        assets[path] = (try Data(contentsOf: URL(fileURLWithPath: root + path)), type)
      }
    }
    let script = try PageScript.text(in: web.appendingPathComponent("Script"))
    assets[PageScript.name] = (Data(script.utf8), Self.types["js", default: ""])
    self.templates = templates
    self.assets = assets
  }

  /// Returns a file of the pages, or nil if the path is unknown.
  func asset(_ path: String) -> Response? {
    guard let asset = assets[path] else { return nil }
    var response = Reply.bytes(asset.data, type: asset.type)
    // The stage and all sites load the same files, which change with the program's version.
    response.headers[.cacheControl] = "no-cache"
    return response
  }

  /// Returns the content security policy of a page of the server's own.
  ///
  /// - Parameters:
  ///   - frames: The sources of the frames in it; nil if it has none.
  ///   - ancestors: The pages that may frame it, as sources of `frame-ancestors`.
  private static func policy(frames: String? = nil, framedBy ancestors: String = "'none'") -> String {
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
      + (frames.map { "frame-src \($0); " } ?? "")
      + "base-uri 'none'; form-action 'self'; frame-ancestors \(ancestors)"
  }

  /// The stage.
  /// - Parameter frames: The pages that may frame it, as sources of `frame-ancestors`.
  func stage(websites: String, framedBy frames: String) -> Response {
    html("stage", [:], policy: Self.policy(frames: websites, framedBy: frames))
  }

  /// Two runs side by side.
  func beside(framedBy frames: String) -> Response { html("beside", [:], policy: Self.policy(framedBy: frames)) }

  /// The phone alone, for pages that are not on the stage.
  func phone(world: String, framedBy frames: String) -> Response {
    html("phone", ["world": world], policy: Self.policy(framedBy: frames))
  }

  /// The presenter's notes, in a window of their own.
  func notes() -> Response { html("notes", [:], policy: Self.policy()) }

  /// A run in pictures.
  func tour() -> Response { html("tour", [:], policy: Self.policy()) }

  /// The meaning of every name on the stage.
  func reference() -> Response { html("reference", ReferencePage(.shared), policy: Self.policy()) }

  /// A website's page.
  func site(_ site: Site, framedBy frames: String) -> Response {
    let demo = site.demoOrigin
    return html(
      "site", site,
      policy: "default-src 'none'; script-src 'self' \(demo); style-src 'self'; img-src 'self' data: blob:; "
        + "connect-src 'self' \(demo); frame-src \(demo); base-uri 'none'; form-action 'self'; "
        + "frame-ancestors \(frames)")
  }

  private func html(_ name: String, _ values: Any, policy: String) -> Response {
    guard let text = templates.render(values, withTemplate: name) else { return Reply.empty(.notFound) }
    var response = Reply.bytes(Data(text.utf8), type: "text/html; charset=utf-8")
    response.headers[.contentSecurityPolicy] = policy
    return response
  }
}
