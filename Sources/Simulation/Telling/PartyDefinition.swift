import Messaging

/// The declaration of a party for readers: its meaning, its state, and what it can read.
///
/// The texts are Markdown. Links lead to headings of docs/model.md.
public struct PartyDefinition: Sendable {
  /// The readable and the unreadable content for a party in one of its parts.
  public struct View: Sendable {
    /// The party in this part, as a row of a table names it.
    public let title: String
    /// The content that it can read.
    public let readable: String
    /// The content that it cannot read.
    public let unreadable: String

    init(_ title: String, reads readable: String, notReads unreadable: String = "") {
      self.title = title
      self.readable = readable
      self.unreadable = unreadable
    }
  }

  /// The role.
  public let role: Party.Role
  /// The term, with its short form.
  public let term: String
  /// The meaning of the term: a sentence.
  public let meaning: String
  /// The state of the party, and how long it keeps it.
  public let holdings: String
  /// A part for each situation in which it reads something else.
  public let views: [View]

  private init(_ role: Party.Role, _ term: String, _ meaning: String, holds holdings: String, _ views: View...) {
    self.role = role
    self.term = term
    self.meaning = meaning
    self.holdings = holdings
    self.views = views
  }

  /// The declaration of a role.
  public static func definition(of role: Party.Role) -> PartyDefinition? { all.first { $0.role == role } }

  /// The parties, in the order of a presentment.
  public static let all = presentment + authorities + inApp + acrossDevices + inPerson + [person]

  private static let presentment = [
    PartyDefinition(
      .page, "page", "The website's script in the browser.",
      holds: "the request and the session identifier, while its call is open",
      View(
        "page",
        reads: "the request, session identifier; the answer, encrypted unless the website asks otherwise; verification "
          + "result; an uploaded picture",
        notReads: "the session's private key; an encrypted answer before the server decrypts it")),
    PartyDefinition(
      .browser, "browser", "The user agent that loads the page and checks its call.",
      holds: "the call in progress and its raw request, until an app gets the request or the call ends",
      View(
        "browser",
        reads:
          "the page's origin, the request, the answer, encrypted unless the website asks otherwise, an uploaded picture",
        notReads: "element values in an encrypted answer, registrations, the verification result")),
    PartyDefinition(
      .operatingSystem, "operating system",
      "The part of the device that stores registrations, shows the selector and passes requests to apps.",
      holds: "the registrations of apps, the person's decisions about apps, and the presentment in progress",
      View(
        "operating system",
        reads:
          "announcement (call, protocol, origin, a digest of the request), partial request, registrations, the views of apps and the taps "
          + "in them, the answer, encrypted unless the website asks otherwise",
        notReads: "the raw request, element values in an encrypted answer, keys")),
    PartyDefinition(
      .sandbox, "request sandbox, sandbox",
      "The part of the operating system that verifies and parses untrusted requests in isolation.",
      holds: "nothing between two requests",
      View(
        "sandbox", reads: "one raw request, from the browser, and its origin",
        notReads: "everything else; its parser keeps nothing between two requests")),
    PartyDefinition(
      .app, "document provider app, provider",
      "An app that holds documents and presents them; Apple's name for a wallet.",
      holds: "its documents, their device keys, and the roots of the reader authorities that it trusts",
      View(
        "app that was picked",
        reads: "partial request and origin; the raw request, from the browser, after the person agrees in its view; "
          + "its own documents",
        notReads: "other apps and their documents; the site's answer"),
      View("other apps", reads: "nothing", notReads: "that a request was made"),
      View(
        "Wallet, for an app's request",
        reads: "the request (nonce, merchant identifier, elements with the intent to store), the app's name and team, "
          + "the key of the encryption certificate",
        notReads: "the server's answer")),
    PartyDefinition(
      .server, "verifier", "The website's server, which makes requests and verifies responses.",
      holds: "its sessions with their nonces and private keys, its reader certificates, the roots of the issuing "
        + "authorities that it accepts, and its orders",
      View(
        "server",
        reads:
          "its sessions and orders, the decrypted response until it has judged it, the elements that it keeps, an uploaded picture",
        notReads: "which apps exist, which one answered")),
    PartyDefinition(
      .ownServer, "server of one's own",
      "A verifier server outside the world, which the world's pages call in place of a simulated one.",
      holds: "whatever it keeps; the world sees its answers alone",
      View("server of one's own", reads: "the calls that its target says", notReads: "anything else of the world")),
    PartyDefinition(
      .ownWallet, "wallet of one's own",
      "The program of a provider app, outside the world. It holds the app's documents and answers in its place.",
      holds: "its device keys and documents; the world sees its answers alone",
      View(
        "wallet of one's own",
        reads: "the roots and documents that its app gets; partial request and origin; the raw request after the "
          + "person agrees",
        notReads: "anything else of the world")),
  ]

  private static let authorities = [
    PartyDefinition(
      .issuer, "issuing authority",
      "The authority that issues documents, for example a department of motor vehicles.",
      holds: "the records of persons, its root and document signer, and the status of each document",
      View(
        "issuing authority", reads: "its records, device public keys, requests for its root certificate",
        notReads: "where a document is presented, except through [status lists](#revocation-status)")),
    PartyDefinition(
      .listOperator, "list operator", "The operator that signs a list of issuing authorities (VICAL).",
      holds: "its root, the key that signs the list, and the roots of the listed authorities",
      View(
        "list operator", reads: "requests for its list",
        notReads: "which documents a website verifies, and when")),
    PartyDefinition(
      .readerAuthority, "reader authority", "The authority that certifies websites as readers.",
      holds: "its root, the applications of websites, and the list of certificates that it revoked",
      View(
        "reader authority",
        reads: "applications, certificate requests, requests for its root certificate and its list of revoked "
          + "certificates",
        notReads: "who is asked for what")),
  ]

  private static let inApp = [
    PartyDefinition(
      .requestingApp, "requesting app", "An app that asks Wallet for a document through PassKit.",
      holds: "the nonce and the session of its request",
      View(
        "requesting app", reads: "its nonce and session, the error or the envelope; verification result",
        notReads: "the envelope's content before the server decrypts it; the document")),
    PartyDefinition(
      .portal, "developer portal", "The service that certifies the encryption keys of merchant identifiers.",
      holds: "the encryption certificates of merchant identifiers",
      View(
        "developer portal",
        reads: "certificate requests; the merchant identifier that a device asks about",
        notReads: "elements, nonces, answers")),
  ]

  private static let acrossDevices = [
    PartyDefinition(
      .nearby, "nearby model",
      "presentment's own model of a device and its owner's nearby iPhone; Apple's protocol is not public.",
      holds: "the account's key, and the session with the other device",
      View(
        "asking device's part in the [model of a nearby iPhone](#a-nearby-iphone)",
        reads: "announcement; the raw request, from the browser, after the person tapped the notification; encrypted "
          + "response",
        notReads: "element values, the apps of the iPhone"),
      View(
        "iPhone's part in that model",
        reads: "invitation: origin and website; the raw request after the person tapped the notification; encrypted "
          + "response",
        notReads: "element values")),
    PartyDefinition(
      .clientPlatform, "client platform",
      "CTAP's word for the end of the hybrid transport that asks: the desktop.",
      holds: "the session with the phone",
      View(
        "client platform, on a laptop that asks a phone",
        reads: "the page's origin, the raw request, the answer, encrypted unless the website asks otherwise",
        notReads: "element values in an encrypted answer, the phone's apps")),
    PartyDefinition(
      .authenticator, "authenticator",
      "CTAP's word for the end of the hybrid transport that has the documents: the phone.",
      holds: "the session with the browser elsewhere, and its raw request",
      View(
        "authenticator of a phone", reads: "the same, as a browser has them",
        notReads: "element values in an encrypted answer, registrations")),
    PartyDefinition(
      .tunnelService, "tunnel service",
      "The relay of the hybrid transport, which passes sealed messages between client platform and authenticator.",
      holds: "open tunnels",
      View("tunnel service", reads: "addresses, times, lengths", notReads: "the origin, the request, the response")),
    PartyDefinition(
      .bluetooth, "Bluetooth", "The radio between devices that are near each other, which carries adverts.",
      holds: "nothing",
      View("devices near by", reads: "encrypted adverts", notReads: "their content, without the QR code")),
  ]

  private static let inPerson = [
    PartyDefinition(
      .nfc, "NFC", "Near-field communication: the reader of a terminal and the tag that a device held to it is.",
      holds: "which device is held to which terminal",
      View(
        "who listens to NFC", reads: "the engagement and the handover; the session's messages, sealed",
        notReads: "the request, the response")),
    PartyDefinition(
      .mdoc, "mdoc",
      "The standard's word for the holder's end of a presentation in person; here the part of a device that has it.",
      holds: "the session with the reader with its keys, and the reader's raw request",
      View(
        "mdoc of a phone", reads: "the raw request, with the session's keys; the app's answer, sealed",
        notReads: "registrations; element values: the app seals its answer with a key of the session")),
    PartyDefinition(
      .terminal, "terminal, mdoc reader", "A reader at a counter, which asks the devices that are held to it.",
      holds: "its reader certificates, the roots of the issuing authorities that it accepts, its session with its "
        + "keys, and the elements that its requests retain",
      View(
        "terminal",
        reads: "the code of the device that is held to it; the decrypted response until it has judged it, and the "
          + "elements that it keeps",
        notReads: "which apps exist, which one answered; the reason for which it gets no answer")),
  ]

  private static let person = PartyDefinition(
    .person, "person", "The one who visits sites, taps, and decides.",
    holds: "the devices, and the passcode that unlocks them",
    View("person", reads: "pages, requesting apps, selector, views, QR codes"))
}
