import Certificates
import MobileDocument
import X509

/// Reads a file that another one names.
/// - Parameter path: as it is written there.
public typealias FileReading = (_ path: String) throws -> [UInt8]

/// Certificates as files carry them: PEM, one after the other.
public enum CertificateFile {
  /// The certificates of a PEM text, in its order.
  /// - Parameter name: the member or file, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func certificates(_ pem: [UInt8], name: String?) throws(ExchangeFileError) -> [Certificate] {
    do {
      return try CertificateChain.read(try CertificateChain.blocks(ofPEM: pem))
    } catch {
      throw ExchangeFileError(.certificate, name, "the certificates cannot be read: \(error)")
    }
  }

  /// The certificates of a PEM text, trusted for a profile. Of those that have no use here, such as roots on brainpool
  /// curves, trust lists may hold some.
  /// - Parameter name: the member or file, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func trusted(
    _ pem: [UInt8], for profile: CertificateProfile, name: String?
  ) throws(ExchangeFileError) -> TrustedCertificates {
    do {
      let blocks = try CertificateChain.blocks(ofPEM: pem, atMost: ExchangeLimits.trustedCertificates)
      return try TrustedCertificates(reading: blocks, for: profile)
    } catch {
      throw ExchangeFileError(.certificate, name, "the certificates cannot be read: \(error)")
    }
  }

  /// Certificates in PEM.
  public static func pem(_ certificates: [Certificate]) throws -> String {
    String(decoding: CertificateChain.pem(try certificates.map { try $0.derEncoded() }), as: UTF8.self)
  }

  /// The certificates of an array of PEM texts and names of files that hold PEM, trusted for a profile.
  static func trusted(
    _ member: Member, for profile: CertificateProfile, reading read: FileReading
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
          throw ExchangeFileError(error.code, element.path, error.sentence)
        } catch {
          throw ExchangeFileError(.unreadable, element.path, "it is no PEM text, and no file of that name can be read")
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
