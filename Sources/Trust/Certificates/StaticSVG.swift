import Primitives

/// The check that an SVG image draws itself alone (RFC 9399, 7): it has shapes, colours and gradients, and no script,
/// animation, style sheet, text of another document or address outside itself. Elements and attributes are those of lists.
///
/// A picture is shown as an image, in which browsers run no script and fetch nothing. The check keeps others from
/// depending on that.
enum StaticSVG {
  /// What an image may have. `use` and patterns are missing: they multiply what is drawn.
  private static let elements: Set<String> = [
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    "linearGradient", "radialGradient", "stop", "clipPath",
  ]
  /// What elements may have, besides links within the image. Masks, cursors and filters are missing: their values can name
  /// other documents without `url()`. So are style sheets, scripts and the base of addresses.
  private static let attributes: Set<String> = [
    "id", "class", "version", "baseProfile", "viewBox", "preserveAspectRatio", "xml:space", "xml:lang", "lang", "role",
    "aria-label", "aria-labelledby", "aria-hidden", "focusable", "enable-background",
    "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2", "points", "d", "pathLength",
    "transform", "opacity", "color", "display", "visibility", "overflow", "fill", "fill-opacity", "fill-rule", "stroke",
    "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray",
    "stroke-dashoffset", "paint-order", "vector-effect", "shape-rendering", "color-interpolation", "color-rendering",
    "offset", "stop-color", "stop-opacity", "fx", "fy", "fr", "gradientUnits", "gradientTransform", "spreadMethod",
    "clip-path", "clip-rule", "clipPathUnits",
  ]
  private static let nameSpace = "http://www.w3.org/2000/svg"
  private static let linkNameSpace = "http://www.w3.org/1999/xlink"
  private static let entities: Set<String> = ["amp", "lt", "gt", "quot", "apos"]
  /// Elements within each other. Drawings of a brand have fewer than ten.
  private static let maximumDepth = 32

  /// Checks an image.
  static func check(_ bytes: [UInt8]) throws(LogotypeError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw LogotypeError(.format, "the image is neither PNG nor SVG in UTF-8")
    }
    // XML 1.0, 2.2.
    guard bytes.allSatisfy({ $0 >= 0x20 || Reader.isSpace($0) }) else {
      throw LogotypeError(.image, "the SVG image has a control character")
    }
    var reader = Reader(rest: bytes[...])
    try reader.document()
  }

  /// Goes once through the bytes. A sign with a combining mark is one `Character`, and two for a reader of XML.
  private struct Reader {
    var rest: ArraySlice<UInt8>
    /// The elements that have begun, and whether each binds the prefix of links.
    var open: [(name: String, bindsLinks: Bool)] = []
    var hasRoot = false

    mutating func document() throws(LogotypeError) {
      _ = skip("\u{feff}")
      if skip("<?xml") { try declaration() }
      while !rest.isEmpty {
        try text()
        if rest.isEmpty { break }
        if skip("<!--") {
          try comment()
        } else if skip("</") {
          try end()
        } else {
          try start()
        }
      }
      guard hasRoot, open.isEmpty else { throw malformed() }
    }

    /// Reads the declaration of XML (2.8). In another encoding the bytes would be another document.
    private mutating func declaration() throws(LogotypeError) {
      var names: [String] = []
      while skipSpace(), !rest.starts(with: "?>".utf8) {
        let name = self.name()
        let value = try value()
        let isAllowed =
          switch name {
          case "version": names.isEmpty && value == "1.0"
          case "encoding": names == ["version"] && value.lowercased() == "utf-8"
          case "standalone": !names.contains(name) && !names.isEmpty && ["yes", "no"].contains(value)
          default: false
          }
        guard isAllowed else { throw LogotypeError(.format, "the SVG image is not declared as XML 1.0 in UTF-8") }
        names.append(name)
      }
      guard skip("?>"), !names.isEmpty else { throw malformed() }
    }

    /// Skips a comment (2.5) that readers of HTML end at the same place.
    private mutating func comment() throws(LogotypeError) {
      guard !rest.starts(with: ">".utf8), !rest.starts(with: "->".utf8) else { throw malformed() }
      try skip(past: "--")
      guard skip(">") else { throw malformed() }
    }

    /// Skips the text before the next tag.
    private mutating func text() throws(LogotypeError) {
      let text = take { $0 != UInt8(ascii: "<") }
      guard !open.isEmpty || text.allSatisfy(Self.isSpace), text.firstRange(of: Array("]]>".utf8)) == nil else {
        throw malformed()
      }
      for reference in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst() {
        let name = reference.prefix { $0 != UInt8(ascii: ";") }
        guard name.count < reference.count, StaticSVG.entities.contains(Self.string(name)) else {
          throw LogotypeError(.content, "the SVG image has a reference other than those of XML")
        }
      }
    }

    private mutating func end() throws(LogotypeError) {
      let name = self.name()
      skipSpace()
      guard skip(">"), open.popLast()?.name == name else { throw malformed() }
    }

    private mutating func start() throws(LogotypeError) {
      guard skip("<") else { throw malformed() }
      let name = self.name()
      guard !name.isEmpty else { throw LogotypeError(.content, "the SVG image has a declaration or an instruction") }
      guard StaticSVG.elements.contains(name) else {
        throw LogotypeError(
          .content, "the SVG image has an element that is not allowed", evidence: String(name.prefix(32)))
      }
      let isRoot = !hasRoot
      guard isRoot == (name == "svg"), isRoot || !open.isEmpty else { throw malformed() }
      hasRoot = true
      guard open.count < StaticSVG.maximumDepth else {
        throw LogotypeError(.content, "elements of the SVG image are nested more than \(StaticSVG.maximumDepth) deep")
      }
      var names: Set<String> = []
      var isClosed = false
      while true {
        let hasSpace = skipSpace()
        isClosed = skip("/>")
        if isClosed || skip(">") { break }
        let attribute = self.name()
        guard hasSpace, !attribute.isEmpty, names.insert(attribute).inserted else { throw malformed() }
        try check(attribute, try value())
      }
      guard !isRoot || names.contains("xmlns") else {
        throw LogotypeError(.format, "the root of the SVG image is not in the name space of SVG")
      }
      let bindsLinks = names.contains("xmlns:xlink")
      guard !names.contains("xlink:href") || bindsLinks || open.contains(where: \.bindsLinks) else { throw malformed() }
      // Clips of clips multiply what is drawn.
      let isClip = name == "clipPath" || open.contains { $0.name == "clipPath" }
      guard !isClip || !names.contains("clip-path") else {
        throw LogotypeError(.content, "a clip path of the SVG image is clipped itself")
      }
      if !isClosed { open.append((name, bindsLinks)) }
    }

    /// Reads the value of an attribute.
    private mutating func value() throws(LogotypeError) -> String {
      skipSpace()
      guard skip("=") else { throw malformed() }
      skipSpace()
      guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw malformed()
      }
      let value = take { $0 != quote }
      guard rest.popFirst() != nil else { throw malformed() }
      return Self.string(value)
    }

    private func check(_ name: String, _ value: String) throws(LogotypeError) {
      let isAllowed =
        switch name {
        case "xmlns": value == StaticSVG.nameSpace
        case "xmlns:xlink": value == StaticSVG.linkNameSpace
        case "href", "xlink:href": value.utf8.first == UInt8(ascii: "#")
        default: StaticSVG.attributes.contains(name)
        }
      // References and escapes could spell what is looked for.
      let isPlain = !value.utf8.contains { "<&\\".utf8.contains($0) }
      guard isAllowed, isPlain, Self.staysWithin(value) else {
        throw LogotypeError(
          .content, "the SVG image has an attribute that is not allowed", evidence: String(name.prefix(32)))
      }
    }

    /// Returns whether each `url()` of a value names a part of the image.
    private static func staysWithin(_ value: String) -> Bool {
      var rest = Array(value.lowercased().utf8)[...]
      while let found = rest.firstRange(of: Array("url(".utf8)) {
        rest = rest[found.upperBound...]
        let address = rest.drop { isSpace($0) || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        guard address.first == UInt8(ascii: "#") else { return false }
      }
      return true
    }

    private mutating func name() -> String {
      Self.string(take { $0.isLetter || $0.isDigit || "-_:.".utf8.contains($0) })
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
      let taken = rest.prefix(while: isTaken)
      rest = rest[taken.endIndex...]
      return taken
    }

    private mutating func skip(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool { !take(while: Self.isSpace).isEmpty }

    private mutating func skip(past text: String) throws(LogotypeError) {
      guard let found = rest.firstRange(of: Array(text.utf8)) else { throw malformed() }
      rest = rest[found.upperBound...]
    }

    private func malformed() -> LogotypeError { LogotypeError(.image, "the SVG image is not well-formed") }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
  }
}
