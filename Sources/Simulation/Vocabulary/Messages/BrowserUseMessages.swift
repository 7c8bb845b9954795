import DigitalCredentials
import JSON

/// The person's use of the browser's window, as a message.
package struct BrowserUseBody: Sendable {
  package var use: Action.BrowserUse
  /// The origin of the website that the use is about; the browser knows no names of websites.
  package var origin: String?

  package init(use: Action.BrowserUse, origin: String? = nil) { (self.use, self.origin) = (use, origin) }

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
  package func write(to json: inout JSONWriter) {
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

  package init(json: JSONItem) throws(JSONError) {
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
package struct PageChangeBody: Sendable {
  package var change: Action.PageChange

  package init(change: Action.PageChange) { self.change = change }

  private enum Word: String {
    case removeFrame = "remove frame"
    case reload, focus, stop
  }
}

extension PageChangeBody: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
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

  package init(json: JSONItem) throws(JSONError) {
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
