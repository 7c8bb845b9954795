/// The members of an object while it is read: a name that comes again replaces its value and keeps its place.
struct JSONMembers {
  /// Up to this many members are searched one by one, which is quicker than an index for the objects of real requests.
  private static let unindexed = 16

  private(set) var list: [JSONValue.Member] = []
  private var places: [[UInt8]: Int] = [:]

  /// Sets a member, and says whether its name is a new one.
  mutating func set(_ name: String, _ value: JSONValue) -> Bool {
    if let place = place(of: name) {
      list[place].value = value
      return false
    }
    list.append(.init(name: name, value: value))
    if list.count == Self.unindexed {
      for (place, member) in list.enumerated() { places[Array(member.name.utf8)] = place }
    } else if list.count > Self.unindexed {
      places[Array(name.utf8)] = list.count - 1
    }
    return true
  }

  private func place(of name: String) -> Int? {
    list.count < Self.unindexed ? list.firstIndex { $0.isNamed(name) } : places[Array(name.utf8)]
  }
}
