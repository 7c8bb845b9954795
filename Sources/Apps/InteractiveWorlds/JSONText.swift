import Foundation

/// Values as JSON, which is YAML too: members in alphabetical order, slashes as they are.
public enum JSONText {
  /// A value as JSON in UTF-8.
  /// - Throws: ``LiveRefusal`` when it holds what JSON cannot write, such as a number that is none.
  public static func bytes(_ value: some Encodable) throws(LiveRefusal) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw LiveRefusal(.broken, "a value cannot be written as JSON: \(error)")
    }
  }

  /// The same as text.
  public static func string(_ value: some Encodable) throws(LiveRefusal) -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }
}
