import DigitalCredentials
import JSON

/// The person's use of the browser's window, as a message.
struct BrowserUseBody: Sendable {
  var use: Action.BrowserUse
  /// The origin of the website that the use is about; the browser knows no names of websites.
  var origin: String?

  /// The words of the message.
  private enum Word: String {
    case openTab = "open tab"
    case showTab = "show tab"
    case closeTab = "close tab"
    case go, focus, touch
    case window = "change window"
    case answer = "answer warning"
  }
}

extension BrowserUseBody: JSONWritable, JSONReadable {
  func write(to json: inout JSONWriter) {
    let (word, value): (Word, String?) =
      switch use {
      case .openTab: (.openTab, nil)
      case .showTab: (.showTab, nil)
      case .closeTab: (.closeTab, nil)
      case .go(let direction): (.go, direction.rawValue)
      case .changeWindow(let change): (.window, change.rawValue)
      case .focus(let frame): (.focus, frame)
      case .touch(let frame): (.touch, frame)
      case .answerWarning(let continues): (.answer, continues ? WarningScreen.continue : WarningScreen.cancel)
      }
    json.object { json in
      json.member("origin", origin)
      json.member("use", word.rawValue)
      json.member("value", value)
    }
  }

  init(json: JSONItem) throws(JSONError) {
    origin = try json.optionalMember("origin")
    let value: String? = try json.optionalMember("value")
    let name: String = try json.member("use")
    switch (Word(rawValue: name), value) {
    case (.openTab, _): use = .openTab(website: "")
    case (.showTab, _): use = .showTab(website: "")
    case (.closeTab, _): use = .closeTab(website: "")
    case (.go, let value?):
      guard let direction = Action.BrowserUse.Direction(rawValue: value) else { throw json.error("unknown direction") }
      use = .go(direction)
    case (.window, let value?):
      guard let change = PageWindow.WindowChange(rawValue: value) else { throw json.error("unknown change") }
      use = .changeWindow(change)
    case (.focus, let frame): use = .focus(frame: frame)
    case (.touch, let frame): use = .touch(frame: frame)
    case (.answer, let value?): use = .answerWarning(continues: value == WarningScreen.continue)
    default: throw json.error("unknown use of the browser")
    }
  }
}

/// A change of a page by its script, as a message.
struct PageChangeBody: Sendable {
  var change: Action.PageChange

  private enum Word: String {
    case removeFrame = "remove frame"
    case reload, focus, stop
  }
}

extension PageChangeBody: JSONWritable, JSONReadable {
  func write(to json: inout JSONWriter) {
    let (word, frame): (Word, String?) =
      switch change {
      case .removeFrame(let frame): (.removeFrame, frame)
      case .reload(let frame): (.reload, frame)
      case .focus(let frame): (.focus, frame)
      case .stop: (.stop, nil)
      }
    json.object { json in
      json.member("change", word.rawValue)
      json.member("frame", frame)
    }
  }

  init(json: JSONItem) throws(JSONError) {
    let frame: String? = try json.optionalMember("frame")
    let name: String = try json.member("change")
    switch (Word(rawValue: name), frame) {
    case (.removeFrame, let frame?): change = .removeFrame(frame)
    case (.reload, let frame): change = .reload(frame: frame)
    case (.focus, let frame): change = .focus(frame: frame)
    case (.stop, _): change = .stop
    default: throw json.error("unknown change of the page")
    }
  }
}

/// The warning that a browser shows before the chooser.
public struct WarningScreen: Sendable, Equatable {
  /// The origin that asks.
  public var origin: String
  /// The risk: `low-risk` or `high-risk`.
  public var risk: String
  /// The text.
  public var text: String
  /// Labels of the buttons.
  public var buttons: [String]

  /// The label of the button that leads to the chooser.
  public static let `continue` = "Continue"
  /// The label of the button that ends the call.
  public static let cancel = "Cancel"

  init(_ interstitial: Interstitial, origin: Origin) {
    self.origin = origin.serialized
    risk = interstitial.rawValue
    text =
      switch interstitial {
      case .lowRisk: "This site wants information from your ID. Share it only with a site that you trust."
      case .highRisk: "This site may be dangerous, and wants information from your ID."
      }
    buttons = [Self.continue, Self.cancel]
  }
}

extension WarningScreen: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("buttons", buttons)
      json.member("origin", origin)
      json.member("risk", risk)
      json.member("text", text)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    buttons = try json.member("buttons")
    origin = try json.member("origin")
    risk = try json.member("risk")
    text = try json.member("text")
  }
}

/// A placeholder in the options of a scripted call, for something that a scenario file cannot hold: an object with one
/// member.
public enum RequestPlaceholder: String, Sendable, CaseIterable {
  /// A part of the fetched request: `request`, `data`, `deviceRequest`, `encryptionInfo` or `protocol`.
  case fetched = "$fetched"
  /// A text of a number of letters, at most two million.
  case letters = "$letters"

  private static let maximumLetters = 2_000_000

  /// Returns options with the values in place of their placeholders. An unknown part of the request is null.
  static func filled(_ value: JSONValue, from begun: BegunPresentment) -> JSONValue {
    switch value {
    case .null, .boolean, .number, .string: return value
    case .array(let elements): return .array(elements.map { filled($0, from: begun) })
    case .object(let members):
      if members.count == 1, let member = members.first, let placeholder = RequestPlaceholder(rawValue: member.name) {
        switch (placeholder, member.value) {
        case (.fetched, let part): return begun.part(part.text ?? "")
        case (.letters, .number(let count)):
          return .string(String(repeating: "a", count: min(max(Int(count) ?? 0, 0), maximumLetters)))
        case (.letters, _): return .null
        }
      }
      return .object(members.map { .init(name: $0.name, value: filled($0.value, from: begun)) })
    }
  }
}

extension BegunPresentment {
  /// A part of the request by its name; null for another name.
  fileprivate func part(_ name: String) -> JSONValue {
    let members = JSONValue(members: [
      ("deviceRequest", .string(data.deviceRequest)), ("encryptionInfo", .string(data.encryptionInfo)),
    ])
    return switch name {
    case "request": JSONValue(members: [("protocol", .string(`protocol`)), ("data", members)])
    case "data": members
    case "protocol": .string(`protocol`)
    default: members.member(name) ?? .null
    }
  }
}
