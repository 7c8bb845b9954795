import Foundation

/// A JSON text as a value. Members stand in the order of their names.
enum JSONTree: Decodable {
  case null
  case boolean(Bool)
  case number(String)
  case text(String)
  case array([JSONTree])
  case object([(name: String, value: JSONTree)])

  /// Deepest nesting that is read: requests and journals nest fewer than twenty levels, and reading is recursive.
  static let maximumDepth = 48

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads a text.
  /// - Throws: ``Misfit``.
  static func read(_ bytes: [UInt8]) throws(Misfit) -> JSONTree {
    // A number or word alone is more likely something else, and the library's reader need not see it.
    guard let first = bytes.first(where: { $0 != 0x20 && !(0x09...0x0d).contains($0) }),
      [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    else { throw Misfit("it begins neither with a brace nor with a bracket or quotation mark") }
    do {
      return try JSONDecoder().decode(JSONTree.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw Misfit(context.debugDescription)
    } catch {
      throw Misfit("the text is not well-formed")
    }
  }

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count < Self.maximumDepth else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "it is nested deeper than \(Self.maximumDepth) levels"))
    }
    if let members = try? decoder.container(keyedBy: Name.self) {
      let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }
      self = .object(try names.map { (name: $0.stringValue, value: try members.decode(JSONTree.self, forKey: $0)) })
      return
    }
    if var elements = try? decoder.unkeyedContainer() {
      var found: [JSONTree] = []
      while !elements.isAtEnd { found.append(try elements.decode(JSONTree.self)) }
      self = .array(found)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .boolean(flag)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Int64.self) {
      self = .number(String(number))
    } else if let number = try? value.decode(UInt64.self) {
      self = .number(String(number))
    } else {
      self = .number(String(try value.decode(Double.self)))
    }
  }

  /// The value of a member; nil when this is no object or has no such member.
  func member(_ name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string.
  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}
