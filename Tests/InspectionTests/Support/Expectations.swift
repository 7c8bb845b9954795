import Inspection
import Testing

/// The lines of an inspection that must succeed, without their indentation.
func inspected(_ bytes: [UInt8], _ options: InspectionOptions = []) throws -> [String] {
  try Inspector.inspect(bytes, options: options).get().split(separator: "\n").map { line in
    String(line.drop { $0 == " " })
  }
}

/// Expects lines with these beginnings, in this order, with any lines between them.
func expect(
  _ lines: [String], has starts: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  var rest = lines[...]
  for start in starts {
    guard let found = rest.firstIndex(where: { $0.hasPrefix(start) }) else {
      Issue.record("no line \(start) in\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
      return
    }
    rest = rest[(found + 1)...]
  }
}

/// Returns the failure of an inspection.
func failure(of bytes: [UInt8]) throws -> InspectionFailure {
  switch Inspector.inspect(bytes) {
  case .success(let text):
    Issue.record("was read as\n\(text)")
    throw Unexpected()
  case .failure(let failure): return failure
  }
}

/// An inspection succeeded that should not have.
struct Unexpected: Error {}
