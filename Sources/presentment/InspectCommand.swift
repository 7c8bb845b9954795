import ArgumentParser
import Foundation
import Inspection
import MobileDocument

/// `presentment inspect FILE`
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Name an artifact and print it annotated: CBOR, base64url, hex, PEM, DER, JSON or lines of a trace.")

  @Argument(help: "The file; - for standard input.")
  var file: String

  @Flag(help: "Print where each item starts, in bytes.")
  var offsets = false

  @Flag(help: "Print long byte strings whole.")
  var full = false

  @Option(
    help: ArgumentHelp(
      "The profile of ISO/IEC 18013-5 annex B to hold certificates against: \(CertificateProfile.optionNames). "
        + "Without it, the one that each seems to be of.", valueName: "name"))
  var profile: CertificateProfile?

  func run() throws {
    var options: InspectionOptions = []
    if offsets { options.insert(.offsets) }
    if full { options.insert(.full) }
    switch Inspector.inspect(try read(), options: options, profile: profile) {
    case .success(let text): print(text)
    case .failure(let failure):
      StandardError.write("\(file): \(failure)")
      throw ExitCode(2)
    }
  }

  /// The file's bytes; one more than the inspector takes at most, so that it can say that they are too many.
  private func read() throws -> [UInt8] {
    let handle: FileHandle
    if file == "-" {
      handle = .standardInput
    } else {
      do {
        handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      } catch {
        StandardError.write("\(file): no such file, or it may not be read")
        throw ExitCode(2)
      }
    }
    var bytes: [UInt8] = []
    do {
      while bytes.count <= Inspector.maximumLength,
        let chunk = try handle.read(upToCount: min(1 << 16, Inspector.maximumLength + 1 - bytes.count)), !chunk.isEmpty
      { bytes += chunk }
    } catch {
      StandardError.write("\(file): it cannot be read")
      throw ExitCode(2)
    }
    return bytes
  }
}

extension CertificateProfile: ExpressibleByArgument {
  /// The name of a profile on the command line: in small letters, with hyphens.
  private var optionName: String { rawValue.lowercased().replacing(" ", with: "-") }

  fileprivate static var optionNames: String { allCases.map(\.optionName).joined(separator: ", ") }

  /// A profile by its name on the command line.
  public init?(argument: String) {
    guard let found = Self.allCases.first(where: { $0.optionName == argument }) else { return nil }
    self = found
  }

  /// The names on the command line.
  public static var allValueStrings: [String] { allCases.map(\.optionName) }
}
