import CBOR
import HybridTransport
import TestSupport
import TestTraits
import Testing

@Suite("Messages of a session")
struct MessageTests {
  @Test(arguments: Frame.Kind.allCases) func haveATypeByte(kind: Frame.Kind) throws {
    let frame = Frame(kind, [1, 2])
    #expect(frame.plaintext == [kind.rawValue, 1, 2])
    #expect(try Frame(plaintext: frame.plaintext) == frame)
  }

  @Test func areRefusedWithoutATypeOrWithAnUnknownOne() {
    #expect(refusal { _ = try Frame(plaintext: []) } == .frameEmpty)
    #expect(refusal { _ = try Frame(plaintext: [4]) } == .frameType)
  }

  @Test func offerFeaturesFirst() throws {
    #expect(PostHandshake.digitalCredentials.cbor == Hex.bytes("a10381626463"))
    let both = PostHandshake(features: [.ctap, .digitalCredentials], description: [0xa0])
    #expect(try PostHandshake(cbor: both.cbor) == both)
    let passkeys = PostHandshake(features: [.ctap], description: [0xa0])
    #expect(passkeys.cbor == Hex.bytes("a10141a0"))
    #expect(try PostHandshake(cbor: passkeys.cbor) == passkeys)
  }

  @Test(
    arguments: [
      ("", .featuresCBOR), ("80", .featuresCBOR), ("a103626463", .featuresWrongType), ("a10101", .featuresWrongType),
      ("a10200", .featuresWrongType), ("a10001", .featuresWrongType), ("a20381626463024101", .featuresCBOR),
      ("a2020103810a", .featuresWrongType), ("a0", .featuresDescription), ("a1038101", .none),
    ] as [(String, HybridError.Code?)])
  func refuseAnOfferOfAnotherForm(hex: String, code: HybridError.Code?) {
    #expect(refusal { _ = try PostHandshake(cbor: Hex.bytes(hex)) } == code)
  }

  @Test func refuseRevision0ByItsName() {
    let old = PostHandshake(features: [.ctap], description: [0xa0]).cbor + [0, 0, 0, 3, 0]
    #expect(refusal { _ = try PostHandshake(cbor: old) } == .featuresRevision)
  }

  @Test func writeARequestAsChromiumDoes() throws {
    let request = CredentialRequestMessage(origin: "https://rp.example", digital: #"{"requests":[]}"#)
    #expect(
      String(decoding: request.json, as: UTF8.self)
        == #"{"origin":"https://rp.example","request":{"digital":{"requests":[]}},"requestType":"credential.get"}"#)
    #expect(try CredentialRequestMessage(json: request.json) == request)
  }

  @Test func takeTheOriginFromTheBrowserOnly() throws {
    let request = CredentialRequestMessage(
      origin: "https://evil.example", digital: #"{"origin":"https://rp.example","requests":[]}"#)
    #expect(try CredentialRequestMessage(json: request.json).origin == "https://evil.example")
  }

  @Test(
    arguments: [
      ("", .requestJSON), ("[]", .requestJSON), (#"{"origin":1}"#, .requestJSON),
      (#"{"origin":"https://a.example/","requestType":"credential.get","request":{"digital":{}}}"#, .requestOrigin),
      (#"{"origin":"HTTPS://a.example","requestType":"credential.get","request":{"digital":{}}}"#, .requestOrigin),
      (#"{"origin":"null","requestType":"credential.get","request":{"digital":{}}}"#, .requestOrigin),
      (#"{"origin":"https://a.example","requestType":"x","request":{"digital":{}}}"#, .requestType),
      (#"{"origin":"https://a.example","requestType":"credential.get","request":{"digital":[]}}"#, .requestJSON),
      (#"{"origin":"https://a.example","requestType":"credential.get","request":{}}"#, .requestJSON),
      (
        #"{"origin":"https://a.example","origin":"https://b.example","requestType":"credential.get","request":{"digital":{}}}"#,
        .requestJSON
      ),
    ] as [(String, HybridError.Code)])
  func refuseARequestOfAnotherForm(text: String, code: HybridError.Code) {
    #expect(refusal { _ = try CredentialRequestMessage(json: Array(text.utf8)) } == code)
  }

  @Test(arguments: [
    Session.answer, .error(.userCanceled), .error(.deviceAborted), .error(.noCredential), .error(.other("NEW")),
  ])
  func readTheAnswersThatTheyWrite(answer: CredentialResponseMessage) throws {
    #expect(try CredentialResponseMessage(json: answer.json) == answer)
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownOffers() throws {
    for entry in try Known.entries("valid", of: "post-handshake.json") {
      let offer = try PostHandshake(cbor: entry.bytes("cbor"))
      let known = (entry["features"]?.array ?? []).compactMap { $0.text.flatMap(PostHandshake.Feature.init(rawValue:)) }
      #expect(offer.features == known, "\(entry)")
      #expect((offer.description != nil) == (entry["getInfo"]?.object != nil), "\(entry)")
      if entry.identifier != "PH-G3" { #expect(offer.cbor == (try entry.bytes("cbor")), "\(entry)") }
    }
    let codes: [String: HybridError.Code] = [
      "PH-X1": .featuresDescription, "PH-X2": .featuresDescription, "PH-X4": .featuresWrongType,
      "PH-X5": .featuresCBOR, "PH-X6": .featuresCBOR,
    ]
    for entry in try Known.entries("rejected", of: "post-handshake.json") {
      let bytes = try entry.bytes("cbor")
      // PH-X3 can be read; the client platform refuses it because it lacks digital credentials.
      #expect(codes[entry.identifier] != nil || entry.identifier == "PH-X3")
      #expect(refusal { _ = try PostHandshake(cbor: bytes) } == codes[entry.identifier], "\(entry)")
    }
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownRequests() throws {
    for entry in try Known.entries("requests", of: "json-messages.json") {
      let frame = try Frame(plaintext: entry.bytes("frame"))
      #expect(frame == Frame(.json, Array(try entry.text("json").utf8)), "\(entry)")
      #expect(try CredentialRequestMessage(json: frame.payload).json == frame.payload, "\(entry)")
    }
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownResponses() throws {
    for entry in try Known.entries("responses", of: "json-messages.json") {
      let frame = try Frame(plaintext: entry.bytes("frame"))
      #expect(frame == Frame(.json, Array(try entry.text("json").utf8)), "\(entry)")
      let expected = try entry.object("expect")
      var session = try Session(phone: Answering(frame.plaintext))
      session.run()
      let failure = HybridFailure.allCases.first { failure in
        let name = expected["error"]?.text ?? "protocol.invalidResponse"
        return failure.rawValue.filter { $0 != "-" } == name.lowercased()
      }
      if expected["ok"]?.boolean == true {
        let data = try #require(expected["data"]?["key"]?.text)
        #expect(
          session.outcome == .response(protocol: try expected.text("protocol"), data: #"{"key":"\#(data)"}"#),
          "\(entry)")
      } else {
        #expect(session.outcome == .failure(try #require(failure)), "\(entry)")
      }
    }
  }

  /// A phone whose answer has given bytes.
  private struct Answering: AuthenticatorConduct {
    let plaintext: [UInt8]

    init(_ plaintext: [UInt8]) { self.plaintext = plaintext }

    func plaintext(_ honest: [UInt8]) -> [UInt8] { honest.first == Frame.Kind.json.rawValue ? plaintext : honest }
  }

  @Test(.requiresHybridVectors) func followTheKnownRulesOfTheirTypes() throws {
    for entry in try Known.entries("frameRules", of: "json-messages.json") {
      let outcome = try entry.text("outcome")
      if entry["direction"]?.text == "desktop to phone" {
        // The client platform's own shutdown; every session of this target ends with it.
        #expect(outcome == "shutdown; phone closes the socket")
        continue
      }
      var session = try Session(phone: Answering(try entry.bytes("frame")))
      session.run()
      if outcome.contains("ignored") {
        #expect(session.desktop.state == .requestSent, "\(outcome)")
      } else {
        #expect(session.outcome == .failure(.transportError), "\(outcome)")
        #expect(session.desktopEffects.contains(.closeTunnel), "\(outcome)")
      }
    }
  }
}
