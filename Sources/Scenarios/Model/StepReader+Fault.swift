import Ecosystem
import IdentityDocumentServices

/// Reads what goes wrong.
extension StepReader {
  private enum FaultKey: String, CaseIterable { case alters, origin, request, sandbox, disk }
  private enum Altered: String, CaseIterable {
    case response
    case readerSignature = "reader-signature"
    case rawRequest = "raw-request"
    case statusList = "status-list"
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
      case .statusList: .fault(.statusListAltered)
      }
    case .sandbox:
      let drill = try value.oneOf(SandboxDrill.self, "way to misbehave")
      guard world.devices.contains(where: { $0.sandbox == .process }) else {
        throw SourceProblem(
          .unreadableValue, "no device of this world has its sandbox in a process, so none can misbehave",
          at: value.position, hint: "give a device 'sandbox: process'")
      }
      return .fault(.sandboxMisbehaves(drill))
    case .disk: return .disk(isFull: try value.oneOf(Disk.self, "state of a disk") == .full)
    }
  }
}
