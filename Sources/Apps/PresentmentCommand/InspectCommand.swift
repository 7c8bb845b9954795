import ArgumentParser
import Certificates
import CommandSupport
import Crypto
import ExchangeFiles
import HybridTransport
import Inspection
import MobileDocument
import Primitives
import Proximity

/// `presentment inspect FILE|FOLDER…`
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Identify an artifact and print it with annotations: CBOR, base64url, hex, PEM, DER, JSON or lines of a trace.",
    discussion: """
      Several files are printed one after the other, each below its name. Exit codes: 0 if every file was recognized, \
      2 if one was not or could not be read.
      """)

  @Argument(help: "Files, folders of files, - for standard input, or the text of a QR code, FIDO:/… or mdoc:….")
  var files: [String]

  @Flag(help: "Print the offset of each item, in bytes.")
  var offsets = false

  @Flag(help: "Print long byte strings in full.")
  var full = false

  @Option(
    help: ArgumentHelp(
      "The profile of ISO/IEC 18013-5 annex B to check certificates against: \(CertificateProfile.optionNames). "
        + "By default the profile is detected for each certificate.", valueName: "name"))
  var profile: CertificateProfile?

  @Option(help: ArgumentHelp("The text of the QR code that opens the advert in the file.", valueName: "FIDO:/…"))
  var qrCode: String?

  @Option(
    help: ArgumentHelp(
      "The key that opens the message of a session in the file, 32 bytes: that of the message's direction.",
      valueName: "hex"))
  var sessionKey: String?

  @Option(help: "The message's counter; by default the first 256 are tried. Requires --session-key.")
  var counter: UInt32?

  @Option(
    help: ArgumentHelp(
      "The ephemeral private key of the mdoc or of the reader in a session in person. It opens the session's messages in "
        + "the files after the device engagement and the session establishment: a JSON Web Key, PEM, DER or hexadecimal.",
      valueName: "file"))
  var ephemeralKey: String?

  @Option(
    help: ArgumentHelp(
      "The recipient's private key: a JSON Web Key, PEM, DER, hexadecimal, or an exchange file with it. It opens an "
        + "encrypted answer with OpenID4VP, and one with annex C in an exchange file.", valueName: "file"))
  var key: String?

  func validate() throws {
    guard qrCode == nil || sessionKey == nil else {
      throw ValidationError("--qr-code and --session-key exclude each other")
    }
    guard counter == nil || sessionKey != nil else { throw ValidationError("--counter requires --session-key") }
    _ = try seal()
  }

  /// The key of sealed bytes; nil without one.
  private func seal() throws -> SealKey? {
    if let qrCode {
      do throws(HybridError) { return .qrCode(try QRPayload(uri: qrCode)) } catch {
        throw ValidationError("--qr-code: \(error)")
      }
    }
    guard let sessionKey else { return nil }
    guard let key = Hexadecimal.decode(sessionKey), key.count == SealKey.sessionKeyLength else {
      throw ValidationError("--session-key: expected \(SealKey.sessionKeyLength * 2) hexadecimal digits")
    }
    return .session(key: key, counter: counter)
  }

  /// The session in person to follow; nil without a key.
  private func session() throws -> InPersonSession? {
    guard let ephemeralKey else { return nil }
    return InPersonSession(.p256(try PrivateKeyFile.agreementKey(Files.read(ephemeralKey), name: ephemeralKey)))
  }

  /// The recipient's private key; nil without one.
  private func recipientKey() throws -> P256.KeyAgreement.PrivateKey? {
    guard let key else { return nil }
    let bytes = try Files.read(key)
    if let file = try? ExchangeFile(bytes), let found = try? file.recipientPrivateKey() { return found }
    return try PrivateKeyFile.agreementKey(bytes, name: key)
  }

  /// True for an argument that is the text of a QR code, and not the name of a file.
  private static func isQRCode(_ argument: String) -> Bool {
    [QRPayload.prefix, DeviceEngagement.scheme].contains { prefix in
      argument.prefix(prefix.count).lowercased() == prefix.lowercased()
    }
  }

  func run() throws {
    var options: InspectionOptions = []
    if offsets { options.insert(.offsets) }
    if full { options.insert(.full) }
    let seal = try seal()
    let recipientKey = try recipientKey()
    var session = try session()
    try ChosenFiles(files, except: Self.isQRCode).each { file, heading in
      let input = try Self.isQRCode(file) ? Array(file.utf8) : Files.read(file, upTo: Inspector.maximumLength)
      let inspected = Inspector.inspect(
        input, options: options, profile: profile, seal: seal, recipientKey: recipientKey, following: &session)
      switch inspected {
      case .success(let text):
        try ExchangeCommands.say(heading + text)
        return 0
      case .failure(let failure):
        StandardError.write("\(TerminalSafe.text(file)): \(failure)")
        return 2
      }
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
