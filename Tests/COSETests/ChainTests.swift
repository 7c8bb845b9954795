import CBOR
import TestSupport
import Testing

@testable import COSE

@Suite("x5chain")
struct ChainTests {
  private func headers(
    protected: CBORValue? = nil, unprotected: CBORValue? = nil
  ) throws -> COSEHeaders {
    var inside = [CBORValue.Entry(.integer(1), .integer(-7))]
    if let protected { inside.append(CBORValue.Entry(.integer(33), protected)) }
    let outside = unprotected.map { [CBORValue.Entry(.integer(33), $0)] } ?? []
    return try sign1(message(protected: .bytes(CBORValue.map(inside).encoded), unprotected: .map(outside))).headers
  }

  @Test("A bare certificate is a chain of one")
  func single() throws {
    let found = try headers(unprotected: .bytes([1, 2]))
    #expect(found.x5chain == [[1, 2]])
    #expect(found.deviations.isEmpty)
  }

  @Test("A chain as an array keeps its order")
  func several() throws {
    let found = try headers(unprotected: .array([.bytes([1]), .bytes([2]), .bytes([3])]))
    #expect(found.x5chain == [[1], [2], [3]])
    #expect(found.deviations.isEmpty)
  }

  @Test("A message without the header has no chain")
  func absent() throws {
    #expect(try headers().x5chain == nil)
  }

  @Test("A chain of one as an array is accepted with a finding")
  func arrayOfOne() throws {
    let found = try headers(unprotected: .array([.bytes([1])]))
    #expect(found.x5chain == [[1]])
    #expect(found.deviations == [.chainOfOneAsArray])
  }

  @Test("An empty chain is accepted with a finding")
  func emptyArray() throws {
    let found = try headers(unprotected: .array([]))
    #expect(found.x5chain == [])
    #expect(found.deviations == [.emptyChain])
  }

  @Test("A chain in the protected header is accepted with a finding")
  func protected() throws {
    let found = try headers(protected: .array([.bytes([1]), .bytes([2])]))
    #expect(found.x5chain == [[1], [2]])
    #expect(found.deviations == [.chainInProtectedHeader])
    #expect(try headers(protected: .array([.bytes([1])])).deviations == [.chainInProtectedHeader, .chainOfOneAsArray])
  }

  @Test("A chain or any other header in both buckets is refused")
  func both() throws {
    #expect(refusal { _ = try headers(protected: .bytes([1]), unprotected: .bytes([1])) } == .headerTwice)
    let header = CBORValue.map([CBORValue.Entry(.text("x"), .null)])
    #expect(
      refusal { _ = try sign1(message(protected: .bytes(header.encoded), unprotected: header)) } == .headerTwice)
    // An integer and a text are different labels, whatever they look like.
    let other = CBORValue.map([CBORValue.Entry(.text("1"), .integer(-7))])
    #expect(refusal { _ = try sign1(message(unprotected: other)) } == nil)
  }

  @Test("A thumbprint identifies its certificate")
  func thumbprint() throws {
    func thumbprint(_ value: CBORValue) throws -> COSECertificateThumbprint? {
      let header = CBORValue.map([
        CBORValue.Entry(.integer(1), .integer(-7)), CBORValue.Entry(.integer(34), value),
      ])
      return try sign1(message(protected: .bytes(header.encoded))).headers.x5t
    }
    func digest(_ algorithm: Int, _ hexadecimal: String) -> CBORValue {
      .array([.integer(algorithm), .bytes(Hex.bytes(hexadecimal))])
    }
    // Of the text "abc" (FIPS 180-4, examples).
    let text = Array("abc".utf8)
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    for value in [digest(-16, sha256), digest(-15, "ba7816bf8f01cfea")] {
      #expect(try thumbprint(value)?.isOf(text) == true)
      #expect(try thumbprint(value)?.isOf(text + [0]) == false)
    }
    #expect(try thumbprint(digest(-14, "00"))?.isOf(text) == .some(.none))
    #expect(refusal { _ = try thumbprint(.bytes([1])) } == .structure)
    #expect(refusal { _ = try thumbprint(.array([.integer(-16), .text("")])) } == .structure)
    #expect(try headers(protected: .bytes([1])).x5t == nil)
  }

  @Test("The longest chain is read, a longer one is refused")
  func length() throws {
    let longest = CBORValue.array((0..<4).map { .bytes([$0]) })
    #expect(try headers(unprotected: longest).x5chain?.count == COSEHeaders.maximumChainLength)
    let longer = CBORValue.array((0..<5).map { .bytes([$0]) })
    #expect(refusal { _ = try headers(unprotected: longer) } == .chainTooLong)
    let error = #expect(throws: COSEError.self) { try headers(protected: longer) }
    #expect(error?.code == .chainTooLong && error?.count == 5)
  }

  @Test(
    "A malformed chain is refused",
    arguments: [
      CBORValue.text("chain"), .null, .array([.bytes([1]), .text("2")]), .map([]), .array([.array([.bytes([1])])]),
    ])
  func malformed(_ chain: CBORValue) {
    #expect(refusal { _ = try headers(unprotected: chain) } == .structure)
    #expect(refusal { _ = try headers(protected: chain) } == .structure)
  }
}
