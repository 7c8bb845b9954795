import ArgumentParser
import Devices
import DigitalCredentials
import Foundation
import Vocabulary

/// The options of `presentment serve`. The command checks them, and passes them on to the program `presentment-serve`.
package struct ServeOptions: ParsableArguments {
  /// The path of the program: beside the command, with its name and `-serve`.
  package static var program: String { SandboxProcess.path(of: SandboxProcess.ownName + "-serve") }

  /// What to do if the program is missing.
  package static var howToBuild: String {
    SandboxProcess.ownName == "presentment"
      ? "in a checkout, make serve builds it" : "build one that runs PresentmentServerProgram, with this name"
  }

  @Option(help: "A file with the world that is shown by default.")
  private var world = "scenarios/worlds/spaceport.yaml"

  /// The folder of an option that is left out. A server without it has no menu.
  private static let usualFolder = "scenarios"

  @Option(help: "A folder with the scenarios and worlds of the menu.")
  private var scenarios = Self.usualFolder

  /// The file with the world that is shown by default.
  package var worldPath: String { ShippedFiles.path(world) }
  /// The folder with the scenarios and worlds of the menu.
  package var folder: String { ShippedFiles.path(scenarios) }

  @Option(help: "The port; 0 for any free port.")
  package var port = 8080

  @Option(
    help: """
      The address to listen on; 0.0.0.0 for all. With an address that other machines reach, everyone there can use the \
      server without a password. They open the stage by an address or a name of this machine; the pages of websites open \
      on this machine only, because their hosts end in .localhost.
      """)
  package var address = "127.0.0.1"

  @Option(
    help: """
      The port of a WebDriver BiDi endpoint, 0 for any free port. It lets a test set the virtual wallet of the pages that \
      use presentment.js. Its address is printed after the stage's.
      """)
  package var bidi: Int?

  @Option(help: "A name by which other machines reach this server, besides its host name; repeatable.")
  package var hostName: [String] = []

  @Option(
    help: "An additional origin whose pages may use the phone and request answers; repeatable.")
  package var allowOrigin: [String] = []

  @Option(help: "An origin whose pages, such as slides, may frame the stage; repeatable.")
  package var allowEmbedding: [String] = []

  @Option(
    help: """
      The place of every device's request sandbox; the default is the world's, or the server's process where no \
      confined process can start.
      """)
  package var sandbox: WorldDescription.SandboxPlace?

  /// Creates the options, for parsing.
  package init() {}

  /// Checks the options.
  /// - Throws: `ValidationError` with the option that is wrong.
  package func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535") }
    if let bidi, !(0...65_535).contains(bidi) { throw ValidationError("--bidi takes a number from 0 to 65535") }
    for (option, origins) in [("--allow-origin", allowOrigin), ("--allow-embedding", allowEmbedding)] {
      for origin in origins where (try? Origin(serialized: origin))?.serialized != origin {
        throw ValidationError("\(option) takes an origin as browsers write it, such as https://shop.example")
      }
    }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
    guard isThere || scenarios == Self.usualFolder else {
      throw ValidationError("--scenarios takes a folder; there is none at \(scenarios)")
    }
    for name in hostName where (try? Origin(serialized: "http://\(name)"))?.host != name.lowercased() {
      throw ValidationError("--host-name takes the name of a host without a port, such as laptop.local")
    }
  }
}

extension WorldDescription.SandboxPlace: ExpressibleByArgument {}

/// The option `--sandbox` of the commands that run worlds.
package enum SandboxOption {
  /// The help of the option.
  package static let help: ArgumentHelp = "The place of every device's request sandbox; the default is the world's."
  /// The help of the option of a search.
  package static let searchHelp: ArgumentHelp = """
    The place of every device's request sandbox; in-process, which is not confined, takes less time than process.
    """
}
