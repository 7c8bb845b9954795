import JOSE
import JSON
import Primitives

extension StatusListKind {
  /// The header `typ` of a token in JWT (Token Status List draft, 5.1). It has status lists only.
  static let jwtType = "statuslist+jwt"

  /// The media type of a token in JWT (Token Status List draft, 8.1).
  public static let jwtMediaType = "application/\(jwtType)"
}

extension StatusTokenClaims {
  /// Reads the payload of a token in JWT (Token Status List draft, 5.1). Unknown claims are ignored.
  ///
  /// `exp` is optional there. Without it, only the limit of caching ends the use of a copy.
  /// - Throws: `JOSEError`, or ``InflateError`` if the list cannot be inflated.
  init(jwt payload: [UInt8]) throws {
    let claims = try JOSEText.object(payload, name: "the token", limits: Self.limits)
    let (subject, lifetime, list) = try claims.reading("the token") { (json) throws(JSONError) in
      (try json.member("sub") as String, try json.optionalMember("ttl") as UInt64?, try json.item("status_list"))
    }
    guard let issuedAt = try claims.dateMember("iat") else { throw JOSEError(.member, "'iat' is missing") }
    self.init(
      subject: subject, issuedAt: issuedAt, expires: try claims.dateMember("exp") ?? Self.never, timeToLive: lifetime,
      content: .statusList(try StatusList(json: list)))
  }

  private static let limits = JSONLimits(bytes: StatusLimits.tokenLength, depth: 8, values: 1 << 10)
  /// The last time that can be written.
  private static let never = DateTime(secondsSince1970: DateTime.writable.upperBound)

  /// The claims as the payload of a token in JWT; nil for an identifier list.
  var json: JSONValue? {
    guard case .statusList(let list) = content else { return nil }
    var members: [(String, JSONValue)] = [
      ("sub", .string(subject)), ("iat", .number(String(issuedAt.secondsSince1970))),
      ("exp", .number(String(expires.secondsSince1970))),
    ]
    if let timeToLive { members.append(("ttl", .number(String(timeToLive)))) }
    let written = JSONValue(members: [
      ("bits", .number(String(list.entrySize.rawValue))),
      ("lst", .string(Base64URL.encode(Inflate.stored(list.bytes)))),
    ])
    return JSONValue(members: members + [("status_list", written)])
  }
}

extension StatusList {
  /// Reads a list in JSON (Token Status List draft, 4.2).
  /// - Throws: `JOSEError`, or ``InflateError`` if the list cannot be inflated.
  init(json: JSONItem) throws {
    let (bits, compressed) = try json.reading("status_list") { (json) throws(JSONError) in
      (try json.member("bits") as Int, try json.base64URLMember("lst"))
    }
    guard let entrySize = EntrySize(rawValue: bits) else {
      throw JOSEError(.member, "bits is not 1, 2, 4 or 8", evidence: String(bits))
    }
    self.init(entrySize: entrySize, bytes: try Inflate.zlib(compressed, limit: StatusLimits.listLength))
  }
}

extension StatusReference {
  /// Reads the reference in the claim `status` of a credential in JSON (Token Status List draft, 6.2); nil without it.
  /// - Throws: `JOSEError` for a malformed reference, and for `status` without `status_list` (HAIP, 6.1).
  package init?(credential: JSONItem) throws(JOSEError) {
    guard try credential.has("status") else { return nil }
    let status = try credential.reading("status") { (json) throws(JSONError) in try json.item("status") }
    guard try status.has("status_list") else { return nil }
    let (uri, index) = try status.reading("status_list") { (json) throws(JSONError) in
      let list = try json.item("status_list")
      return (try list.member("uri") as String, try list.member("idx") as UInt64)
    }
    guard uri.utf8.count <= StatusLimits.uriLength else {
      throw JOSEError(.tooLarge, "the URI of the list has \(uri.utf8.count) bytes, more than \(StatusLimits.uriLength)")
    }
    self.init(.index(index), uri: uri)
  }
}
