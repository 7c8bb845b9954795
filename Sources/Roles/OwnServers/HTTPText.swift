import Primitives

/// HTTP messages as text (RFC 9112, 2.1), for the channels of a world.
extension HTTPCall {
  /// The request with its absolute address (RFC 9112, 3.2.2).
  package var encoded: [UInt8] { HTTPText.encode("\(method) \(address) HTTP/1.1", headers, body ?? []) }

  /// Reads a request that ``encoded`` wrote; nil for any other text.
  package init?(encoded: [UInt8]) {
    guard let (line, headers, body) = HTTPText.decode(encoded) else { return nil }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, WebAddress(String(words[1])) != nil else { return nil }
    self.init(method: String(words[0]), address: String(words[1]))
    self.headers = headers
    self.body = body.isEmpty ? nil : body
  }
}

extension HTTPAnswer {
  /// The response.
  package var encoded: [UInt8] { HTTPText.encode("HTTP/1.1 \(status)", headers, body) }

  /// Reads a response that ``encoded`` wrote, which took no time; nil for any other text.
  package init?(encoded: [UInt8]) {
    guard let (line, headers, body) = HTTPText.decode(encoded), line.hasPrefix("HTTP/1.1 "),
      let status = Int(line.dropFirst(9)), (100...599).contains(status)
    else { return nil }
    self.init(status: status, headers: headers, body: body, time: .zero)
  }
}

private enum HTTPText {
  static func encode(_ line: String, _ headers: [(name: String, value: String)], _ body: [UInt8]) -> [UInt8] {
    let lines = [line] + headers.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  static func decode(_ bytes: [UInt8]) -> (line: String, headers: [(name: String, value: String)], body: [UInt8])? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: end) }),
      let head = String(validating: bytes[..<start], as: UTF8.self)
    else { return nil }
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { return nil }
    var headers: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      guard let separator = line.firstRange(of: ": ") else { return nil }
      headers.append((String(line[..<separator.lowerBound]), String(line[separator.upperBound...])))
    }
    return (String(first), headers, Array(bytes[(start + end.count)...]))
  }
}
