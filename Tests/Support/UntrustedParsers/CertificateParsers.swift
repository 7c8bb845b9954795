import COSE
import Certificates
import MobileDocument
import Primitives
import TestSupport
import X509

extension UntrustedParser {
  /// Certificates with the rules of a profile and their brand.
  static let certificate = UntrustedParser("certificate", growth: 64, seeds: { Seeds.certificates }) { bytes in
    guard let certificate = try CertificateChain.read([bytes]).first else { throw NoValue() }
    _ = try? certificate.verificationKey()
    _ = BrandIdentity(in: certificate)
    _ = (certificate.commonName, certificate.country, certificate.state, certificate.validity)
    // One profile each, selected by the length: checking all of them would take too long.
    let profile = CertificateProfile.allCases[bytes.count % CertificateProfile.allCases.count]
    let results = profile.check(certificate, issuer: certificate)
    return certificate.subject.description.utf8.count + results.reduce(0) { $0 + $1.message.utf8.count }
  }

  /// Requests for certificates.
  static let certificateRequest = UntrustedParser(
    "certificate-request",
    seeds: {
      let made = try? ReaderCertificateRequest.make(
        organization: "Example", domain: "example.com", signer: FixedKeys.signer)
      return made.map { [$0] } ?? []
    }
  ) { bytes in
    let request = try ReaderCertificateRequest(bytes)
    return request.domain.utf8.count + (request.organization?.utf8.count ?? 0)
  }

  /// Pictures of brands: what is read is the same from its URL.
  static let logotype = UntrustedParser(
    "logotype",
    seeds: {
      let drawing = #"<svg xmlns="http://www.w3.org/2000/svg"><!-- a --><g fill="url(#a)"><path d='M0 0'/></g></svg>"#
      let chunks: [(length: UInt8, type: String)] = [(13, "IHDR"), (0, "IDAT"), (0, "IEND")]
      var pixels: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      for (length, type) in chunks {
        pixels += [0, 0, 0, length]
        pixels += Array(type.utf8)
        pixels += (0..<length + 4).map { $0 % 4 == 3 ? 1 : 0 }
      }
      return [Array(drawing.utf8), pixels]
    }
  ) { bytes in
    let logotype = try Logotype(bytes)
    try BrokenPromise.unless(Logotype(url: logotype.url) == logotype, "the URL has another picture")
    return logotype.bytes.count
  }

  /// Chains in PEM, and the certificates in them.
  static let pem = UntrustedParser(
    "pem",
    seeds: {
      let chain = Seeds.annexD("cert-reader", "cert-reader-root")
      return [CertificateChain.pem(chain), CertificateChain.pem(Array(chain.prefix(1)))]
    }
  ) { bytes in
    let blocks = try CertificateChain.blocks(ofFile: bytes)
    _ = try CertificateChain.read(blocks)
    return blocks.reduce(0) { $0 + $1.count }
  }

  /// Dates and days: every value that is read can be written and read back.
  static let date = UntrustedParser(
    "date",
    seeds: {
      [
        "2025-09-15T17:00:00Z", "2025-09-15t17:00:00.123456z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-00:00",
        "1990-01-31", "2024-02-29", "2025-02-29T24:00:00Z",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let text = try text(bytes)
    if let day = FullDate(text) {
      try BrokenPromise.unless(FullDate(day.description) == day && day.description == text, "\(text) is another day")
      return text.utf8.count
    }
    guard let (moment, _) = DateTime.parse(text) else { throw NoValue() }
    let again = DateTime.parse(moment.description)
    try BrokenPromise.unless(again?.moment == moment && again?.deviations == [], "\(text) is another moment")
    return moment.description.utf8.count
  }
}
