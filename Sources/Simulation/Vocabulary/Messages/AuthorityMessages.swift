import JSON

/// The merchant identifier that a question is about.
package struct MerchantBody: Sendable, JSONObject {
  package var merchantIdentifier: String

  package init(merchantIdentifier: String) { self.merchantIdentifier = merchantIdentifier }

  package static let json = JSONForm<Self>(Self.init, Member("merchantIdentifier", \.merchantIdentifier))
}

/// An app's order of a document.
package struct ProvisioningOrder: Sendable, JSONObject {
  package var documentType: String
  /// The person's record in the register. It replaces the proof of identity that a real authority requires.
  package var record: String
  /// COSE_Key of the key that was made on the device, in base64url.
  package var deviceKey: String

  package init(documentType: String, record: String, deviceKey: String) {
    (self.documentType, self.record, self.deviceKey) = (documentType, record, deviceKey)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("documentType", \.documentType), Member("record", \.record), Member("deviceKey", \.deviceKey))
}

/// The head of an HTTP request for a list (RFC 9112, 3), which is the whole request.
package struct HTTPGetRequest {
  /// Host of the URI.
  package let host: String
  /// Path and query of the URI.
  package let target: String
  /// The accepted media types, the preferred one first; empty if the request names none.
  package private(set) var accepted: [String] = []

  /// The encoded request.
  /// - Parameter accepted: Media types, the preferred one first.
  package func encoded(accepting accepted: [String]) -> [UInt8] {
    Array("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nAccept: \(accepted.joined(separator: ", "))\r\n\r\n".utf8)
  }

  /// Creates a request.
  package init(host: String, target: String) {
    self.host = host
    self.target = target
  }

  /// Reads a request, or returns nil if it is not a GET request.
  package init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let first = lines.first?.split(separator: " ") ?? []
    guard first.count == 3, first[0] == "GET", first[2] == "HTTP/1.1",
      let host = lines.dropFirst().first(where: { $0.lowercased().hasPrefix("host: ") })
    else { return nil }
    self.init(host: String(host.dropFirst("host: ".count)), target: String(first[1]))
    let accepting = lines.dropFirst().first { $0.lowercased().hasPrefix("accept: ") }?.dropFirst("accept: ".count)
    accepted = (accepting ?? "").split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
  }
}
