import Ecosystem

/// Reads what goes wrong.
extension StepReader {
  private enum FaultKey: String, CaseIterable { case alters, origin, request, disk }
  private enum Altered: String, CaseIterable {
    case response
    case readerSignature = "reader-signature"
    case rawRequest = "raw-request"
  }
  private enum Disk: String, CaseIterable { case full, roomy }

  func readFault(_ node: SourceNode) throws -> Step.Kind? {
    let (key, value) = try node.onlyKey(of: FaultKey.self)
    switch key.value {
    case .origin: return .fault(.originReplaced(try value.string()))
    case .request:
      return .fault(.requestOversized(try value.oneOf(OversizedRequest.self, "way to make a request too large")))
    case .alters:
      return switch try value.oneOf(Altered.self, "thing to alter") {
      case .response: .fault(.responseAltered)
      case .readerSignature: .fault(.readerSignatureAltered)
      case .rawRequest: .fault(.rawRequestReplaced)
      }
    case .disk: return .disk(isFull: try value.oneOf(Disk.self, "state of a disk") == .full)
    }
  }
}
