import JSON

/// An order of a website's customer, and the proof of identity that it waits for or has.
package struct CustomerOrder: Sendable, Equatable {
  /// The proof of the customer's identity.
  package enum Identity: String, Sendable, JSONWritable, JSONReadable {
    /// Verified documents.
    case verified
    /// An uploaded picture that the website's staff looks at.
    case inReview = "in-review"
  }

  /// The number that the customer sees.
  package let number: String
  /// The session of the presentment at this step of the checkout.
  package let session: String
  /// The ordered item; nil for a website without a checkout.
  package let item: String?
  /// The proof of the customer's identity.
  package let identity: Identity

  /// Creates an order.
  package init(number: String, session: String, item: String?, identity: Identity) {
    self.number = number
    self.session = session
    self.item = item
    self.identity = identity
  }
}
