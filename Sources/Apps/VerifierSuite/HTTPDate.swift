import OwnServers
import Primitives

/// The date of an HTTP header (RFC 9110, 5.6.7).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The seconds since 1970 of a date in the preferred format, `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other text.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
    else { return nil }
    let two = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
    return DateTime.parse("\(year)-\(two(month + 1))-\(two(day))T\(words[4])Z")?.0.secondsSince1970
  }
}
