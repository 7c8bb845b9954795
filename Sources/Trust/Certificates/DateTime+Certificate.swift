import Primitives
import SwiftASN1

extension DateTime {
  /// A `Time` (RFC 5280, 4.1.2.5).
  /// - Throws: when it is neither a UTCTime nor a GeneralizedTime of whole seconds.
  init(certificateTime node: ASN1Node) throws {
    let parts: (year: Int, month: Int, day: Int, hours: Int, minutes: Int, seconds: Int)
    if node.identifier == .utcTime {
      let time = try UTCTime(derEncoded: node)
      parts = (time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    } else {
      let time = try GeneralizedTime(derEncoded: node)
      parts = (time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(repeating: "0", count: max(0, 4 - "\(parts.year)".utf8.count)) + "\(parts.year)"
    let text =
      "\(year)-\(two(parts.month))-\(two(parts.day))T\(two(parts.hours)):\(two(parts.minutes)):\(two(parts.seconds))Z"
    guard let moment = DateTime.parse(text)?.moment else {
      throw ASN1Error.invalidASN1Object(reason: "a time that does not exist")
    }
    self = moment
  }
}
