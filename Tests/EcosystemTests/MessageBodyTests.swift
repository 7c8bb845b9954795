import Certificates
import DevicePlatform
import Foundation
import IdentityDocumentServices
import JSON
import Messaging
import PassKit
import Primitives
import ReaderOnboarding
import RelyingParty
import TestSupport
import Testing
import WebPresentment

@testable import Vocabulary
@testable import Websites

/// A type of message with a text that has each of its members.
struct MessageBody: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  /// Reads bytes and writes the value.
  let written: @Sendable ([UInt8]) throws(JSONError) -> [UInt8]

  init<Body: JSONReadable & JSONWritable & SendableMetatype>(_ type: Body.Type, _ text: String) {
    testDescription = "\(type)"
    self.text = text
    written = { bytes throws(JSONError) in JSONCoding.encode(try JSONCoding.decode(type, from: bytes)) }
  }

  /// Every type, each with a text as Foundation's encoder writes it.
  static let all: [MessageBody] = [
    MessageBody([String].self, #"[]"#),
    MessageBody(VisitBody.self, #"{"origin":"http://localhost:8080"}"#),
    MessageBody(TapBody.self, #"{"label":"Share","view":2}"#),
    MessageBody(CallReference.self, #"{"call":1}"#),
    MessageBody(LostLinkBody.self, #"{"device":"kellys-mac"}"#),
    MessageBody(CallErrorBody.self, #"{"call":1,"message":"once more","name":"AbortError"}"#),
    MessageBody(
      BegunPresentment.self,
      #"{"data":{"deviceRequest":"omd2","encryptionInfo":"gmVk"},"protocol":"org-iso-mdoc","session":"d86acYniqIdF6nLi"}"#
    ),
    MessageBody(CredentialAnswer.self, #"{"call":1,"data":{"response":"gmVk"},"protocol":"org-iso-mdoc"}"#),
    MessageBody(
      SubmittedResponse.self,
      #"{"data":{"Response":"gm","response":"gmVk"},"protocol":"org-iso-mdoc","session":"nheMZwUVKMofcAHX"}"#),
    MessageBody(BegunIdentityRequest.self, #"{"merchantIdentifier":"merchant.example","nonce":"","session":"05gY"}"#),
    MessageBody(SubmittedEnvelope.self, #"{"encryptedData":"o2lh","session":"d86acYniqIdF6nLi"}"#),
    MessageBody(MerchantBody.self, #"{"merchantIdentifier":"merchant.example.rocket-fans"}"#),
    MessageBody(OrderBody.self, #"{"item":"Comet 3","session":"none"}"#),
    MessageBody(OrderAnswer.self, #"{"message":"Your Comet 3 waits at dock 7.","number":"33978425"}"#),
    MessageBody(RefusalBody.self, #"{"code":"issuer.refused","message":"there is nothing here"}"#),
    MessageBody(
      OnboardingApplication.self,
      #"{"acceptsTerms":true,"brand":{"icon":"spaceship.svg","name":"Spaceship Rentals"},"#
        + #""domain":"spaceship-rentals.example","organization":"Spaceship Rentals","registrationNumber":"R-0451"}"#),
    MessageBody(AccountBody.self, #"{"status":"challenged","token":"XTw2sPwPHDGtIFabTnYdoQ"}"#),
    MessageBody(
      ProvisioningOrder.self,
      #"{"deviceKey":"pAECIAE","documentType":"eu.europa.ec.av.1","record":"kellys-iphone/Wallet/av"}"#),
    MessageBody(AnnounceBody.self, #"{"call":1,"origin":"https://attacker.example","protocol":"org-iso-mdoc"}"#),
    MessageBody(ParseTaskBody.self, #"{"call":1,"holder":"browser","origin":"http://localhost:8080"}"#),
    MessageBody(RequestDataBody.self, #"{"call":1,"requestData":"{\"deviceRequest\":\"omd2\"}"}"#),
    MessageBody(RawRequestBody.self, #"{"requestData":"Ww"}"#),
    MessageBody(ReleaseBody.self, #"{"app":"kellys-iphone","call":1}"#),
    MessageBody(PresentmentFailedBody.self, #"{"call":1,"detail":"Bluetooth is off","error":"unknown"}"#),
    MessageBody(PresentmentResponseBody.self, #"{"call":1,"response":"gmVk"}"#),
    MessageBody(ParseBody.self, #"{"origin":"http://localhost:8080","requestData":"e30"}"#),
    MessageBody(
      SandboxRefusalBody.self,
      #"{"code":"sandbox.version","evidence":[{"expected":"1","field":"version","found":"2.0"}],"message":"not \"1\""}"#
    ),
    MessageBody(PartialRequestBody.self, partialRequest),
    MessageBody(RequestData.self, #"{"deviceRequest":"omd2","encryptionInfo":"gmVk"}"#),
    MessageBody(AuthorizeBody.self, #"{"origin":"https://a.example","partialRequest":\#(partialRequest)}"#),
    MessageBody(AuthenticationFailedBody.self, #"{"reason":"cancelled"}"#),
    MessageBody(AbandonBody.self, #"{"reason":"the request has no origin (provider.origin)"}"#),
    MessageBody(RemoveRegistrationBody.self, #"{"documentIdentifier":"mDL"}"#),
    MessageBody(
      MobileDocumentRegistration.self,
      #"{"documentIdentifier":"mDL","invalidationDate":811184400,"mobileDocumentType":"org.iso.18013.5.1.mDL","#
        + #""supportedAuthorityCertificates":["AQIDBA=="],"supportedAuthorityKeyIdentifiers":[],"#
        + #""supportedIssuerKeyIdentifiers":["r4+cRM48auL8nn5jXy2JccfeBv8="]}"#),
    MessageBody(
      IdentityDescription.self,
      #"{"documentType":"org.iso.18013.5.1.mDL","elements":[{"element":{"name":"age","threshold":21},"#
        + #""intent":{"days":30,"mayStoreElement":true}}]}"#),
    MessageBody(
      WalletRequest.self,
      #"{"app":"Rocket Fans","organization":"Rocket Fans","recipientKey":"BFOz","request":{"description":"#
        + #"{"documentType":"org.iso.18013.5.1.mDL","elements":[{"element":{"name":"givenName"},"#
        + #""intent":{"mayStoreElement":true}}]},"merchantIdentifier":"merchant.example","nonce":"AAE"},"#
        + #""teamIdentifier":"TEAM"}"#),
    MessageBody(Action.Touch.self, #"{"label":"face-id","result":"fails","target":"authenticate"}"#),
    MessageBody(Action.Touch.self, #"{"app":"Wallet","label":"on","target":"settings"}"#),
    MessageBody(DismissScreen.self, #"{"notice":"No app on this device can answer any longer."}"#),
    MessageBody(
      DismissScreen.self, #"{"local":{"language":"es","texts":{"a":"b","c":"d"}},"notice":"a"}"#),
    MessageBody(PromptScreen.self, #"{"app":"Wallet","buttons":["Don't Allow","Allow"],"question":"Allow?"}"#),
    MessageBody(
      QRCodeScreen.self, #"{"buttons":["Cancel"],"message":"Scan.","origin":"https://a.example","uri":"FIDO:/66142"}"#),
    MessageBody(
      NotificationScreen.self,
      #"{"buttons":["Continue","Decline"],"mac":"kellys-mac","model":"A model.","origin":"https://a.example","#
        + #""title":"Verify"}"#),
    MessageBody(
      ContinueScreen.self,
      #"{"buttons":["Use QR Code","Cancel"],"iPhones":["kellys-iphone"],"model":"A model.","text":"Continue."}"#),
    MessageBody(
      SelectorScreen.self,
      #"{"hidden":[{"app":"Vault","code":"selector.issuers","message":"none","remedy":"add one"}],"#
        + #""offered":[{"app":"Wallet","documents":["org.iso.18013.5.1.mDL"]}],"origin":"https://a.example"}"#),
    MessageBody(
      AuthorizationScreen.self,
      #"{"agreeing":["face-id","passcode"],"app":"Wallet","declining":["Cancel"],"documents":[{"documentType":"#
        + #""org.iso.18013.5.1.mDL","identifier":"mDL","isChosen":true,"issuer":"Spaceport DMV","problem":"expired","#
        + #""title":"Driver's License"}],"elements":[{"absence":"notHeld","documentType":"#
        + #""org.iso.18013.5.1.mDL","identifier":"given_name","isRetained":true,"label":"First Name","nameSpace":"#
        + #""org.iso.18013.5.1","storage":"will be stored"}],"icon":"spaceship.svg","isRequesterCertified":true,"#
        + #""lines":["one"],"notice":"Wrong.","origin":"https://a.example","requester":"Spaceship Rentals","#
        + #""requestingApp":"Rocket","title":"Share"}"#),
    MessageBody(
      PageScreen.self,
      #"{"buttons":[],"code":"mso.version","error":"unknown","exception":"AbortError","exceptionMessage":"once more","#
        + #""fallback":"Upload a picture.","form":{"accepts":["image/jpeg"],"button":"Upload","label":"Picture"},"#
        + #""item":{"detail":"3 days","name":"Comet 3","price":"1,240 credits"},"notices":["Thank you."],"#
        + #""order":"75731808","step":"identity","title":"Spaceship Rentals","verdict":"verified","verified":["#
        + #"{"documentType":"org.iso.18013.5.1.mDL","identifier":"given_name","nameSpace":"org.iso.18013.5.1","#
        + #""value":"Kelly"}]}"#),
  ]

  private static let partialRequest =
    #"{"chains":[["MIIB"]],"findings":["one"],"useCases":[{"isMandatory":true,"sets":[[{"documentType":"#
    + #""org.iso.18013.5.1.mDL","issuers":["AQ"],"nameSpaces":{"org.iso.18013.5.1":{"family_name":true,"#
    + #""given_name":false},"org.iso.18013.5.1.aamva":{"sex":false}}}]]}]}"#
}

/// A JSON value that Foundation's coders read and write.
private enum Tree: Codable {
  case number(Double)
  case boolean(Bool)
  case text(String)
  case list([Tree])
  case object([String: Tree])

  init(_ text: String) throws { self = try JSONDecoder().decode(Tree.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([Tree].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: Tree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .boolean(let boolean): try container.encode(boolean)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    }
  }

  /// The text of Foundation's encoder, with members in alphabetical order.
  func written() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Characters that JSON escapes, that it may escape, and that it does not.
  private static let characters: [Character] = [
    "a", "\"", "\\", "/", "\u{0}", "\u{8}", "\t", "\n", "\u{b}", "\u{c}", "\r", "\u{1f}", " ", "\u{7f}", "\u{e9}",
    "\u{2028}", "\u{feff}", "\u{1f600}",
  ]

  /// Draws other values for some texts, repeats or drops elements, and leaves out some members.
  func drawn(_ random: inout SeededGenerator) -> Tree {
    switch self {
    case .object(let members):
      var kept: [String: Tree] = [:]
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        let isKept = Int.random(in: 0..<12, using: &random) > 0
        let other = value.drawn(&random)
        if isKept { kept[name] = other }
      }
      return .object(kept)
    case .list(let elements):
      var drawn: [Tree] = []
      for element in elements {
        for _ in 0..<Int.random(in: 0..<4, using: &random) { drawn.append(element.drawn(&random)) }
      }
      return .list(drawn)
    case .text where Int.random(in: 0..<3, using: &random) == 0:
      let length = Int.random(in: 0..<40, using: &random)
      return .text(String((0..<length).compactMap { _ in Self.characters.randomElement(using: &random) }))
    case .text, .boolean, .number: return self
    }
  }
}

@Suite("Bodies of messages")
struct MessageBodyTests {
  @Test("Each type writes the text that it reads, as Foundation writes it", arguments: MessageBody.all)
  func knownAnswers(body: MessageBody) throws {
    #expect(String(decoding: try body.written(Array(body.text.utf8)), as: UTF8.self) == body.text)
    #expect(try Tree(body.text).written() == body.text)
  }

  @Test("Each type writes drawn values as Foundation does", arguments: MessageBody.all)
  func drawnValues(body: MessageBody) throws {
    var random = SeededGenerator(seed: 7)
    let tree = try Tree(body.text)
    var read = 0
    for _ in 0..<200 {
      let text = try tree.drawn(&random).written()
      guard let written = try? body.written(Array(text.utf8)) else { continue }
      read += 1
      #expect(String(decoding: written, as: UTF8.self) == text)
    }
    #expect(read > 0)
  }

  @Test("No type reads a truncated text", arguments: MessageBody.all)
  func truncated(body: MessageBody) {
    let bytes = Array(body.text.utf8)
    for length in bytes.indices {
      #expect(throws: JSONError.self) { try body.written(Array(bytes[..<length])) }
    }
  }

  @Test("A changed byte is refused, or gives a value that is written and read again", arguments: MessageBody.all)
  func changed(body: MessageBody) throws {
    let bytes = Array(body.text.utf8)
    for place in bytes.indices {
      for byte in [0, 0x20, 0x22, 0x2c, 0x30, 0x5c, 0x5d, 0x7d, 0xff, bytes[place] ^ 1] where byte != bytes[place] {
        var other = bytes
        other[place] = byte
        guard let written = try? body.written(other) else { continue }
        #expect(try body.written(written) == written)
      }
    }
  }

  @Test("A repeated member, a missing member and another type are refused with their place")
  func refusals() {
    func error(_ text: String) -> JSONError? {
      #expect(throws: JSONError.self) { try JSONCoding.decode(CallErrorBody.self, from: Array(text.utf8)) }
    }
    let repeated = error(#"{"call":1,"message":"m","name":"a","c\u0061ll":2}"#)
    #expect(repeated?.code == .repeatedName && repeated?.offset == 35)
    let missing = error(#"{"message":"m","name":"a"}"#)
    #expect(missing?.code == .missingMember && missing?.message == "the member 'call' is missing")
    let other = error(#"{"call":"1","message":"m","name":"a"}"#)
    #expect(other?.code == .wrongType && other?.offset == 8)
    #expect(error(#"{"call":1.0,"message":"m","name":"a"}"#)?.code == .badValue)
    #expect(error(#"{"call":9223372036854775808,"message":"m","name":"a"}"#)?.code == .badValue)
    #expect(error("[]")?.code == .wrongType)
  }

  @Test("A website applies with a picture that can be shown, and not with another")
  func pictures() throws {
    func text(_ drawing: String) -> String {
      let picture = Base64.encode(Array(#"<svg xmlns="http://www.w3.org/2000/svg">\#(drawing)</svg>"#.utf8))
      return #"{"icon":"a.svg","logotype":"data:image/svg+xml;base64,\#(picture)","name":"A"}"#
    }
    let good = try JSONCoding.decode(BrandIdentity.self, from: Array(text("<g/>").utf8))
    #expect(good.logotype?.format == .svg && JSONCoding.text(good) == text("<g/>"))
    let error = #expect(throws: JSONError.self) {
      try JSONCoding.decode(BrandIdentity.self, from: Array(text("<script/>").utf8))
    }
    #expect(error?.code == .badValue && error?.message.contains("an element that is not allowed") == true)
  }

  @Test("A server takes the data of a credential as received, if it has the members of a response")
  func receivedResponse() throws {
    func received(_ data: String) throws -> ReceivedResponse {
      let text = #"{"session":"s","protocol":"org-iso-mdoc","data":\#(data)}"#
      return try JSONCoding.decode(ReceivedResponse.self, from: Array(text.utf8))
    }
    let data = #"{ "response" : "gmVk", "more": [1] }"#
    let response = try received(data)
    #expect(response.session == "s" && response.answer.protocol == "org-iso-mdoc")
    #expect(response.answer.data == Array(data.utf8))
    for other in ["[]", "5", #""gmVk""#, #"{"response":5}"#, #"{"Response":{}}"#, "null"] {
      #expect(throws: JSONError.self) { try received(other) }
    }
  }

  @Test("A page's call keeps its options as sent, and of repeated members the last")
  func calledOptions() {
    func called(_ text: String) -> CalledOptions? { CalledOptions(Array(text.utf8)) }
    let call = called(#"{"options":1,"call":1,"call":7,"options":{ "a":[1.0], "a":2 }}"#)
    #expect(call?.call == 7 && call?.options == Array(#"{ "a":[1.0], "a":2 }"#.utf8))
    #expect(called(#"{"call":1,"options":"x\u0041"}"#)?.options == Array(#""x\u0041""#.utf8))
    for other in [#"{"call":1}"#, #"{"options":{}}"#, #"{"call":"1","options":{}}"#, "[]", #"{"call":1,"options":{}"#] {
      #expect(called(other) == nil)
    }
    #expect(CalledOptions([UInt8](repeating: UInt8(ascii: " "), count: PageMessage.maximumLength + 1)) == nil)
    #expect(call?.method == .get && called(#"{"call":1,"method":"issue","options":{}}"#)?.method == .issue)
    #expect(called(#"{"call":1,"method":"store","options":{}}"#) == nil)
    let aborted = called(#"{"abort":{"call":1,"message":"m","name":"AbortError"},"call":1,"options":{}}"#)
    #expect(aborted?.abortion?.message == "m" && aborted?.aborted == nil && call?.abortion == nil)
  }
}
