import DevicePlatform
import Ecosystem
import Flaws

/// Reads what goes wrong.
extension StepReader {
  private enum FaultKey: String, CaseIterable {
    case alters, origin, request, sandbox, disk, document, answer, releases
    case handsOver = "hands-over"
    case appTranscript = "app-transcript"
    case appSigns = "app-signs"
    case appSealsWith = "app-seals-with"
    case websiteSigns = "website-signs"
    case websiteKeeps = "website-keeps"
  }
  private enum Kept: String, CaseIterable {
    case originWithSlash = "origin-with-slash"
  }

  private enum Altered: String, CaseIterable {
    case response
    case readerSignature = "reader-signature"
    case rawRequest = "raw-request"
    case responseText = "response-text"
    case `protocol`
    case olderProtocol = "older-protocol"
    case olderMember = "older-member"
    case statusList = "status-list"
  }
  private enum Disk: String, CaseIterable { case full, roomy }

  func readFault(_ node: SourceNode) throws -> Step.Kind? {
    let (key, value) = try node.onlyKey(of: FaultKey.self)
    switch key.value {
    case .appTranscript: return .fault(.mistake(try readAppTranscript(value)))
    case .appSigns: return .fault(.mistake(try readAppSigns(value)))
    case .appSealsWith: return .fault(.mistake(try readAppSealsWith(value)))
    case .websiteSigns: return .fault(.mistake(try readWebsiteSigns(value)))
    case .websiteKeeps:
      return switch try value.oneOf(Kept.self, "thing to keep") {
      case .originWithSlash: .fault(.mistake(.websiteKeepsSlash))
      }
    case .handsOver: return .fault(.handedOver(try value.oneOf(MalformedRequest.self, "thing to hand over")))
    case .releases: return .fault(.released(try value.oneOf(MalformedRelease.self, "thing to release")))
    case .document: return .fault(.mistake(.document(try value.oneOf(DocumentFlaw.self, "flaw of a document"))))
    case .answer: return .fault(.mistake(.answer(try value.oneOf(AnswerFlaw.self, "flaw of an answer"))))
    case .origin: return .fault(.originReplaced(try value.string()))
    case .request:
      return .fault(.requestOversized(try value.oneOf(OversizedRequest.self, "way to make a request too large")))
    case .alters:
      return switch try value.oneOf(Altered.self, "thing to alter") {
      case .response: .fault(.responseAltered)
      case .readerSignature: .fault(.readerSignatureAltered)
      case .rawRequest: .fault(.rawRequestReplaced)
      case .responseText: .fault(.responseTextAltered)
      case .protocol: .fault(.protocolReplaced)
      case .olderProtocol: .fault(.protocolOlder)
      case .olderMember: .fault(.responseMemberOlder)
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
