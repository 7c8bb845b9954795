import JSON
import Primitives

/// A transaction that a wallet can show in full, so that its holder agrees to what is signed (EUDI TS12, 4.3).
///
/// Known are the members that ``words`` says, and the request's number, its time, the payee's logo and website, which change
/// nothing of what is agreed. A payment with others, such as one that recurs, is refused like one of an unknown type.
public enum KnownTransaction: Sendable, Equatable {
  /// A payment: the amount in major units as the request writes it, the currency by its code, the payee with its identifier in
  /// the payment system, and the date; without one it is made at once (4.3.1).
  case payment(amount: String, currency: String, payee: String, payeeID: String, date: FullDate?)
  /// An action at a service, which may be unnamed (4.3.2).
  case action(String, service: String?)

  private static let payment = "urn:eudi:sca:payment:1"
  private static let action = "urn:eudi:sca:login_risk_transaction:1"

  /// The known types.
  public static let types = [payment, action].map { TransactionType($0, members: ["payload"]) }

  /// The maximum length of a text in characters: a person does not read a longer one before agreeing.
  public static let maximumTextLength = 256

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
        // One amount is written in one way: neither "1E4" nor "-5" is read as a person reads it.
        guard case .number(let number) = JSONValue(amount),
          number.wholeMatch(of: /(0|[1-9][0-9]{0,14})(\.[0-9]{1,4})?/) != nil
        else {
          throw amount.error(
            "expected a decimal number, not negative, with at most 15 digits before the point and 4 after")
        }
        let date = try (payload.optionalMember("execution_date") as String?).map { text throws(JSONError) in
          guard let date = FullDate(text) else {
            throw payload.error("'execution_date' is not a date as in 2026-11-30")
          }
          return date
        }
        self = .payment(
          amount: number, currency: currency, payee: try Self.text("name", of: payee),
          payeeID: try Self.text("id", of: payee), date: date)
      } else if data.type.isExactly(Self.action) {
        try Self.requireKnown(payload, ["transaction_id", "date_time", "service", "action"])
        let service = try payload.optionalItem("service") == nil ? nil : Self.text("service", of: payload)
        self = .action(try Self.text("action", of: payload), service: service)
      } else {
        throw data.json.error("the type '\(TerminalSafe.text(String(data.type.prefix(64))))' is not known")
      }
    } catch {
      throw PresentationRequestFailure(.transactionData, .malformed, because: error.message, found: error.evidence)
    }
  }

  private static func requireKnown(_ json: JSONItem, _ names: [String]) throws(JSONError) {
    let other = try json.members().first { member in !names.contains { member.name.isExactly($0) } }
    if let other { throw json.error("'\(TerminalSafe.text(String(other.name.prefix(64))))' is not supported") }
  }

  /// Reads a text that ``words`` has in quotation marks, which it must not have itself: it could add words of its own.
  private static func text(_ name: String, of json: JSONItem) throws(JSONError) -> String {
    let text = try json.member(name) as String
    guard !text.isEmpty, text.count <= maximumTextLength, !text.contains(where: { "“”".contains($0) || $0.isNewline })
    else {
      throw json.error(
        "'\(name)' must have 1 to \(maximumTextLength) characters, without quotation marks and line breaks")
    }
    return text
  }

  /// The transaction in words; the request's own texts are in quotation marks.
  public var words: String {
    switch self {
    case .payment(let amount, let currency, let payee, let payeeID, let date):
      "a payment of \(amount) \(currency)\(date.map { " on \($0)" } ?? "") to “\(payee)”, account “\(payeeID)”"
    case .action(let action, let service): "“\(action)”" + (service.map { " at “\($0)”" } ?? "")
    }
  }
}
