// Of the package Yams only its libyaml is used: what Yams makes of the events bounds neither depth nor aliases, and
// keeps no places.
internal import CYaml

/// A place in YAML text: line and column, counted from 1, columns in Unicode scalars.
struct YAMLMark: Hashable {
  let line: Int
  let column: Int

  /// The position of one character of a file.
  func position(in file: SourceFile) -> SourcePosition { SourcePosition(file: file, line: line, column: column) }
}

/// One step of libyaml's parser.
struct YAMLEvent {
  enum Kind {
    case documentStart
    case documentEnd
    case streamEnd
    case alias(String)
    case scalar(SourceScalar)
    case sequenceStart(isFlow: Bool)
    case sequenceEnd
    case mappingStart(isFlow: Bool)
    case mappingEnd
    case other
  }

  let kind: Kind
  var anchor: String?
  var tag: String?
  let start: YAMLMark
  let end: YAMLMark
}

/// The reason why libyaml stopped.
struct YAMLFailure {
  let reason: String
  let mark: YAMLMark
  /// The element that was being read, as in "while parsing a flow mapping", with its start.
  let context: String?
  let contextMark: YAMLMark
}

/// libyaml's events. Events and not composed nodes: nesting and aliases are bounded before anything is built of them,
/// every token has an end, and a scalar may hold NUL.
@safe struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  /// True if the parser could be allocated.
  private let isReady: Bool

  init(_ text: String) {
    // libyaml keeps a pointer to the parser inside it: it must not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    isReady = unsafe yaml_parser_initialize(parser) == 1
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
    let count = unsafe input.update(fromContentsOf: text.utf8)
    if isReady {
      unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      unsafe yaml_parser_set_input_string(parser, input.baseAddress, count)
    }
    unsafe self.parser = parser
    unsafe self.input = input
  }

  deinit {
    if isReady { unsafe yaml_parser_delete(parser) }
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event.
  ///
  /// - Parameter problem: Makes a problem of the reason why the text is not YAML.
  /// - Throws: The problem; nothing may be asked after that.
  mutating func next(orThrow problem: (YAMLFailure) -> SourceProblem) throws(SourceProblem) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard isReady, unsafe yaml_parser_parse(parser, &event) == 1 else {
      throw problem(unsafe YAMLFailure(parser.pointee))
    }
    defer { unsafe yaml_event_delete(&event) }
    return unsafe YAMLEvent(event)
  }
}

extension YAMLMark {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }
}

extension YAMLEvent {
  fileprivate init(_ event: yaml_event_t) {
    unsafe start = YAMLMark(event.start_mark)
    unsafe end = YAMLMark(event.end_mark)
    switch unsafe event.type {
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
    case YAML_MAPPING_END_EVENT: kind = .mappingEnd
    case YAML_ALIAS_EVENT: kind = .alias(unsafe Self.string(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      kind = .scalar(
        SourceScalar(unsafe String(decoding: bytes, as: UTF8.self), style: unsafe Self.style(scalar.style)))
      anchor = unsafe Self.string(scalar.anchor)
      tag = unsafe Self.string(scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      let sequence = unsafe event.data.sequence_start
      kind = .sequenceStart(isFlow: unsafe sequence.style == YAML_FLOW_SEQUENCE_STYLE)
      anchor = unsafe Self.string(sequence.anchor)
      tag = unsafe Self.string(sequence.tag)
    case YAML_MAPPING_START_EVENT:
      let mapping = unsafe event.data.mapping_start
      kind = .mappingStart(isFlow: unsafe mapping.style == YAML_FLOW_MAPPING_STYLE)
      anchor = unsafe Self.string(mapping.anchor)
      tag = unsafe Self.string(mapping.tag)
    default: kind = .other
    }
  }

  private static func style(_ style: yaml_scalar_style_t) -> SourceScalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
    default: .plain
    }
  }

  private static func string(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}

extension YAMLFailure {
  fileprivate init(_ parser: yaml_parser_t) {
    unsafe reason = parser.problem.map { unsafe String(cString: $0) } ?? "memory is short"
    unsafe mark = YAMLMark(parser.error == YAML_READER_ERROR ? parser.mark : parser.problem_mark)
    unsafe context = parser.context.map { unsafe String(cString: $0) }
    unsafe contextMark = YAMLMark(parser.context_mark)
  }
}

extension SourceProblem {
  /// The parser's reason, at the token to fix. `openBracket` is where the innermost list or mapping
  /// in brackets begins that was not closed so far.
  init(_ failure: YAMLFailure, in file: SourceFile, openBracket: YAMLMark?) {
    // The parser has a limit of its own, on what it looks ahead at.
    if failure.reason.hasPrefix("Maximum nesting level reached") {
      self = .tooDeep(at: failure.mark.position(in: file))
      return
    }
    let reason = "not YAML: " + failure.reason + (failure.context.map { ", " + $0 } ?? "")
    let end = file.endOfContent
    let found = failure.mark.position(in: file)
    let began = failure.context == nil ? end : failure.contextMark.position(in: file)
    if failure.reason == "could not find expected ':'", began < end {
      // The parser notices it in the next line.
      self.init(.notYAML, reason, at: began, hint: "a key has ': ' after it")
    } else if found < end {
      let hint = Self.hint(for: failure, at: found)
      self.init(.notYAML, reason, at: found, hint: hint ?? (began < found ? "it begins at \(Self.short(began))" : nil))
    } else {
      // The parser reports an unclosed bracket at the end of the file, far from its start.
      let opened = began < end ? began : openBracket?.position(in: file) ?? end
      let isOpening = file.scalar(at: opened).map { "[{'\"".unicodeScalars.contains($0) } ?? false
      self.init(.notYAML, reason, at: opened, hint: isOpening ? "this has no end" : nil)
    }
  }

  private static func short(_ place: SourcePosition) -> String { "\(place.line):\(place.column)" }

  private static func hint(for failure: YAMLFailure, at place: SourcePosition) -> String? {
    if place.file.line(place.line).first == "\t" || place.file.scalar(at: place) == "\t" {
      return "YAML is indented with spaces, not with tabs"
    }
    switch failure.reason {
    case "mapping values are not allowed in this context": return "text with ': ' in it needs quotes"
    case "found character that cannot start any token": return "text that begins like this needs quotes"
    default: return nil
    }
  }
}

extension SourceFile {
  /// The place after the last character that is not blank.
  fileprivate var endOfContent: SourcePosition {
    var line = lineCount
    while line > 1, self.line(line).allSatisfy(\.isWhitespace) { line -= 1 }
    return SourcePosition(file: self, line: line, column: self.line(line).unicodeScalars.count + 1, length: 1)
  }

  fileprivate func scalar(at place: SourcePosition) -> Unicode.Scalar? {
    line(place.line).unicodeScalars.dropFirst(place.column - 1).first
  }
}
