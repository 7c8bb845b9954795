import Certificates
import MobileDocument

/// Finds out what the bytes of a file are and prints them named and annotated.
///
/// A file holds one artifact in one of the ``InputForm``s, which are tried in their order:
///
/// ```
/// bytes -> form (raw, hexadecimal, base64url, PEM, JSON, trace) -> artifact -> lines, indented by two spaces
/// ```
///
/// Nothing here believes what it reads. Signatures and digests are checked where everything for it is in the file, and
/// the output says so; a device request and a device's signature need the session transcript, which a file has not.
/// Element values are shown, since whoever inspects a file has it. Private keys are not.
public enum Inspector {
  /// Longest input in bytes: the longest sealed response that is read, 4 MiB, takes 8 MiB in hexadecimal, and the
  /// trace of a long scenario carries a few large portraits several times.
  public static let maximumLength = 16 << 20

  /// Names and prints what is in some bytes.
  ///
  /// - Parameters:
  ///   - bytes: the content of a file.
  ///   - options: how much to print.
  ///   - profile: whose rules certificates are held against; nil for those of the profile that each seems to be of.
  /// - Returns: lines of text, the last one ended too; or what was tried and why none of it fits.
  public static func inspect(
    _ bytes: [UInt8], options: InspectionOptions = [], profile: CertificateProfile? = nil
  ) -> Result<String, InspectionFailure> {
    guard !bytes.isEmpty else { return .failure(InspectionFailure(.empty)) }
    guard bytes.count <= maximumLength else {
      return .failure(
        InspectionFailure(.tooLarge, "\(bytes.count) bytes are more than the \(maximumLength) that are read"))
    }
    var attempts: [InspectionFailure.Attempt] = []
    for form in InputForm.allCases {
      var outline = Outline(options: options, profile: profile)
      do throws(Misfit) {
        try form.read(bytes, into: &outline)
        return .success(outline.rendered)
      } catch {
        attempts.append(InspectionFailure.Attempt(form: form, reason: error.reason))
      }
    }
    return .failure(InspectionFailure(.unrecognized, attempts: attempts))
  }
}

/// How much an inspection prints.
public struct InspectionOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Where each item of CBOR starts stands at the left, in bytes from the start of the artifact it belongs to.
  public static let offsets = InspectionOptions(rawValue: 1)
  /// Long byte strings, texts and lists of digests are printed whole.
  public static let full = InspectionOptions(rawValue: 2)
}
