/// The readers of a message. The sender and the recipient read every message; some contents are sealed, or withheld in
/// part.
public struct Readership: Sendable, Equatable {
  /// The parties that read the message.
  public let readers: [Party]
  /// The party that can open the sealed content, or nil.
  public let sealedFor: Party?
  /// The content that is withheld from the recipient, with the reason, or nil.
  public let withheld: String?

  /// Determines the readers of a message by its kind.
  public init(of message: Message) {
    readers = [message.sender, message.recipient]
    switch message.kind {
    case .response, .credential, .submitResponse:
      sealedFor = Self.verifier(of: message)
    default: sealedFor = nil
    }
    withheld =
      switch message.kind {
      case .authorize:
        "The app learns what is asked and by whom. The raw request stays with the system until the person has acted."
      case .partialRequest:
        "The sandbox gives what to choose by, and the readers' certificates. The raw request, its signatures, the nonce and "
          + "the key to seal for stay inside."
      case .showSelector: "The person sees who may answer. No app has been told anything yet."
      case .withheld: "The person has not acted, so the app does not get the raw request."
      default: nil
      }
  }

  /// The server that the message's sealed content is for: the one it goes to, or that of the page it is on its way to.
  /// Before the page its name is not known to those who carry it.
  private static func verifier(of message: Message) -> Party? {
    switch message.recipient.role {
    case .server: message.recipient
    case .page: Party(.server, String(message.recipient.name.prefix { $0 != "@" }))
    default: Party(.server, "")
    }
  }

  /// The readers as a message.
  public var message: String {
    let names = readers.map(\.titleWithArticle).joined(separator: " and ")
    guard let sealedFor else { return "Read by \(names)." }
    let opener = sealedFor.name.isEmpty ? "the website's server" : sealedFor.titleWithArticle
    return readers.contains(sealedFor)
      ? "Sealed; opened by \(opener)." : "Sealed: \(names) carry it, and only \(opener) can open it."
  }
}
