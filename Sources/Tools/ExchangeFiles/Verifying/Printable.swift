import CBOR
import MobileDocument

/// Values of strangers as texts that are safe to print.
public enum Printable {
  /// A text whose control characters, line ends and marks that turn the direction of writing are written out.
  public static func text(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// A value in words.
  static func words(_ value: CBORValue) -> String { DisplayValue.text(of: value, writing: text) }
}
