import Messaging

/// Faults that change messages under way.
extension Fault {
  /// The kind of message that the fault changes; nil for a fault that does not change messages.
  package var messageKind: MessageKind? { if case .message(let change) = effect { change.kind } else { nil } }

  /// The fault as one that changes a single message; nil for a fault that does not change messages.
  package func acting(onlyOn number: Int) -> Network.Fault? {
    guard case .message(let change) = effect else { return nil }
    let fault = change.networkFault(of: .example(of: self))
    return Network.Fault(code: fault.code, message: fault.message) { message in
      message.number == number ? try fault.alter(message) : nil
    }
  }
}

extension PlannedFault {
  /// The fault with an example for each argument that it needs.
  package static func example(of fault: Fault) -> PlannedFault {
    let needed = fault.parameters.filter(\.isRequired)
    let arguments = needed.map { ($0.name, $0.values?.first ?? "https://attacker.example") }
    return PlannedFault(fault, arguments: Dictionary(uniqueKeysWithValues: arguments))
  }
}
