import Certificates
import JSON
import Primitives
import ReaderOnboarding
import RelyingParty

@testable import DigitalCredentials
@testable import Vocabulary

extension UntrustedParser {
  /// The parameters with which a test sets a browser's virtual wallet.
  static let virtualWallet = UntrustedParser(
    "virtual-wallet",
    seeds: {
      [
        #"{"action":"decline","context":"c"}"#, #"{"action":"clear"}"#,
        #"{"action":"respond","protocol":"org-iso-mdoc","response":{"response":"AA"}}"#,
        #"{"action":"respond","presentment:app":"Wallet","presentment:decision":"authorize"}"#,
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let command = try VirtualWalletCommand(parameters: JSONReader.read(bytes))
    switch command.behavior {
    case .respond(_, let response)?: return response.count
    default: return command.context?.utf8.count ?? 0
    }
  }

  /// A page's call of the browser, with its options as the API converts them.
  static let pageCall = UntrustedParser(
    "page-call", growth: 8,
    seeds: {
      [
        #"{"call":1,"options":{"digital":{"requests":[{"protocol":"org-iso-mdoc","data":{}}]},"mediation":"required"}}"#,
        #"{"call":2,"method":"create","isMarked":true,"aborted":{"name":"AbortError","message":"m"},"options":{"digital":"#
          + #"{"requests":[{"protocol":"openid4vci1.0","data":{"a":[{"$":"undefined"}]}}]}},"#
          + #""caller":{"context":"c","frameOrigin":"null","isFullyActive":false,"hasUserAttention":true}}"#,
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    guard let call = CalledOptions(bytes) else { throw NoValue() }
    let reading = call.reading
    return "\(reading)".utf8.count
  }

  /// A platform's response, as the browser gives it to the page.
  static let credentialResponse = UntrustedParser(
    "credential-response", seeds: { [Array(#"{ "response" : "AA", "a":[1.50,null]}"#.utf8)] }
  ) { bytes in
    let credential = try DigitalCredential(protocol: "org-iso-mdoc", response: bytes)
    _ = try JSONReader.read(credential.toJSON())
    return credential.data.count
  }

  /// A request for which a browser may show a warning, plain and as the payload of a signed request.
  static let interstitial = UntrustedParser(
    "interstitial",
    seeds: {
      [
        #"{"dcql_query":{"credentials":[{"format":"mso_mdoc","claims":[{"path":["a","age_over_21"]}]}]}}"#,
        #"{"presentation_definition":{},"dcql_query":{"credentials":[{"meta":{"vct_values":["a"]},"claims":[]}]}}"#,
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let plain = try DigitalCredentialGetRequest(protocol: "openid4vp-v1-unsigned", data: bytes)
    let token = JSONValue(members: [("request", .string("e30.\(Base64URL.encode(bytes)).AA"))])
    let signed = try DigitalCredentialGetRequest(protocol: "openid4vp-v1-signed", data: token.bytes)
    let origin = try Origin(serialized: "https://example.com")
    let found = [plain, signed].map {
      Interstitial.forRequest(
        CredentialRequestContext(requests: [$0], origin: origin, operation: .get), setting: .byRule)
    }
    // A plain request with the member "request" is a signed one.
    try BrokenPromise.unless(
      found[0] == found[1] || plain.value.member("request") != nil, "a signed request has another warning")
    return plain.data.count
  }

  /// The form with a picture, for people who present no document. The first line is the header `Content-Type`.
  static let uploadForm = UntrustedParser(
    "upload-form",
    seeds: {
      let form = MultipartForm([
        MultipartForm.Part("order", bytes: Array("1".utf8)),
        MultipartForm.Part(
          "picture", fileName: "a \"b\".png", mediaType: "image/png",
          bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
      ])
      return [Array("\(MultipartForm.contentType(boundary: "b1"))\n".utf8) + form.encoded(boundary: "b1")]
    }
  ) { bytes in
    let head = bytes.prefix { $0 != 0x0a }
    let scan = try IdentityScan(
      Array(bytes.dropFirst(head.count + 1)), contentType: String(decoding: head, as: UTF8.self))
    return scan.bytes.count + scan.fileName.utf8.count
  }

  /// A server's verdict, as its page shows it.
  static let verdict = UntrustedParser(
    "verdict", growth: 64,
    seeds: {
      [
        Array(
          (#"{"verdict":"verified","documents":[{"docType":"org.iso.18013.5.1.mDL","elements":"#
            + #"{"org.iso.18013.5.1":{"given_name":"Ada","age_over_21":true,"portrait":"_9j_","height":1.7,"#
            + #""driving_privileges":[{"vehicle_category_code":"B"}]}}}],"failure":{"check":"a","reason":"b"}}"#).utf8)
      ]
    }
  ) { bytes in
    guard let verdict = ReceivedVerdict(json: bytes) else { throw NoValue() }
    return verdict.elements.reduce(verdict.verdict.utf8.count) {
      $0 + $1.value.utf8.count + $1.identifier.utf8.count
    }
  }

  /// The JSON of the messages between the parties of a world.
  static let partyMessage = UntrustedParser(
    "party-message", growth: 16,
    seeds: {
      [
        #"{"call":1}"#, #"{"call":1,"name":"AbortError","message":"m"}"#,
        #"{"call":1,"protocol":"org-iso-mdoc","data":{"response":"AA"}}"#,
        #"{"organization":"Shop","domain":"shop.example"}"#, #"{"website":"shop"}"#,
        #"{"url":"https://shop.example/"}"#,
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let json = try JSONReader.item(bytes)
    let isCredential = (try? SubmittedAnswer(credential: bytes)) != nil
    guard isCredential || bodies.contains(where: { (try? $0.init(json: json)) != nil }) else { throw NoValue() }
    return bytes.count
  }

  private static let bodies: [any JSONReadable.Type] = [
    VisitBody.self, TapBody.self, CallerFacts.self, CallErrorBody.self, CredentialAnswer.self,
    VirtualWallet.PersonOrder.self, AnnounceBody.self, RequestDataBody.self, ReleaseBody.self, RawRequestBody.self,
    PresentmentFailedBody.self, PresentmentResponseBody.self, CallReference.self, BrowserUseBody.self,
    PageChangeBody.self, MerchantBody.self, ProvisioningOrder.self, AuthorizeBody.self, AuthenticationFailedBody.self,
    DismissScreen.self, AbandonBody.self, RemoveRegistrationBody.self, PromptScreen.self, SelectorScreen.self,
    ParseTaskBody.self, OnboardingApplication.self, BrandIdentity.self, AccountBody.self, BegunPresentment.self,
    SubmittedResponse.self, ReceivedResponse.self, BegunIdentityRequest.self, SubmittedEnvelope.self,
    AuthorizationScreen.self, NotificationScreen.self, ContinueScreen.self, LostLinkBody.self, WarningScreen.self,
    QRCodeScreen.self, PageScreen.self, Action.Touch.self, RefusalBody.self,
  ]
}
