import ArgumentParser
import Certificates
import ExchangeFiles
import Inspection
import MobileDocument

/// `presentment inspect FILE`
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Identify an artifact and print it with annotations: CBOR, base64url, hex, PEM, DER, JSON or lines of a trace.")

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Flag(help: "Print the offset of each item, in bytes.")
  var offsets = false

  @Flag(help: "Print long byte strings in full.")
  var full = false

  @Option(
    help: ArgumentHelp(
      "The profile of ISO/IEC 18013-5 annex B to check certificates against: \(CertificateProfile.optionNames). "
        + "By default the profile is detected for each certificate.", valueName: "name"))
  var profile: CertificateProfile?

  func run() throws {
    var options: InspectionOptions = []
    if offsets { options.insert(.offsets) }
    if full { options.insert(.full) }
    let bytes: [UInt8]
    do throws(ExchangeFileError) {
      bytes = try Files.read(file, upTo: Inspector.maximumLength)
    } catch {
      throw ExchangeCommands.fail(error)
    }
    switch Inspector.inspect(bytes, options: options, profile: profile) {
    case .success(let text): print(text)
    case .failure(let failure):
      StandardError.write("\(file): \(failure)")
      throw ExitCode(2)
    }
  }
}

extension CertificateProfile: ExpressibleByArgument {
  /// A profile's name on the command line: in lower case, with hyphens.
  private var optionName: String { rawValue.lowercased().replacing(" ", with: "-") }

  fileprivate static var optionNames: String { allCases.map(\.optionName).joined(separator: ", ") }

  /// Parses a profile's name on the command line.
  public init?(argument: String) {
    guard let found = Self.allCases.first(where: { $0.optionName == argument }) else { return nil }
    self = found
  }

  /// The names on the command line.
  public static var allValueStrings: [String] { allCases.map(\.optionName) }
}
