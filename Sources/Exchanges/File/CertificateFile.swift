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

  /// Certificates in PEM.
  public static func pem(_ certificates: [Certificate]) throws -> String {
    String(decoding: CertificateChain.pem(try certificates.map { try $0.derEncoded() }), as: UTF8.self)
  }

  /// The certificates of an array of PEM texts and names of files that hold PEM.
  static func certificates(
    _ member: Member, reading read: FileReading
  ) throws(ExchangeFileError) -> [Certificate] {
    var found: [Certificate] = []
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
      found += try certificates(pem, name: element.path)
      guard found.count <= ExchangeLimits.trustedCertificates else {
        throw ExchangeFileError(
          .tooLarge, member.path, "more than \(ExchangeLimits.trustedCertificates) certificates")
      }
    }
    return found
  }
}
