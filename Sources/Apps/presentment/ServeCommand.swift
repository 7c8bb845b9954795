import ArgumentParser
import DemoServer
import DigitalCredentials
import Ecosystem
import Foundation
import InteractiveWorlds

/// `presentment serve [--world FILE] [--port N]`
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show the app selector and the consent flow in a web page.",
    discussion: """
      Prints the address of the stage, and serves until SIGTERM or Control-C. By default only this machine can reach it;
      see --address. Pages of this machine can use the phone with the script presentment.js; POST /api/answer answers a
      request without a page. Exit codes: 0 at the end, 2 if it cannot start.
      """)

  @Option(help: "A file with the world that is shown by default.")
  var world = "scenarios/worlds/spaceport.yaml"

  @Option(help: "A folder with the scenarios and worlds of the menu.")
  var scenarios = "scenarios"

  @Option(help: "The port; 0 for any free port.")
  var port = 8080

  @Option(
    help: """
      The address to listen on; 0.0.0.0 for all. With an address that other machines reach, everyone there can use the \
      server without a password. They open the stage by an address or a name of this machine; the pages of websites open \
      on this machine only, because their hosts end in .localhost.
      """)
  var address = "127.0.0.1"

  @Option(
    help: """
      The port of a WebDriver BiDi endpoint, 0 for any free port. It lets a test set the virtual wallet of the pages that \
      use presentment.js. Its address is printed after the stage's.
      """)
  var bidi: Int?

  @Option(help: "A name by which other machines reach this server, besides its host name; repeatable.")
  var hostName: [String] = []

  @Option(
    help: "An additional origin whose pages may use the phone and request answers; repeatable.")
  var allowOrigin: [String] = []

  @Option(help: "An origin whose pages, such as slides, may frame the stage; repeatable.")
  var allowEmbedding: [String] = []

  @Option(help: SandboxOption.help)
  var sandbox: WorldDescription.SandboxPlace?

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535") }
    if let bidi, !(0...65_535).contains(bidi) { throw ValidationError("--bidi takes a number from 0 to 65535") }
    for (option, origins) in [("--allow-origin", allowOrigin), ("--allow-embedding", allowEmbedding)] {
      for origin in origins where (try? Origin(serialized: origin))?.serialized != origin {
        throw ValidationError("\(option) takes an origin as browsers write it, such as https://shop.example")
      }
    }
    for name in hostName where (try? Origin(serialized: "http://\(name)"))?.host != name.lowercased() {
      throw ValidationError("--host-name takes the name of a host without a port, such as laptop.local")
    }
  }

  func run() async throws {
    do {
      var configuration = DemoServer.Configuration(
        world: world, folder: scenarios, address: address, port: port, allowedOrigins: allowOrigin)
      configuration.sandbox = sandbox
      configuration.embeddingOrigins = allowEmbedding
      configuration.hostNames = hostName
      configuration.bidiPort = bidi
      let server = try DemoServer(configuration)
      // A reader of a pipe gets each line at once.
      try await server.run { [configuration] address, port in
        for line in configuration.warning(port: port) { StandardError.write(line) }
        print(address)
        fflush(nil)
      } bidiReady: { address in
        print(address)
        fflush(nil)
      }
    } catch let refusal as InteractiveWorldError {
      StandardError.write(refusal.message)
      throw ExitCode(2)
    } catch let refusal as ProgramError {
      StandardError.write(refusal.message)
      throw ExitCode(2)
    } catch {
      StandardError.write("cannot serve at \(address), port \(port): \(error)")
      throw ExitCode(2)
    }
  }
}
