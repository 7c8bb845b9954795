import CBOR
import Checks
import DigitalCredentials
import Primitives

/// A Mac's invitation to answer a website's request. It holds what the notification says, and nothing of the request: the
/// iPhone gets the request after the person tapped the notification, and lets its own sandbox parse it.
public struct Invitation: Sendable, Equatable {
  /// The longest time from an invitation to its expiry, in seconds.
  public static let lifetime: Int64 = 60
  /// The protocol of requests for mobile documents, the only one that is offered to an iPhone.
  public static let protocolIdentifier = "org-iso-mdoc"

  /// The origin of the website, as the browser on the Mac states it.
  public let origin: String
  /// The website for the notification: the host of the origin.
  public let website: String
  /// The protocol of the request.
  public let `protocol`: String
  /// The time at which the notification disappears.
  public let expiry: DateTime

  /// Creates the invitation for a request.
  public init(origin: String, protocol name: String, expiry: DateTime) {
    self.origin = origin
    website = Origin(exactly: origin)?.host ?? origin
    `protocol` = name
    self.expiry = expiry
  }

  /// Checks an invitation that an iPhone received.
  /// - Throws: A failure of ``NearbyCheck/invitation``.
  public func check(at now: DateTime) throws(NearbyFailure) {
    guard let host = Origin(exactly: origin)?.host else {
      throw NearbyFailure(.invitation, .origin, evidence: .field("origin", found: origin))
    }
    guard website.isExactly(host) else {
      throw NearbyFailure(.invitation, .website, evidence: .field("website", expected: host, found: website))
    }
    guard `protocol`.isExactly(Self.protocolIdentifier) else {
      throw NearbyFailure(
        .invitation, .protocol, evidence: .field("protocol", expected: Self.protocolIdentifier, found: `protocol`))
    }
    let latest = now.adding(seconds: Self.lifetime)
    guard now < expiry, expiry <= latest else {
      throw NearbyFailure(
        .invitation, .expiry, evidence: .field("expiry", expected: "after \(now), to \(latest)", found: "\(expiry)"))
    }
  }
}

extension Invitation {
  /// The parts in the message.
  var parts: [CBORValue] { [.text(origin), .text(website), .text(`protocol`), .integer(Int(expiry.secondsSince1970))] }

  /// 9999-12-31T23:59:59Z.
  private static let latestExpiry: Int64 = 253_402_300_799

  /// Reads the parts of a message.
  init(_ parts: CBORArray) throws(CBORError) {
    guard parts.count == 5 else { throw CBORError(.badValue, at: 0, "an invitation has 4 parts") }
    origin = try parts.at(1).text()
    website = try parts.at(2).text()
    `protocol` = try parts.at(3).text()
    let seconds = Int64(try parts.at(4).integer())
    guard (0...Self.latestExpiry).contains(seconds) else {
      throw CBORError(.badValue, at: 0, "the expiry is not in the years 1970 to 9999")
    }
    expiry = DateTime(secondsSince1970: seconds)
  }
}
