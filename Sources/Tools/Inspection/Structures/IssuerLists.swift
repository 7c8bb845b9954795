import Certificates
import Primitives

/// Lists of issuing authorities (ISO/IEC 18013-5, C.1.7.1).
extension Outline {
  /// `VICAL`, the payload of the signed list.
  mutating func issuerListContents(_ node: Node) {
    for name in ["version", "vicalProvider"] {
      if let member = node.member(name) { field(name, member) }
    }
    if let date = node.member("date") { self.date("date", date) }
    if let number = node.member("vicalIssueID") { field("vicalIssueID", number) }
    if let next = node.member("nextUpdate") { date("nextUpdate", next) }
    if let infos = node.member("certificateInfos") {
      line("certificateInfos: \(Printed.count(infos.elements.count, "certificate"))", at: infos.offset)
      nested { inside in
        for (position, info) in infos.elements.enumerated() {
          inside.line("[\(position)]", at: info.offset)
          inside.nested { $0.certificateInfo(info) }
        }
      }
    }
    otherMembers(
      of: node, except: ["version", "vicalProvider", "date", "vicalIssueID", "nextUpdate", "certificateInfos"])
  }

  /// `CertificateInfo`: an authority, and the types of documents that it may issue.
  private mutating func certificateInfo(_ node: Node) {
    if let types = node.member("docType") {
      line("docType: \(Printed.count(types.elements.count, "type"))", at: types.offset)
      nested { inside in
        for type in types.elements { inside.documentType(type) }
      }
    }
    otherMembers(of: node, except: ["certificate", "docType"])
    guard let member = node.member("certificate") else { return line("deviates: the certificate is missing") }
    guard let bytes = member.bytes, let certificate = try? Self.readCertificate(der: bytes) else {
      return field("certificate", member)
    }
    line("certificate", at: member.offset)
    nested { $0.certificate(certificate, issuer: nil, for: .issuer) }
  }
}
