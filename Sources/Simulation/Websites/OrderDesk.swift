import JSON
import Messaging
import RelyingParty
import SimulationKernel
import Storage
import Vocabulary

/// The part of a website's server that keeps orders: of persons with verified documents, and of persons who uploaded a
/// picture of an ID.
struct OrderDesk {
  private let station: Station
  private let website: WorldDescription.Website
  private let sessions: SessionStore
  private var numbers: EntropyStream

  init(_ website: WorldDescription.Website, sessions: SessionStore, station: Station) {
    self.station = station
    self.website = website
    self.sessions = sessions
    numbers = station.stream("order numbers")
  }

  /// Places the order of a session whose documents are verified.
  mutating func place(_ message: Message) throws {
    guard let body = message.body(OrderBody.self) else {
      return station.refuse(message, noting: .websiteBadRequest, "the page sent something unreadable")
    }
    guard try sessions.isVerified(body.session) else {
      return station.refuse(message, noting: .websiteOrderRefused, "the session of the order has no verified documents")
    }
    let order = CustomerOrder(number: number(), session: body.session, item: body.item, identity: .verified)
    try sessions.keep(order)
    station.note(.websiteOrderPlaced, "order \(order.number)\(order.item.map { " of \($0)" } ?? "")")
    let checkout = website.checkout ?? WorldDescription.Website.Checkout()
    station.answer(message, .orderPlaced, OrderAnswer(number: order.number, message: checkout.ready))
  }

  /// Keeps an uploaded picture with the order of its session.
  mutating func receiveScan(_ message: Message) throws {
    do throws(ScanError) {
      guard let form = MultipartForm(message.bytes, contentType: message.mediaType) else { throw ScanError(.form) }
      let scan = try IdentityScan(form, upTo: website.largestScan)
      try keep(scan, form, message)
    } catch {
      station.note(.websiteScanRefused, value: error.code.rawValue, error.description)
      station.refuse(message, code: error.code.rawValue, error.message)
    }
  }

  private mutating func keep(_ scan: IdentityScan, _ form: MultipartForm, _ message: Message) throws(ScanError) {
    // A session that cannot be read is as good as none; the person opens the page again.
    guard let session = form.text("session"), (try? sessions.session(session)) != nil else { throw ScanError(.session) }
    let order = CustomerOrder(number: number(), session: session, item: form.text("item"), identity: .inReview)
    guard (try? sessions.keep(order, with: scan)) != nil else { throw ScanError(.session) }
    station.note(
      .websiteScanReceived, "\(scan.fileName) is kept with order \(order.number)",
      facts: [
        Note.Fact("order", order.number), Note.Fact("type", scan.format.rawValue),
        Note.Fact("length", String(scan.bytes.count)),
      ])
    station.answer(
      message, .scanReceived,
      OrderAnswer(number: order.number, message: "Our staff looks at your picture. This takes about a day."))
  }

  private mutating func number() -> String {
    let digits = Array("0123456789")
    return String((0..<8).map { _ in digits[numbers.below(digits.count)] })
  }
}

/// The page's order: its session, and the item.
struct OrderBody: Sendable, JSONObject {
  var session: String
  var item: String?

  static let json = JSONForm<Self>(Self.init, Member("session", \.session), Member(optional: "item", \.item))
}

/// The server's answer to an order or to an uploaded picture.
struct OrderAnswer: Sendable, JSONObject {
  var number: String
  /// The next thing to happen, for the person.
  var message: String

  static let json = JSONForm<Self>(Self.init, Member("number", \.number), Member("message", \.message))
}
