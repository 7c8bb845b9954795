import JSON
import Primitives

extension WorldDescription.Website {
  /// The checkout of a website: the items before the identity step, and the words around it.
  public struct Checkout: Sendable, Equatable {
    /// A product.
    public struct Item: Sendable, Equatable, JSONObject {
      /// The name on the page and in the order.
      public var name: String
      /// A line about it.
      public var detail: String
      /// The price with its unit.
      public var price: String

      /// Creates an item.
      public init(name: String, detail: String = "", price: String = "") {
        self.name = name
        self.detail = detail
        self.price = price
      }

      package static let json = JSONForm<Self>(
        Self.init, Member("name", \.name), Member("detail", \.detail), Member("price", \.price))
    }

    /// The items. A page with one item begins with the identity step; otherwise the person selects an item first.
    public var items: [Item]
    /// The reason for the identity step.
    public var reason = "We need to know who you are before we can continue."
    /// The greeting of a person who is verified.
    public var success = "Thank you, we know you now"
    /// The next thing to happen after the order.
    public var ready = "Your order is on its way."

    /// Creates a checkout with words that fit every site.
    public init(items: [Item] = [Item(name: "Your order", detail: "One of our best.")]) { self.items = items }
  }
}

/// The steps of a checkout, as a page shows them.
public enum CheckoutStep: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
  /// The person selects an item.
  case selection
  /// The person verifies their identity, or uploads a picture of an ID.
  case identity
  /// The identity is verified; the person can place the order.
  case summary
  /// The order is placed.
  case ordered
  /// The order waits until the website's staff has looked at an uploaded picture.
  case review
}

/// A file that a person uploads with a page's form.
public struct UploadedFile: Sendable, Equatable {
  /// The name of the file.
  public var name: String
  /// The media type that the browser states for it.
  public var mediaType: String
  /// The content.
  public var bytes: [UInt8]

  /// Creates a file.
  public init(name: String, mediaType: String, bytes: [UInt8]) {
    self.name = name
    self.mediaType = mediaType
    self.bytes = bytes
  }

  /// The media type with the name, as in the `Content-Type` of a file in a message (RFC 2045, 5.1).
  package var contentType: String { "\(mediaType); name=\(name)" }

  /// Reads a file in a message, or returns nil without a name.
  package init?(_ bytes: [UInt8], contentType: String) {
    let pieces = contentType.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
    guard pieces.count == 2, pieces[1].hasPrefix("name=") else { return nil }
    self.init(name: String(pieces[1].dropFirst(5)), mediaType: String(pieces[0]), bytes: bytes)
  }
}
