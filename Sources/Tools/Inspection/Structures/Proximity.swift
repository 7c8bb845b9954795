import CBOR
import MobileDocument

/// Structures of a presentment face to face (ISO/IEC 18013-5, 8.2 and 9.1.1), which turn up in files beside others.
extension Outline {
  mutating func deviceEngagement(_ node: Node) {
    if let version = node.member(0) { field("version (0)", version) }
    if let security = node.member(1)?.elements, security.count == 2 {
      field("cipher suite", security[0])
      embedded("EDeviceKeyBytes", security[1]) { inside, key in
        if Artifact.recognize(key) == .key { inside.key(key) } else { inside.notation(key) }
      }
    }
    if let methods = node.member(2) { field("device retrieval methods (2)", methods) }
    otherMembers(of: node, exceptLabels: [0, 1, 2])
  }

  /// `SessionEstablishment` and `SessionData`.
  mutating func sessionMessage(_ node: Node) {
    if let key = node.member("eReaderKey") {
      embedded("eReaderKey", key) { inside, key in
        if Artifact.recognize(key) == .key { inside.key(key) } else { inside.notation(key) }
      }
    }
    if let data = node.member("data") { opaque("data", data, "a message sealed with the session's keys") }
    if let status = node.member("status") {
      let meaning = status.integer.flatMap(Self.meaning(ofSessionStatus:)).map { " (\($0))" } ?? ""
      notation(status, prefix: "status: ", suffix: meaning)
    }
    otherMembers(of: node, except: ["eReaderKey", "data", "status"])
  }

  private static func meaning(ofSessionStatus status: Int) -> String? {
    switch status {
    case 10: "session encryption error"
    case 11: "CBOR decoding error"
    case 20: "session termination"
    default: nil
    }
  }
}
