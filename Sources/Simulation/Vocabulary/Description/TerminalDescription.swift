import Certificates
import Checks
import Messaging
import MobileDocument
import StatusLists

extension WorldDescription {
  /// A terminal: a reader at a counter, which asks the devices that are held to it.
  public struct Terminal: Sendable {
    /// The name in the world.
    public var identifier: String
    /// The brand in its reader certificates.
    public var brand: BrandIdentity
    /// The domain name in its reader certificates; nil for one that follows from its name.
    public var certifiedDomain: String?
    /// The reader authorities that its requests are signed for.
    public var signsFor: [String] = []
    /// The issuing authorities whose roots it trusts.
    public var acceptsIssuers: [String] = []
    /// The requested items.
    public var asks: [ItemsRequest] = []
    /// The items of a further request in the same session, after a verified response; nil without one.
    public var asksAgain: [ItemsRequest]?
    /// The name of its place.
    public var place = Bluetooth.here
    /// The findings that refuse a response.
    public var policy = VerificationPolicy.standard
    /// True if the clerk compares the portrait with the person before the response counts as verified.
    public var comparesPortrait = false
    /// The policy about the revocation status of documents.
    public var revocation = RevocationPolicy.standard
    /// True if it refuses the documents of test programmes.
    public var isInProduction = false

    /// The items of all requests of a session.
    package var asksInAll: [ItemsRequest] { asks + (asksAgain ?? []) }

    /// The domain name in its reader certificates.
    package var readerDomain: String { certifiedDomain ?? "\(identifier).example" }

    /// Creates a terminal that asks for nothing.
    public init(identifier: String, brand: BrandIdentity) {
      self.identifier = identifier
      self.brand = brand
    }
  }

  /// Near-field communication in every world with terminals.
  public static let nearField = Party(.nfc, "field")

  /// True if devices of the world can present documents in person.
  public var isInPerson: Bool { !terminals.isEmpty }

  /// True if a device can present documents in person: it has a screen that the person holds to a terminal.
  public func presentsInPerson(_ device: Device) -> Bool { isInPerson && device.kind.answersOthers }
}

extension WorldDescription.Device {
  /// The ways in which a device's connection over Bluetooth carries a session in person.
  public enum InPersonMode: String, Sendable, CaseIterable {
    /// The device looks for the terminal, and connects.
    case centralClient = "central-client"
    /// The device makes itself known, and the terminal connects.
    case peripheralServer = "peripheral-server"
  }

  /// The ways in which a device hands over to a carrier when it is held to a terminal.
  public enum NFCHandover: String, Sendable, CaseIterable {
    /// The terminal offers carriers, and the device chooses.
    case negotiated
    /// The device names its carrier at once.
    case fixed = "static"
  }

  /// The carriers of a session that begins by NFC.
  public enum InPersonTransfer: String, Sendable, CaseIterable {
    /// Bluetooth Low Energy, in the device's mode.
    case bluetooth
    /// NFC itself.
    case nfc
  }
}
