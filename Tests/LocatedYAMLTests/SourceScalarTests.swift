import Testing

@testable import LocatedYAML

@Suite struct SourceScalarTests: SourceSuite {
  @Test(
    arguments: [
      ("null", .null), ("Null", .null), ("NULL", .null), ("~", .null), ("", .null), ("nULL", .text("nULL")),
      ("true", .boolean(true)), ("True", .boolean(true)), ("TRUE", .boolean(true)), ("false", .boolean(false)),
      ("tRUE", .text("tRUE")), ("yes", .text("yes")), ("no", .text("no")), ("on", .text("on")), ("off", .text("off")),
      ("y", .text("y")), ("0", .integer(0)), ("-7", .integer(-7)), ("+7", .integer(7)), ("007", .integer(7)),
      ("0x1F", .integer(31)), ("0o17", .integer(15)), ("0o18", .text("0o18")), ("0x", .text("0x")),
      ("-0x1", .text("-0x1")),
      ("0b1", .text("0b1")), ("1_000", .text("1_000")), ("1:30", .text("1:30")), ("12e3", .number(12000)),
      ("1.5", .number(1.5)), (".5", .number(0.5)), ("1.", .number(1)), ("-1.5E-1", .number(-0.15)), (".", .text(".")),
      ("1e", .text("1e")), ("e1", .text("e1")), ("+", .text("+")), ("-", .text("-")), ("1.2.3", .text("1.2.3")),
      (".inf", .number(.infinity)), ("-.INF", .number(-.infinity)), ("+.nan", .text("+.nan")), ("inf", .text("inf")),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("0x8000000000000000", .number(9_223_372_036_854_775_808)),
      ("2025-09-15", .text("2025-09-15")), ("2025-09-15T17:00:00Z", .text("2025-09-15T17:00:00Z")), ("١٢", .text("١٢")),
      ("0x١", .text("0x١")), ("=", .text("=")), ("<<", .text("<<")),
    ] as [(String, SourceScalar.Value)])
  func plain(text: String, value: SourceScalar.Value) {
    #expect(SourceScalar(text).value == value)
    #expect(SourceScalar(text, style: .quoted).value == .text(text))
    #expect(SourceScalar(text, style: .block).value == .text(text))
  }

  @Test func notANumber() {
    guard case .number(let value) = SourceScalar(".nan").value else {
      Issue.record(".nan is a number")
      return
    }
    #expect(value.isNaN)
  }
}
