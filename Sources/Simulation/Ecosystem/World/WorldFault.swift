import CBOR
import DevicePlatform
import Primitives
import SimulationKernel
import WebPresentment

/// A fault that a scenario puts into a world: bytes change on their way, or a party lies.
public enum WorldFault: Sendable, Equatable {
  /// A bit of the sealed response is flipped between browser and page.
  case responseAltered
  /// A bit of the first reader signature is flipped between server and page.
  case readerSignatureAltered
  /// The browser tells the operating system another origin than the page's.
  case originReplaced(String)
  /// The answer names another protocol between browser and page.
  case protocolReplaced
  /// The answer names the protocol as an older draft of the standard does, between browser and page.
  case protocolOlder
  /// The answer has its response under the name of an older draft of the standard, between browser and page.
  case responseMemberOlder
  /// The answer's text is not base64url between browser and page.
  case responseTextAltered
  /// The browser hands the operating system a request that no page could have made.
  case handedOver(MalformedRequest)
  /// The operating system gives apps something else than they should get.
  case released(MalformedRelease)
  /// The operating system releases another raw request than the one that was parsed: the first element that will be
  /// shown will be retained, or the reverse.
  case rawRequestReplaced
  /// The request exceeds a bound of the sandbox when it arrives at the page.
  case requestOversized(OversizedRequest)
  /// A bit of the signature of a status list is flipped between its issuer and the server.
  case statusListAltered
  /// The process of the sandbox misbehaves at the next request, on every device where the sandbox is a process.
  case sandboxMisbehaves(SandboxDrill)
  /// Apps or servers make a mistake in what they sign or seal.
  case mistake(PlannedMistake)

  /// What the fault does, in words.
  public var sentence: String {
    switch self {
    case .sandboxMisbehaves(let drill): return "the sandbox's process \(drill.sentence)"
    case .mistake(let mistake): return mistake.sentence
    default: return networkFault?.sentence ?? ""
    }
  }

  /// The fault as one that touches messages; nil when it touches none.
  var networkFault: Network.Fault? {
    switch self {
    case .sandboxMisbehaves, .mistake: return nil
    case .responseAltered:
      return Network.Fault(
        code: JournalCode.faultResponseAltered.rawValue, sentence: "a bit of the sealed response is flipped"
      ) { message in
        guard message.subject == Subject.credential else { return nil }
        return Self.changed(CredentialAnswer.self, message) { answer in
          answer.data.response = answer.data.response.flatMap(Base64URL.decode).map {
            Base64URL.encode($0.flippingLastBit())
          }
        }
      }
    case .readerSignatureAltered:
      return Network.Fault(
        code: JournalCode.faultReaderSignatureAltered.rawValue, sentence: "a bit of a reader signature is flipped"
      ) { message in
        guard message.subject == Subject.presentmentBegun else { return nil }
        return Self.changed(BegunPresentment.self, message) { begun in
          begun.data.deviceRequest = Self.flippingReaderSignature(in: begun.data.deviceRequest)
        }
      }
    case .originReplaced(let origin):
      return Network.Fault(
        code: JournalCode.faultOriginReplaced.rawValue, sentence: "the browser says the origin is \(origin)"
      ) { message in
        guard message.subject == Subject.present else { return nil }
        return Self.changed(PresentBody.self, message) { $0.origin = origin }
      }
    case .protocolReplaced:
      return Network.Fault(
        code: JournalCode.faultResponseAltered.rawValue, sentence: "the answer names another protocol"
      ) { message in
        guard message.subject == Subject.credential else { return nil }
        return Self.changed(CredentialAnswer.self, message) { $0.protocol = "openid4vp-v1-unsigned" }
      }
    case .protocolOlder:
      return Network.Fault(
        code: JournalCode.faultResponseAltered.rawValue, sentence: ExchangeDeviation.olderProtocol.sentence
      ) { message in
        guard message.subject == Subject.credential else { return nil }
        return Self.changed(CredentialAnswer.self, message) { $0.protocol = VerifierSession.olderProtocolIdentifier }
      }
    case .responseMemberOlder:
      return Network.Fault(
        code: JournalCode.faultResponseAltered.rawValue, sentence: ExchangeDeviation.olderMember.sentence
      ) { message in
        guard message.subject == Subject.credential else { return nil }
        return Self.changed(CredentialAnswer.self, message) { answer in
          answer.data = SubmittedResponse.ResponseMembers(older: answer.data.response)
        }
      }
    case .responseTextAltered:
      return Network.Fault(
        code: JournalCode.faultResponseAltered.rawValue, sentence: "the sealed response is padded as base64url is not"
      ) { message in
        guard message.subject == Subject.credential else { return nil }
        return Self.changed(CredentialAnswer.self, message) { answer in
          answer.data.response = answer.data.response.map { $0 + "=" }
        }
      }
    case .handedOver(let way):
      return Network.Fault(code: JournalCode.faultHandedOver.rawValue, sentence: way.sentence) { message in
        guard message.subject == Subject.present else { return nil }
        return try Self.changed(PresentBody.self, message) { $0.requestData = try way.applied(to: $0.requestData) }
      }
    case .released(let way):
      return Network.Fault(code: JournalCode.faultReleased.rawValue, sentence: way.sentence) { message in
        Self.released(way, message)
      }
    case .rawRequestReplaced:
      return Network.Fault(
        code: JournalCode.faultRawRequestReplaced.rawValue, sentence: "another raw request is released than was parsed"
      ) { message in
        guard message.subject == Subject.rawRequest else { return nil }
        return Self.changed(RawRequestBody.self, message) { body in
          guard let json = Base64URL.decode(body.requestData), let data = try? RequestData(json: json) else { return }
          let changed = RequestData(
            deviceRequest: Self.flippingRetention(in: data.deviceRequest), encryptionInfo: data.encryptionInfo)
          body.requestData = Base64URL.encode(changed.json)
        }
      }
    case .statusListAltered:
      return Network.Fault(
        code: JournalCode.faultStatusListAltered.rawValue, sentence: "a bit of a status list's signature is flipped"
      ) { message in
        message.subject == Subject.list ? message.bytes.flippingLastBit() : nil
      }
    case .requestOversized(let way):
      return Network.Fault(
        code: JournalCode.faultRequestOversized.rawValue, sentence: "the request has \(way.bound.sentence)"
      ) { message in
        guard message.subject == Subject.presentmentBegun else { return nil }
        return try Self.changed(BegunPresentment.self, message) { try way.apply(to: &$0.data) }
      }
    }
  }

  private static func released(_ way: MalformedRelease, _ message: Message) -> [UInt8]? {
    switch way {
    case .withoutOrigin:
      guard message.subject == Subject.authorize else { return nil }
      return changed(AuthorizeBody.self, message) { $0.origin = "" }
    case .unreadable:
      guard message.subject == Subject.rawRequest else { return nil }
      return changed(RawRequestBody.self, message) { $0.requestData = Base64URL.encode(Array("[".utf8)) }
    case .otherSignature:
      guard message.subject == Subject.rawRequest else { return nil }
      return changed(RawRequestBody.self, message) { body in
        guard let json = Base64URL.decode(body.requestData), let data = try? RequestData(json: json) else { return }
        let altered = RequestData(
          deviceRequest: flippingReaderSignature(in: data.deviceRequest), encryptionInfo: data.encryptionInfo)
        body.requestData = Base64URL.encode(altered.json)
      }
    }
  }

  private static func changed<Body: Codable>(
    _ type: Body.Type, _ message: Message, _ change: (inout Body) throws -> Void
  ) rethrows -> [UInt8]? {
    guard var body = JSONBody.decode(type, from: message.bytes) else { return nil }
    try change(&body)
    return JSONBody.encode(body)
  }

  private static func flippingReaderSignature(in text: String) -> String {
    guard var bytes = Base64URL.decode(text), let map = try? CBORReader.read(bytes).map(),
      let signed = (try? map["readerAuthAll"]?.array())??[0]
        ?? (try? map["docRequests"]?.array())??[0].flatMap({ try? $0.map() })?["readerAuth"],
      let signature = (try? signed.array())?[3]
    else { return text }
    bytes[signature.encoded.endIndex - 1] ^= 1
    return Base64URL.encode(bytes)
  }

  private static func flippingRetention(in text: String) -> String {
    guard var bytes = Base64URL.decode(text), let map = try? CBORReader.read(bytes).map(),
      let document = (try? map["docRequests"]?.array())??[0].flatMap({ try? $0.map() }),
      let items = document["itemsRequest"].flatMap({ try? $0.embedded().map() }),
      let nameSpaces = items["nameSpaces"].flatMap({ try? $0.map() }),
      let first = nameSpaces.first(where: { _ in true }).flatMap({ try? $0.value.map() }),
      let flag = first.first(where: { _ in true })?.value
    else { return text }
    // false is f4 and true is f5.
    bytes[flag.offset] ^= 1
    return Base64URL.encode(bytes)
  }
}

extension SandboxDrill {
  /// What the process does, in words.
  var sentence: String {
    switch self {
    case .killed: "is killed"
    case .trap: "runs into a trap"
    case .loop: "computes for ever"
    case .memory: "takes memory without end"
    case .silence: "waits for ever"
    case .garbage: "answers something unreadable"
    case .flood: "answers without end"
    case .openFile: "opens a file"
    case .socket: "opens a socket"
    }
  }
}

extension [UInt8] {
  fileprivate func flippingLastBit() -> [UInt8] {
    guard let last else { return self }
    return dropLast() + [last ^ 1]
  }
}
