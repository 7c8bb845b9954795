import JSON
import Primitives

/// A transaction that a wallet can show in full, so that its holder agrees to what is signed (EUDI TS12, 4.3).
///
/// Known are the members that ``words`` says, and the request's number, its time, the payee's logo and website, which change
/// nothing of what is agreed. A payment with others, such as one that recurs, is refused like one of an unknown type.
public enum KnownTransaction: Sendable, Equatable {
  /// A payment: the amount in major units as the request writes it, the currency by its code, the payee with its identifier in
  /// the payment system, and the date; without one it is made at once (4.3.1).
  case payment(amount: String, currency: String, payee: String, payeeID: String, date: String?)
  /// An action at a service, which may be unnamed (4.3.2).
  case action(String, service: String?)

  private static let payment = "urn:eudi:sca:payment:1"
  private static let action = "urn:eudi:sca:login_risk_transaction:1"

  /// The known types.
  public static let types = [payment, action].map { TransactionType($0, members: ["payload"]) }

  /// Reads a transaction of a known type.
  /// - Throws: ``PresentationRequestFailure`` for a payload that breaks its type's rules, or has members that cannot be shown.
  public init(_ data: TransactionData) throws(PresentationRequestFailure) {
    do throws(JSONError) {
      let payload = try data.json.item("payload")
      _ = try payload.member("transaction_id") as String
      if data.type.isExactly(Self.payment) {
        try Self.requireKnown(
          payload, ["transaction_id", "date_time", "payee", "execution_date", "currency", "amount"])
        let payee = try payload.item("payee")
        try Self.requireKnown(payee, ["name", "id", "logo", "website"])
        let currency = try payload.member("currency") as String
        let amount = try payload.item("amount")
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else {
          throw payload.error("'currency' is not a code of ISO 4217")
        }
        guard case .number(let number) = JSONValue(amount) else { throw amount.error("expected a number") }
        self = .payment(
          amount: number, currency: currency, payee: try payee.member("name"), payeeID: try payee.member("id"),
          date: try payload.optionalMember("execution_date"))
      } else {
        try Self.requireKnown(payload, ["transaction_id", "date_time", "service", "action"])
        self = .action(try payload.member("action"), service: try payload.optionalMember("service"))
      }
    } catch {
      throw PresentationRequestFailure(.transactionData, .malformed, because: error.message, found: error.evidence)
    }
  }

  private static func requireKnown(_ json: JSONItem, _ names: [String]) throws(JSONError) {
    let other = try json.members().first { member in !names.contains { member.name.isExactly($0) } }
    if let other { throw json.error("'\(TerminalSafe.text(String(other.name.prefix(64))))' is not supported") }
  }

  /// The transaction in words.
  public var words: String {
    switch self {
    case .payment(let amount, let currency, let payee, let payeeID, let date):
      "a payment of \(amount) \(currency) to \(payee) (\(payeeID))" + (date.map { " on \($0)" } ?? "")
    case .action(let action, let service): "\(action)" + (service.map { " (\($0))" } ?? "")
    }
  }
}
