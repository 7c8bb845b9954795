import COSE
import JSON
import Primitives
import SDJWT
import SimulationKernel

/// The effect of a fault in an SD-JWT credential, made by its issuing authority. Everything else about the credential is
/// correct, so that a verifier finds this fault and its consequences only.
package struct CredentialChange: Sendable {
  /// Changes a credential that is otherwise issued correctly.
  let apply: @Sendable (inout CredentialParts) throws -> Void
}

/// An issued SD-JWT credential taken apart, to be changed and put together again.
struct CredentialParts {
  /// The authority that issued it.
  let issuer: FaultyIssuer
  /// Members of the header of the issuer-signed JWT.
  var header: [JSONValue.Member]
  /// Members of its payload.
  var payload: [JSONValue.Member]
  /// The disclosures in base64url.
  var disclosures: [String]
  /// Returns the signature of the bytes that a signer signs.
  var signature: (_ signed: [UInt8], _ signer: any ES256Signer) throws -> [UInt8] = { try $1.signature(for: $0) }

  /// Takes apart what ``SDJWTDraft`` issued.
  init(_ issued: String, by issuer: FaultyIssuer) throws {
    self.issuer = issuer
    var parts = issued.split(separator: "~").map(String.init)
    let jwt = parts.removeFirst().split(separator: ".").map { Base64URL.decode(String($0)) ?? [] }
    (header, payload) = (try Self.members(jwt[0]), try Self.members(jwt[1]))
    disclosures = parts
  }

  private static func members(_ bytes: [UInt8]) throws -> [JSONValue.Member] {
    guard case .object(let members) = try JSONReader.read(bytes) else { return [] }
    return members
  }

  /// Sets a member of the header, or removes it.
  mutating func set(header name: String, to value: JSONValue?) { Self.set(name, to: value, in: &header) }

  /// Sets a member of the payload, or removes it.
  mutating func set(_ name: String, to value: JSONValue?) { Self.set(name, to: value, in: &payload) }

  private static func set(_ name: String, to value: JSONValue?, in members: inout [JSONValue.Member]) {
    let position = members.firstIndex { $0.name.isExactly(name) }
    switch (position, value) {
    case (let position?, let value?): members[position].value = value
    case (let position?, nil): members.remove(at: position)
    case (nil, let value?): members.append(.init(name: name, value: value))
    case (nil, nil): break
    }
  }

  /// A member of the payload.
  /// - Throws: `SimulationError` if the credential has none of the name.
  func member(_ name: String) throws -> JSONValue {
    guard let value = JSONValue.object(payload).member(name) else {
      throw SimulationError.notApplicable("the credential has no '\(name)'")
    }
    return value
  }

  /// Sets the certificate chain.
  mutating func setChain(_ chain: [[UInt8]]) {
    set(header: "x5c", to: .array(chain.map { .string(Base64.encode($0)) }))
  }

  /// Sets a date of the payload.
  mutating func set(_ name: String, to date: DateTime) { set(name, to: .number(String(date.secondsSince1970))) }

  /// Changes the signature.
  mutating func changeSignature(_ change: @escaping ([UInt8]) throws -> [UInt8]) {
    signature = { try change(try $1.signature(for: $0)) }
  }

  /// Changes the digests of the claims at the top.
  /// - Throws: `SimulationError` if every claim is always visible.
  mutating func changeDigests(_ change: ([JSONValue]) throws -> [JSONValue]) throws {
    guard case .array(let digests) = try member("_sd") else { return }
    set("_sd", to: .array(try change(digests)))
  }

  /// Adds a disclosure after the others, with its digest among those at the top.
  mutating func disclose(_ value: JSONValue) throws {
    let text = Base64URL.encode(value.bytes)
    disclosures.append(text)
    try changeDigests { $0 + [.string(SDJWTHash.sha256.digest(of: text))] }
  }

  /// The salt of an added disclosure.
  var salt: JSONValue { .string(Base64URL.encode(issuer.serialNumber)) }
  /// The time of issue.
  var moment: DateTime { issuer.moment }

  /// The compact serialization with a signature.
  func encoded() throws -> [UInt8] {
    let parts = [header, payload].map { Base64URL.encode(JSONValue.object($0).bytes) }
    let signed = parts.joined(separator: ".")
    let jwt = "\(signed).\(Base64URL.encode(try signature(Array(signed.utf8), issuer.signer)))"
    return Array(([jwt] + disclosures + [""]).joined(separator: "~").utf8)
  }
}
