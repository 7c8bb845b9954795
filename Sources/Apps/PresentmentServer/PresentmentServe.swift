import ArgumentParser
import CommandSupport
import DemoServer
import Foundation
import InteractiveWorlds
import NIOCore
import ProviderStyles

/// The program of `presentment serve`, for a package that adds provider apps of its own. Beside a command with the name
/// `presentment` it is called `presentment-serve`, and likewise beside one with another name.
public enum PresentmentServerProgram {
  /// Serves until SIGTERM or Control-C.
  /// - Parameter styles: The provider apps that worlds can name, besides the shipped ones.
  public static func run(adding styles: [any ProviderStyle] = []) async {
    AddedStyles.add(styles)
    await PresentmentServe.main()
  }
}

/// The program of `presentment serve`.
struct PresentmentServe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presentment-serve", abstract: "The web server of presentment serve, which has the help.",
    shouldDisplay: false)

  @OptionGroup var options: ServeOptions

  @Option(help: .private) var measure: Int?

  /// The least number of descriptors that must be free at the start: three for each event loop of SwiftNIO, which begin
  /// later, and some for connections and files.
  private static var leastDescriptors: Int { 3 * System.coreCount + 32 }

  static func main() async {
    StandardStreams.prepare()
    MachineNeeds.require()
    MachineNeeds.requireDescriptors(leastDescriptors)
    await main(nil)
  }

  func run() async throws {
    do {
      if let measure {
        try await ServeMeasures.measure(measure)
      } else {
        try await serve()
      }
    } catch let refusal as InteractiveWorldError {
      throw ExitCode.failing(refusal.message)
    } catch let refusal as ProgramError {
      throw ExitCode.failing(refusal.message)
    } catch {
      throw ExitCode.failing("cannot serve at \(options.address), port \(options.port): \(error)")
    }
    try StandardOutput.requireWritten()
  }

  private func serve() async throws {
    var configuration = DemoServer.Configuration(
      world: options.worldPath, folder: options.folder, address: options.address, port: options.port,
      allowedOrigins: options.allowOrigin)
    configuration.sandbox = options.sandbox
    configuration.embeddingOrigins = options.allowEmbedding
    configuration.hostNames = options.hostName
    configuration.bidiPort = options.bidi
    let server = try DemoServer(configuration)
    try await server.run { [configuration] address, port in
      for line in configuration.warning(port: port) { StandardError.write(line) }
      Self.announce(address)
    } bidiReady: { address in
      Self.announce(address)
    }
  }

  /// Prints an address. If it cannot be printed, the server ends in order, because no user finds it.
  private static func announce(_ address: String) {
    StandardOutput.print(address)
    if !StandardOutput.isWritten { kill(getpid(), SIGTERM) }
  }
}
