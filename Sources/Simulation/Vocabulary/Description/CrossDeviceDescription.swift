import HybridTransport
import Messaging
import Primitives

/// The surroundings of devices that reach each other: places and Bluetooth, and the tunnel services between them.
extension WorldDescription {
  /// Bluetooth Low Energy between the devices of a world.
  public struct Bluetooth: Sendable, Equatable {
    /// Its party in every world.
    public static let party = Party(.bluetooth, "air")

    /// A place of devices, on a plane.
    public struct Place: Sendable, Equatable {
      /// Metres to the east.
      public var x: Int
      /// Metres to the north.
      public var y: Int

      /// Creates a place.
      public init(x: Int, y: Int) {
        self.x = x
        self.y = y
      }

      /// Indicates whether another place is within a number of metres.
      package func isWithin(_ metres: Int, of other: Place) -> Bool {
        let (x, y) = (self.x - other.x, self.y - other.y)
        return x * x + y * y <= metres * metres
      }
    }

    /// Places by name, in the order of the file. Devices without a place are at ``here``.
    public var places: [(name: String, place: Place)] = []
    /// The range in metres.
    public var range = 10
    /// The part of adverts that a device in range does not receive, in percent.
    public var loss = 0
    /// The number of adverts of other people's phones that a device receives when it begins to scan.
    public var strangers = 0

    /// Bluetooth without loss.
    public init() {}

    /// The place of devices that do not have another one.
    public static let here = "here"

    /// The largest distance from the middle of the plane, in metres: the distance to the other side of the Earth.
    public static let furthest = 20_000_000

    /// The place with a name.
    public subscript(name: String) -> Place { places.first { $0.name == name }?.place ?? Place(x: 0, y: 0) }

    /// Two descriptions are equal if their places are the same in the same order.
    public static func == (left: Bluetooth, right: Bluetooth) -> Bool {
      left.range == right.range && left.loss == right.loss && left.strangers == right.strangers
        && left.places.count == right.places.count && zip(left.places, right.places).allSatisfy { $0 == $1 }
    }
  }

  /// The limits of a tunnel service, which are its operator's own.
  public struct TunnelServiceLimits: Sendable, Equatable {
    /// The name of the service, which follows from its number.
    public var host: String
    /// The seconds for which it keeps a tunnel.
    public var seconds = 120
    /// The messages that it relays for each side of a tunnel.
    public var messages = 64
    /// The bytes of a message.
    public var messageBytes = 1 << 20

    /// Creates the limits of a service.
    public init(host: String) { self.host = host }
  }

  /// The limits of the tunnel service with a name.
  package func tunnelLimits(of host: String) -> TunnelServiceLimits {
    tunnelServices.first { $0.host == host } ?? TunnelServiceLimits(host: host)
  }

  /// The names of the services that phones of the world use.
  public var tunnelHosts: [String] { devices.filter(\.kind.answersOthers).compactMap(\.tunnelHost).uniqued() }

  /// True if a browser of the world can ask another device.
  public var isCrossDevice: Bool { devices.contains(where: canAskAnother) }

  /// True if devices of the world reach each other, or terminals, by radio.
  public var hasBluetooth: Bool { isCrossDevice || isInPerson }

  /// True if a device can continue a request on another one. The system of an iPhone or iPad offers it where the world has
  /// another iPhone or iPad.
  public func canAskAnother(_ device: Device) -> Bool {
    !device.kind.answersOthers || devices.contains { $0.kind.answersOthers && $0.identifier != device.identifier }
  }
}

extension WorldDescription.Device {
  /// The name of its tunnel service; nil if the number is not assigned.
  var tunnelHost: String? { TunnelServiceNumber(rawValue: UInt16(clamping: tunnelService)).host }

  /// The state of a device's Bluetooth.
  public enum BluetoothState: String, Sendable, CaseIterable {
    case on
    /// Switched off by the person.
    case off
    /// The browser may not use it.
    case denied
    /// The device does not have it.
    case missing
  }

  /// The way in which a phone ends a session when the person declines.
  public enum CancelStyle: String, Sendable, CaseIterable {
    /// With a message for the browser.
    case message
    /// By closing the tunnel, as iOS was seen to do.
    case silent
  }
}
