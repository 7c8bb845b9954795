import MobileDocument

extension PageScreen.Element {
  /// The label of the element for people.
  public var label: String { DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier) }

  /// The value in words: an answer, or the classes of driving privileges with the end of each.
  public var words: String { Self.words(of: value, as: identifier) }

  /// Returns the value of an element in words.
  package static func words(of value: String, as identifier: String) -> String {
    switch (identifier, value) {
    case (_, "true"): "Yes"
    case (_, "false"): "No"
    case ("driving_privileges", _): privileges(value) ?? value
    default: value
    }
  }

  private static func privileges(_ value: String) -> String? {
    let classes = value.matches(of: #/\{[^{}]*\}/#).compactMap { record -> String? in
      func member(_ name: String) -> Substring? {
        record.output.dropFirst().dropLast().split(separator: ", ").first { $0.hasPrefix("\(name): ") }?
          .dropFirst(name.count + 2)
      }
      guard let category = member("vehicle_category_code") else { return nil }
      return "Class \(category)" + (member("expiry_date").map { " to \($0)" } ?? "")
    }
    return classes.isEmpty ? nil : classes.joined(separator: ", ")
  }
}
