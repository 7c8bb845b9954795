import Inspection
import InteractiveWorlds
import Messaging
import Telling

/// Views of the world's state that are not part of the world.
extension DemoScreen {
  /// Keys for the faults, in order: digits, and capital letters, which have no other meaning. Those of b and q are left out.
  private static let faultKeys = Array("123456789ACDEFGHIJKLMNOPRSTUVWXYZ")

  static func faults(_ state: DemoState) -> DemoScreen {
    var choices = zip(DemoFault.all, faultKeys).map { fault, key in
      let isOn = state.faults.contains(fault)
      let others = state.faults.map(\.name).filter { $0 != fault.name }
      return Choice(
        key: key, label: "\(isOn ? "■" : "□") \(fault.place): \(fault.label)",
        action: .begin(faults: isOn ? others : state.combinesFaults ? others + [fault.name] : [fault.name]))
    }
    choices.append(Choice(key: "0", label: "repair all", action: .begin(faults: [])))
    choices.append(
      Choice(
        key: "+", label: "\(state.combinesFaults ? "■" : "□") combine faults",
        action: .combineFaults(!state.combinesFaults)))
    var lines = [Line("The world starts again with the fault that you choose.", .quiet)]
    if !state.faults.isEmpty {
      lines.append(Line("Broken: \(state.faults.map(\.label).joined(separator: "; "))", .warning))
    }
    return DemoScreen(title: "Faults", lines: lines, choices: choices)
  }

  static func checks(_ state: DemoState) -> DemoScreen {
    let lines = state.checks.map { check in
      switch check.status {
      case .passed: Line("✓ \(check.message)", .quiet)
      case .failed: Line("✗ \(check.message) [\(check.name)]", .bad)
      case .deviates: Line("~ \(check.message) [\(check.name)]", .warning)
      case .notReached: Line("- \(check.message)", .quiet)
      }
    }
    return DemoScreen(title: "Every check of the server", lines: lines, choices: [])
  }

  static func message(_ number: Int, _ state: DemoState) -> DemoScreen {
    for entry in state.entries {
      guard case .message(let message) = entry.event, message.number == number else { continue }
      let readership = Readership(of: message)
      var lines = [
        Line("\(message.sender.title) → \(message.recipient.title)", .heading),
        Line("\(message.kind.rawValue), \(message.bytes.count) bytes, \(message.mediaType)"), Line(readership.message),
      ]
      if let withheld = readership.withheld { lines.append(Line(withheld, .warning)) }
      lines += Inspector.shown(message.bytes).split(separator: "\n", omittingEmptySubsequences: false).map {
        Line(String($0))
      }
      return DemoScreen(title: "Message \(number)", lines: lines, choices: [])
    }
    return DemoScreen(title: "Message \(number)", lines: [Line("This message does not exist.")], choices: [])
  }
}
