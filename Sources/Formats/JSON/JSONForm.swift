/// A value that is a JSON object with members that are declared once.
package protocol JSONObject: JSONWritable, JSONReadable {
  /// The members of the object.
  static var json: JSONForm<Self> { get }
}

extension JSONObject {
  package func write(to json: inout JSONWriter) { Self.json.write(self, to: &json) }
  package init(json: JSONItem) throws(JSONError) { self = try Self.json.read(json) }
}

extension JSONTyped where Self: JSONObject {
  package static var jsonType: JSONType { .object(json.members) }
}

/// The members of a type's JSON object: one declaration writes them, reads them and says what they mean.
package struct JSONForm<Value>: Sendable {
  /// In alphabetical order.
  private let writers: [@Sendable (Value, inout JSONWriter) -> Void]
  /// Reads an object.
  private(set) var read: @Sendable (JSONItem) throws(JSONError) -> Value
  /// The documented members, as they are declared.
  package let members: [JSONType.Member]

  /// Creates a form.
  /// - Parameters:
  ///   - make: Makes a value of what its members contain, in their order.
  ///   - member: The members.
  package init<each Content>(
    _ make: @escaping @Sendable (repeat each Content) -> Value, _ member: repeat Member<Value, each Content>
  ) {
    var all: [(name: String, write: @Sendable (Value, inout JSONWriter) -> Void, description: JSONType.Member?)] = []
    for one in repeat each member { all.append((one.name, one.write, one.description)) }
    // Key paths are not found at run time where types are in packs.
    members = all.compactMap { $0.description }
    writers = all.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map { $0.write }
    var readers: [any AnyObject & Sendable] = []
    for one in repeat each member { readers.append(one.reader) }
    read = { [readers] (json) throws(JSONError) in
      var place = 0
      return make(repeat try Self.next((each Content).self, of: readers, &place, json))
    }
  }

  /// Returns the form with a check of each object after it is read.
  package func checking(_ check: @escaping @Sendable (inout Value, JSONItem) throws(JSONError) -> Void) -> Self {
    var form = self
    form.read = { [read] (json) throws(JSONError) in
      var value = try read(json)
      try check(&value, json)
      return value
    }
    return form
  }

  /// Reads the next member. A pack of members would be read alike, but the runtime would look up the type of each at each
  /// reading, which takes 4 % of the time of a presentment.
  private static func next<Content>(
    _ type: Content.Type, of readers: [any AnyObject & Sendable], _ place: inout Int, _ json: JSONItem
  ) throws(JSONError) -> Content {
    defer { place += 1 }
    // The readers are those of the pack, in its order.
    return try unsafe unsafeDowncast(readers[place], to: MemberReader<Content>.self).read(json)
  }

  /// Writes a value.
  func write(_ value: Value, to json: inout JSONWriter) {
    json.object { json in for write in writers { write(value, &json) } }
  }
}

/// A member of the JSON object of a type.
package struct Member<Value, Content>: Sendable {
  fileprivate let name: String
  fileprivate let write: @Sendable (Value, inout JSONWriter) -> Void
  fileprivate let reader: MemberReader<Content>
  fileprivate var description: JSONType.Member?

  fileprivate init(
    _ name: String, write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
    read: @escaping @Sendable (JSONItem) throws(JSONError) -> Content
  ) {
    self.name = name
    self.write = write
    reader = MemberReader(read)
  }
}

/// Reads a member.
fileprivate final class MemberReader<Content>: Sendable {
  let read: @Sendable (JSONItem) throws(JSONError) -> Content

  init(_ read: @escaping @Sendable (JSONItem) throws(JSONError) -> Content) { self.read = read }
}

extension Member where Content: JSONWritable & JSONReadable {
  /// Creates a member that every object has.
  package init(_ name: String, _ content: @escaping @Sendable (Value) -> Content) {
    self.init(
      name, write: { $1.member(name, content($0)) }, read: { (json) throws(JSONError) in try json.member(name) })
  }

  /// Creates a documented member that every object has.
  package init(
    _ name: String, _ content: @escaping @Sendable (Value) -> Content, _ meaning: String,
    type: JSONType = Content.jsonType
  ) where Content: JSONTyped {
    self.init(name, content)
    description = JSONType.Member(name, type, meaning)
  }
}

extension Member {
  /// Creates a member that an object leaves out if the value has none.
  package init<Some: JSONWritable & JSONReadable>(
    optional name: String, _ content: @escaping @Sendable (Value) -> Some?
  ) where Content == Some? {
    self.init(
      name, write: { $1.member(name, content($0)) },
      read: { (json) throws(JSONError) in try json.optionalMember(name) })
  }

  /// Creates a documented member that an object leaves out if the value has none.
  package init<Some: JSONWritable & JSONReadable & JSONTyped>(
    optional name: String, _ content: @escaping @Sendable (Value) -> Some?, _ meaning: String
  ) where Content == Some? {
    self.init(optional: name, content)
    description = JSONType.Member(name, Some.jsonType, meaning, isOptional: true)
  }
}

extension Member {
  /// Creates a member with a list, which an object leaves out if the list is empty.
  package init<Element: JSONWritable & JSONReadable>(
    list name: String, _ content: @escaping @Sendable (Value) -> [Element]
  ) where Content == [Element] {
    self.init(
      name,
      write: { value, json in
        let list = content(value)
        if !list.isEmpty { json.member(name, list) }
      }, read: { (json) throws(JSONError) in try json.optionalMember(name) ?? [] })
  }
}

extension Member where Content == [UInt8] {
  /// Creates a member with bytes in base64url.
  package init(base64URL name: String, _ content: @escaping @Sendable (Value) -> [UInt8]) {
    self.init(
      name, write: { $1.member(name, base64URL: content($0)) },
      read: { (json) throws(JSONError) in try json.base64URLMember(name) })
  }
}

/// A value that is a JSON object with one member, which is named for the kind of the value.
package protocol JSONChoice: JSONWritable, JSONReadable, JSONTyped {
  /// The members, of which an object has one.
  static var json: [JSONAlternative<Self>] { get }
}

extension JSONChoice {
  package static var jsonType: JSONType { .oneOf(json.map(\.description)) }

  package func write(to json: inout JSONWriter) {
    json.object { json in _ = Self.json.contains { $0.write(self, &json) } }
  }

  package init(json: JSONItem) throws(JSONError) {
    let (name, item) = try json.onlyMember()
    guard let alternative = Self.json.first(where: { $0.description.name == name }) else {
      throw item.error("unknown member '\(name)'")
    }
    self = try alternative.read(item)
  }
}

/// A kind of value with a JSON object of its own.
package struct JSONAlternative<Value>: Sendable {
  fileprivate let description: JSONType.Member
  /// Writes a value of this kind as a member. Returns false for another kind.
  fileprivate let write: @Sendable (Value, inout JSONWriter) -> Bool
  fileprivate let read: @Sendable (JSONItem) throws(JSONError) -> Value

  /// Creates a kind.
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - meaning: The meaning of the member.
  ///   - form: The members of the member's object.
  ///   - make: Makes a value of their contents.
  ///   - contents: Returns their contents, or nil for a value of another kind.
  package init<Contents>(
    _ name: String, _ meaning: String, _ form: JSONForm<Contents>, _ make: @escaping @Sendable (Contents) -> Value,
    _ contents: @escaping @Sendable (Value) -> Contents?
  ) {
    description = JSONType.Member(name, .object(form.members), meaning)
    write = { value, json in
      guard let contents = contents(value) else { return false }
      json.member(name) { form.write(contents, to: &$0) }
      return true
    }
    read = { (json) throws(JSONError) in make(try form.read(json)) }
  }
}
