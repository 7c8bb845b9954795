import Certificates
import Primitives

/// Lists of issuing authorities (ISO/IEC 18013-5, C.1.7.1).
extension Outline {
  /// `VICAL`, the payload of the signed list.
  mutating func issuerListContents(_ node: Node) {
    members(
      of: node, .plain("version"), .plain("vicalProvider"), .date("date"), .plain("vicalIssueID"), .date("nextUpdate"),
      KnownMember("certificateInfos") { outline, infos in
        let count = infos.elements.count.counted("certificate")
        outline.under("certificateInfos: \(count)", at: infos.offset) { inside in
          for (position, info) in infos.elements.enumerated() {
            inside.under("[\(position)]", at: info.offset) { $0.certificateInfo(info) }
          }
        }
      })
  }

  /// `CertificateInfo`: an authority, and the types of documents that it may issue.
  private mutating func certificateInfo(_ node: Node) {
    if let types = node.member("docType") {
      under("docType: \(types.elements.count.counted("type"))", at: types.offset) { inside in
        for type in types.elements { inside.documentType(type) }
      }
    }
    otherMembers(of: node, except: ["certificate", "docType"])
    guard let member = node.member("certificate") else { return line("deviates: the certificate is missing") }
    guard let bytes = member.bytes, let certificate = try? Self.readCertificate(der: bytes) else {
      return field("certificate", member)
    }
    under("certificate", at: member.offset) { $0.certificate(certificate, issuer: nil, for: .issuer) }
  }
}
