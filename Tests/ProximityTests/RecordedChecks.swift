import Checks
import Proximity

/// An effect of a machine that may record checks.
protocol RecordingEffect {
  var recorded: [CheckResult] { get }
}

/// Returns the names of the failed checks that effects record, in order.
func failures(_ effects: [some RecordingEffect]) -> [String] {
  effects.flatMap(\.recorded).filter { $0.status == .failed }.map(\.name)
}

extension SessionEffect: RecordingEffect {
  var recorded: [CheckResult] { if case .record(let results) = self { results } else { [] } }
}

extension TransferEffect: RecordingEffect {
  var recorded: [CheckResult] { if case .record(let results) = self { results } else { [] } }
}

extension BluetoothLink.Effect: RecordingEffect {
  var recorded: [CheckResult] { if case .record(let results) = self { results } else { [] } }
}

extension TagReader.Effect: RecordingEffect {
  var recorded: [CheckResult] { if case .record(let results) = self { results } else { [] } }
}
