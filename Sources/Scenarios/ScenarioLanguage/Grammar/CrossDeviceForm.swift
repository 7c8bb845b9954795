import LocatedYAML
import Primitives
import Vocabulary

extension Form where Value == WorldDescription.Bluetooth {
  /// Places, range and loss.
  static let bluetooth = Form.mapping(
    "bluetooth", { WorldDescription.Bluetooth() },
    [
      Key(
        "places", Form<[Named<WorldDescription.Bluetooth.Place>]>.named("place", .position),
        "places of devices: metres to the east and to the north; `here`, the place of devices without another one, is [0, 0] if it is not listed",
        usual: "none: all devices are in the place `here`",
        read: { bluetooth, places in bluetooth.places = places.map { ($0.name, $0.value) } },
        write: { $0.places.map { Named($0.name, $0.place) } }),
      Key("range", \.range, .integer(in: 1...1_000), "the range in metres"),
      Key("loss", \.loss, .integer(in: 0...100), "the part of the adverts that a device does not receive, in percent"),
      Key(
        "strangers", \.strangers, .integer(in: 0...1_000),
        "the number of adverts of other people's phones that a device receives when it begins to scan"),
    ])
}

extension Form where Value == WorldDescription.Bluetooth.Place {
  private static let metres = Form<Int>.integer(
    in: -WorldDescription.Bluetooth.furthest...WorldDescription.Bluetooth.furthest)

  fileprivate static let position = Form(
    type: .list(metres.type),
    read: { node, context in
      guard let numbers = node.each(context.problems, { try metres.read($0, context) }), numbers.count == 2 else {
        throw SourceProblem(
          .unreadableValue, "a place has two numbers, of metres to the east and to the north", at: node.position)
      }
      return Value(x: numbers[0], y: numbers[1])
    }, write: { .list([metres.write($0.x), metres.write($0.y)]) })
}

extension Form where Value == String {
  /// The name of a place of the world.
  static let place = Form(
    type: .text,
    read: { node, context in
      try node.oneOf([WorldDescription.Bluetooth.here] + context.world.bluetooth.places.map(\.name), "place")
    }, write: YAMLValue.text)
}

extension Form where Value == [WorldDescription.TunnelServiceLimits] {
  /// The limits of services by their names.
  static let tunnelServices = Form.parts(
    "tunnel service", \.host, "tunnel-services", { WorldDescription.TunnelServiceLimits(host: $0) },
    [
      Key("seconds", \.seconds, .integer(in: 1...86_400), "the seconds for which it keeps a tunnel"),
      Key(
        "messages", \.messages, .integer(in: 1...1_000_000), "the messages that it relays for each side of a tunnel"),
      Key(
        "message-bytes", \.messageBytes, .integer(in: 1...(1 << 24)),
        "the bytes of the longest message that it relays"),
    ])
}
