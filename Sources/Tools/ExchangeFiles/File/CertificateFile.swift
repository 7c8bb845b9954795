import Certificates
import MobileDocument
import X509

/// Reads a file named in another file.
/// - Parameter path: The path as written there.
public typealias FileReading = (_ path: String) throws -> [UInt8]

/// Certificates in files: PEM, one after the other.
public enum CertificateFile {
  /// Returns the certificates of a PEM text, in order.
  /// - Parameter name: The member or file, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func certificates(_ pem: [UInt8], name: String?) throws(ExchangeFileError) -> [Certificate] {
    do {
      return try CertificateChain.read(try CertificateChain.blocks(ofPEM: pem))
    } catch {
      throw ExchangeFileError(.certificate, name, "the certificates cannot be read: \(error.message)")
    }
  }

  /// Returns the certificates of a PEM text, trusted for a profile. Unsupported certificates, such as roots on brainpool
  /// curves, are skipped, because trust lists contain some.
  /// - Parameter name: The member or file, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func trusted(
    _ pem: [UInt8], for profile: CertificateProfile, name: String?
  ) throws(ExchangeFileError) -> TrustedCertificates {
    do {
      let blocks = try CertificateChain.blocks(ofPEM: pem, atMost: ExchangeLimits.trustedCertificates)
      return try TrustedCertificates(reading: blocks, for: profile)
    } catch {
      throw ExchangeFileError(.certificate, name, "the certificates cannot be read: \(error.message)")
    }
  }

  /// Returns certificates in PEM.
  public static func pem(_ certificates: [Certificate]) throws -> String {
    String(decoding: CertificateChain.pem(try certificates.map { try $0.derEncoded() }), as: UTF8.self)
  }

  /// Returns the certificates of an array of PEM texts and names of PEM files, trusted for a profile.
  static func trusted(
    _ member: JSONField, for profile: CertificateProfile, reading read: FileReading
  ) throws(ExchangeFileError) -> TrustedCertificates {
    var found = TrustedCertificates([], for: profile)
    for element in try member.elements() {
      let text = try element.text()
      let pem: [UInt8]
      if text.contains("-----BEGIN") {
        pem = Array(text.utf8)
      } else {
        do {
          pem = try read(try element.shortText())
        } catch let error as ExchangeFileError {
          throw ExchangeFileError(error.code, element.path, error.message)
        } catch {
          throw ExchangeFileError(
            .unreadable, element.path, "neither a PEM certificate ('-----BEGIN CERTIFICATE-----') nor a readable file")
        }
      }
      found = found.adding(try trusted(pem, for: profile, name: element.path))
      guard found.count <= ExchangeLimits.trustedCertificates else {
        throw ExchangeFileError(
          .tooLarge, member.path, "more than \(ExchangeLimits.trustedCertificates) certificates")
      }
    }
    return found
  }
}
