import CBOR
import Crypto
import MobileDocument

/// `valueDigests` of a mobile security object, read for itself: a device key of a curve that is not known here must
/// not keep the digests from being compared.
struct ValueDigests {
  private let algorithm: MobileSecurityObject.DigestAlgorithm?
  private let algorithmName: String
  private let digests: [String: [UInt64: [UInt8]]]

  /// The digests in the payload of `issuerAuth`; nil when it holds no mobile security object.
  init?(issuerAuth: Node) {
    let message = issuerAuth.item.tag == nil ? issuerAuth : issuerAuth.tagged?.content
    guard let elements = message?.elements, elements.count == 4,
      let object = try? elements[2].readContent().opened(), let spaces = object.member("valueDigests")
    else { return nil }
    algorithmName = object.member("digestAlgorithm")?.text ?? ""
    algorithm = MobileSecurityObject.DigestAlgorithm(rawValue: algorithmName)
    var digests: [String: [UInt64: [UInt8]]] = [:]
    for space in spaces.entries {
      guard let name = space.key.text else { continue }
      var byNumber: [UInt64: [UInt8]] = [:]
      for entry in space.value.entries {
        if let number = try? entry.key.item.unsigned(), let digest = entry.value.bytes { byNumber[number] = digest }
      }
      digests[name] = byNumber
    }
    self.digests = digests
  }

  /// What came of comparing the digest of an item, in words.
  func comparison(nameSpace: String, item: Node, opened: Node) -> String {
    guard let algorithm else {
      return "digest not checked: \(Printed.quoted(algorithmName, full: false)) is not known here"
    }
    guard let number = try? opened.member("digestID")?.item.unsigned(), let wanted = digests[nameSpace]?[number] else {
      return "digest is not in the MSO"
    }
    return digest(item.item.encoded, with: algorithm) == wanted
      ? "digest matches the MSO" : "digest DIFFERS from the MSO"
  }

  private func digest(_ bytes: ArraySlice<UInt8>, with algorithm: MobileSecurityObject.DigestAlgorithm) -> [UInt8] {
    switch algorithm {
    case .sha256: Array(SHA256.hash(data: Array(bytes)))
    case .sha384: Array(SHA384.hash(data: Array(bytes)))
    case .sha512: Array(SHA512.hash(data: Array(bytes)))
    }
  }
}
