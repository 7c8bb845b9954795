import JSON

/// Bytes from one party to another.
public struct Message: Sendable, Equatable {
  /// The number in the world, from 1, assigned when the message is sent.
  public let number: Int
  /// The sender.
  public let sender: Party
  /// The recipient.
  public let recipient: Party
  /// The kind: an operation of the interface between the two parties.
  public let kind: MessageKind
  /// The media type of the bytes (RFC 6838).
  public let mediaType: String
  /// The content.
  public var bytes: [UInt8]
  /// The number of the message that this one answers.
  public let answers: Int?
}

/// Media types of a world's messages.
public enum MediaType {
  /// JSON (RFC 8259).
  public static let json = "application/json"
  /// CBOR (RFC 8949).
  public static let cbor = "application/cbor"
  /// An SD-JWT verifiable credential (SD-JWT VC, 2.1).
  public static let sdJWT = "application/dc+sd-jwt"
  /// A certificate request (RFC 5967).
  public static let certificateRequest = "application/pkcs10"
  /// A certificate in DER (RFC 2585).
  public static let certificate = "application/pkix-cert"
  /// A certificate chain in PEM, leaf first (RFC 8555, 9.1).
  public static let certificateChain = "application/pem-certificate-chain"
  /// An HTTP message (RFC 9112, 10.1).
  public static let http = "message/http"
  /// A list of revoked certificates in DER (RFC 2585).
  public static let revocationList = "application/pkix-crl"
  /// A signed message in CBOR (RFC 9052, 11.2).
  public static let signedMessage = "application/cose; cose-type=\"cose-sign1\""
  /// Plain text (RFC 2046, 4.1).
  public static let text = "text/plain"
  /// A screen's content, or a tap on it, as JSON.
  public static let screen = "application/vnd.presentment.screen+json"
  /// The data of a Bluetooth Low Energy advert.
  public static let advertisingData = "application/vnd.presentment.advertising-data"
  /// An attribute of Bluetooth Low Energy: the characteristic's UUID in Bluetooth's order, then the value.
  public static let attribute = "application/vnd.presentment.bluetooth-attribute"
  /// A command to a card or its response (ISO/IEC 7816-4).
  public static let apdu = "application/vnd.presentment.apdu"
  /// The same with a part of a sealed message.
  public static let sealedAPDU = "application/vnd.presentment.sealed-apdu"
  /// Sealed bytes (RFC 2046, 4.5.1).
  public static let sealed = "application/octet-stream"
  /// The content of a message of CTAP's hybrid transport.
  public static let hybridContent = "application/vnd.presentment.hybrid-content"
  /// A website's verified elements, as JSON.
  public static let verificationResult = "application/vnd.presentment.verification-result+json"
}

/// The kinds of messages: the operations of the interfaces between the parties of a world.
public enum MessageKind: String, CaseIterable, Sendable, JSONWritable, JSONReadable {
  // Any party.
  case refused

  // Authorities.
  case root = "root certificate"
  case issuing = "issuing certificate"
  case provision = "provision document"
  case document
  case certify = "certify reader"
  case certificate = "reader certificate"
  case apply = "POST /accounts"
  case announceProof = "POST /accounts/proof"
  case submitBrand = "POST /accounts/brand"
  case account = "200 account"
  case accountNews = "account news"
  case getProof = "GET domain proof"
  case proof = "200 domain proof"
  case noProof = "404 domain proof"
  case getRevocationList = "GET revocation list"
  case revocationList = "200 revocation list"
  case noRevocationList = "404 revocation list"

  // The addresses where authorities and list operators publish.
  case getRoot = "GET root certificate"
  case publishedRoot = "200 root certificate"
  case getIssuerList = "GET issuer list"
  case issuerList = "200 issuer list"
  case nothingPublished = "404 root or list"

  // Developer portal.
  case certifyMerchant = "certify merchant"
  case merchantCertificate = "merchant certificate"

  // Verifier server and the publisher of status lists.
  case getList = "GET status list"
  case list = "200 status list"
  case noList = "404 status list"

  // Between page and server.
  case beginPresentment = "POST /presentments"
  case presentmentBegun = "201 presentment"
  case submitResponse = "POST /presentments/response"
  case verificationResult = "200 verification result"
  case placeOrder = "POST /orders"
  case orderPlaced = "201 order"
  case uploadScan = "POST /fallback"
  case scanReceived = "202 scan"

  // Between a website's place in the world and its server outside.
  case httpRequest = "HTTP request"
  case httpResponse = "HTTP response"

  // Between an app and its program outside.
  case walletMessage = "wallet message"
  case walletAnswer = "wallet answer"

  // Between a requesting app and its server.
  case beginIdentityRequest = "POST /identity-requests"
  case identityRequestBegun = "201 identity request"
  case submitEnvelope = "POST /identity-requests/response"

  // Between person and requesting app.
  case open = "open app"
  case showApp = "show app"

  // Between person, browser and page.
  case visit
  case tap
  case load
  case click
  case choose = "choose file"
  case showPage = "show page"
  case order = "order person"
  case browse = "use browser"
  case showWarning = "show warning"
  case dismissWarning = "dismiss warning"

  // Between page and browser.
  case getCredential = "navigator.credentials.get"
  case abortCredential = "AbortController.abort"
  case setVirtualWallet = "digitalCredentials.setVirtualWalletBehavior"
  case changePage = "change page"
  case credential = "DigitalCredential"
  case exception = "DOMException"

  // Between browser and operating system.
  case announce = "announce presentment"
  case release = "release raw request"
  case dismiss = "dismiss presentment"
  case response = "document response"
  case presentmentFailed = "presentment failed"

  // Between operating system and sandbox.
  case parse = "parse request"
  case partialRequest = "partial request"
  case sandboxRefusal = "request refused"

  // Between sandbox and browser.
  case collectRequest = "collect request data"
  case requestData = "request data"

  // Between operating system and person.
  case showSelector = "show selector"
  case dismissInterface = "dismiss interface"
  case showPrompt = "show prompt"
  case dismissPrompt = "dismiss prompt"

  // Between requesting app and operating system.
  case canRequestDocument
  case requestDocument
  case cancelRequest
  case identityDocument = "PKIdentityDocument"
  case identityError = "PKIdentityError"

  // Between operating system and Wallet.
  case holdsDocument = "holds identity document"
  case requestIdentity = "request identity"
  case identityEnvelope = "identity envelope"
  case identityDeclined = "identity declined"
  case identityUnavailable = "no identity document"
  case identityFailed = "identity failed"

  // Between operating system and app.
  case addRegistration
  case removeRegistration
  case registrations
  case status
  case updateRegistrations = "performRegistrationUpdates"
  case launch = "launch app"
  case removed = "app removed"
  case authorize = "ISO18013MobileDocumentRequestContext"
  case show = "show view"
  case authenticationFailed = "authentication failed"
  case sendResponse
  case withheld = "raw request withheld"
  case cancel
  case abandon
  case endApp = "end extension"
  case done

  // Between person, client platform and authenticator.
  case showCode = "show QR code"
  case dismissCode = "dismiss QR code"
  case scan = "scan QR code"

  // Between devices and Bluetooth.
  case advertise
  case stopAdvertising = "stop advertising"
  case scanAdverts = "scan for adverts"
  case stopScanning = "stop scanning"
  case advert
  case linkLost = "link lost"

  // Between the ends of a connection over Bluetooth, by way of the air.
  case connect = "connect by Bluetooth"
  case connected = "connected by Bluetooth"
  case readAttribute = "read attribute"
  case attribute
  case disconnect = "disconnect Bluetooth"

  // Between a device and the terminal that it is held to, by way of the field.
  case fieldEntered = "enter NFC field"
  case fieldLeft = "leave NFC field"
  case command = "NFC command"
  case commandResponse = "NFC response"

  // Between person and mdoc.
  case engage = "present in person"

  // Between terminal and person.
  case showTerminal = "show terminal"

  // Between devices and tunnel services.
  case openTunnel = "GET tunnel"
  case tunnelOpen = "101 tunnel"
  case tunnelRefused = "tunnel refused"
  case tunnelMessage = "tunnel message"
  case closeTunnel = "close tunnel"

  // Between person and the model of a nearby iPhone.
  case showContinue = "show nearby iPhone"
  case dismissContinue = "dismiss nearby iPhone"
  case showNotification = "show notification"
  case dismissNotification = "dismiss notification"

  // Between the devices of an account, in the model.
  case nearbyFrame = "nearby frame"

  // From the parts that a person touches to the operating system, and from it to the model of a nearby iPhone.
  case unlocked = "device unlocked"

  // From the browser to the app that was picked.
  case rawRequest = "raw request"

  /// The meaning of a message of this kind, for people.
  /// - Parameter isAnswer: True if the message answers another.
  public func phrase(isAnswer: Bool = false) -> String {
    switch self {
    case .root where isAnswer: "The root certificate"
    case .issuing where isAnswer: "The issuing certificate"
    case .registrations where isAnswer: "The registrations"
    case .refused: "The request is refused"
    case .root: "Which is your root certificate?"
    case .issuing: "Which certificate issues for you?"
    case .provision: "Please issue a document"
    case .document: "A signed document"
    case .certify: "Please certify this website"
    case .certificate: "Certificate for the website"
    case .apply: "The website applies for certificates"
    case .announceProof: "The domain serves your token now"
    case .submitBrand: "Please review this brand"
    case .account: "The state of the application"
    case .accountNews: "The application has a new state"
    case .getProof: "Does this domain serve the token?"
    case .proof: "The token"
    case .noProof: "The domain does not serve it"
    case .getRevocationList: "Which certificates are revoked?"
    case .revocationList: "The list of revoked certificates"
    case .noRevocationList: "The authority does not have this list"
    case .getRoot: "Please send the published root certificate"
    case .publishedRoot: "The published root certificate"
    case .getIssuerList: "Please send the list of issuing authorities"
    case .issuerList: "The signed list of issuing authorities"
    case .nothingPublished: "Nothing is published there"
    case .merchantCertificate where isAnswer: "The encryption certificate"
    case .certifyMerchant: "Please certify this key for the merchant"
    case .merchantCertificate: "Which key is the merchant's?"
    case .getList: "Please send the status list"
    case .list: "The status list"
    case .noList: "The list does not exist"
    case .beginPresentment: "Please prepare a request"
    case .presentmentBegun: "A signed request for an ID"
    case .submitResponse: "The page sends the sealed answer on"
    case .verificationResult: "The server's result"
    case .placeOrder: "The page places the order"
    case .orderPlaced: "The order"
    case .uploadScan: "A picture of the ID, by form"
    case .scanReceived: "The picture is kept for a look"
    case .httpRequest: "The call of a server outside the world"
    case .httpResponse: "Its answer"
    case .walletMessage: "A message to the app's program outside the world"
    case .walletAnswer: "The program's answer"
    case .beginIdentityRequest: "Please begin a request"
    case .identityRequestBegun: "A nonce for the request"
    case .submitEnvelope: "The app sends the sealed answer on"
    case .open: "Opens the app"
    case .showApp: "The app shows"
    case .canRequestDocument: "Is there an ID to ask for?"
    case .requestDocument: "The app asks for an ID"
    case .cancelRequest: "The app takes its request back"
    case .identityDocument: "The sealed answer reaches the app"
    case .identityError: "The request ends without an answer"
    case .holdsDocument: "Do you hold this document?"
    case .requestIdentity: "Wallet learns the requester and the elements"
    case .identityEnvelope: "The answer, sealed for the app's server"
    case .identityDeclined: "The person said no"
    case .identityUnavailable: "Wallet does not hold the document"
    case .identityFailed: "Wallet gives up"
    case .visit: "Opens the website"
    case .tap: "A tap"
    case .load: "The page loads"
    case .click: "The click reaches the page"
    case .choose: "A picture is uploaded"
    case .showPage: "The page shows"
    case .order: "A test orders the person what to do"
    case .browse: "A use of the browser's window"
    case .showWarning: "Share your ID with this site?"
    case .dismissWarning: "The warning closes"
    case .getCredential: "The page asks for an ID"
    case .abortCredential: "The page takes its call back"
    case .setVirtualWallet: "A test sets the virtual wallet"
    case .changePage: "The script changes its page"
    case .credential: "The sealed answer reaches the page"
    case .exception: "The call ends without an answer"
    case .announce: "A website asks for an ID"
    case .release: "This app may have the full request now"
    case .dismiss: "The browser takes the request back"
    case .response: "The answer, sealed for the server"
    case .presentmentFailed: "The device does not answer"
    case .parse: "Check this request, in the sandbox"
    case .partialRequest: "Only the harmless part comes out"
    case .sandboxRefusal: "The sandbox refuses the request"
    case .collectRequest: "Which request?"
    case .requestData: "The full request, for the sandbox alone"
    case .showSelector: "Which app may answer?"
    case .dismissInterface: "The sheet closes"
    case .showPrompt: "May this app provide documents?"
    case .dismissPrompt: "The question closes"
    case .addRegistration: "This app can answer for a document"
    case .removeRegistration: "This app no longer answers for a document"
    case .registrations: "What is registered?"
    case .status: "May this app provide documents?"
    case .updateRegistrations: "Please update your registrations"
    case .launch: "The app starts"
    case .removed: "The app is removed"
    case .authorize: "The app learns the requester and the elements"
    case .show: "The requester, the documents, the elements, and what is stored"
    case .authenticationFailed: "The person is not authenticated"
    case .sendResponse: "The person agreed"
    case .rawRequest: "The full request, released only now"
    case .withheld: "The full request stays with the browser"
    case .showCode: "A QR code to scan with a phone"
    case .dismissCode: "The QR code disappears"
    case .scan: "The camera reads the QR code"
    case .advertise: "The device makes itself known by radio"
    case .stopAdvertising: "The device's radio is silent again"
    case .scanAdverts: "Which devices are near?"
    case .stopScanning: "The radio stops listening"
    case .advert: "A device is near"
    case .linkLost: "The radio of a device is gone"
    case .connect: "Please connect, whoever advertises this"
    case .connected: "The two radios are connected"
    case .readAttribute: "Which engagement are you the reader of?"
    case .attribute: "A part of a sealed message, or a sign, over Bluetooth"
    case .disconnect: "The connection over Bluetooth ends"
    case .fieldEntered: "A device is held to the terminal"
    case .fieldLeft: "The device is taken away"
    case .command: "A command by NFC"
    case .commandResponse: "The response to the command"
    case .engage: "The person wants to present a document here"
    case .showTerminal: "The terminal shows"
    case .openTunnel: "Please open a tunnel"
    case .tunnelOpen: "The tunnel is open"
    case .tunnelRefused: "The tunnel is refused"
    case .tunnelMessage: "Sealed bytes through the tunnel"
    case .closeTunnel: "The tunnel closes"
    case .showContinue: "Continue on your iPhone (model)"
    case .dismissContinue: "The sheet that leads to an iPhone closes (model)"
    case .showNotification: "A website on another device asks for an ID (model)"
    case .dismissNotification: "The notification disappears (model)"
    case .unlocked: "The person uses the device"
    case .nearbyFrame: "Sealed bytes between a device and an iPhone (model)"
    case .cancel: "The person said no"
    case .abandon: "The app gives up"
    case .endApp: "The app's extension ends"
    case .done: "Done"
    }
  }
}
