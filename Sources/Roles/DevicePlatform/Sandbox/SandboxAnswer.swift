import IdentityDocumentServices
import JSON
import MobileDocument
import OpenID4VP
import WebPresentment

/// The answer of the sandbox to a call: a partial request or a refusal.
package struct SandboxAnswer: Sendable {
  /// The content of an answer.
  package enum Content: Sendable {
    case partialRequest(PartialRequestBody)
    case refusal(SandboxRefusal)
  }

  /// The content.
  package let content: Content
  /// The content as JSON.
  package let body: [UInt8]

  /// The kind of a body: the first byte of an answer between processes.
  private enum Kind: UInt8 {
    case partialRequest = 1
    case refusal = 2
  }

  /// Creates an answer with a refusal.
  package init(_ refusal: SandboxRefusal) {
    self.init(.refusal(refusal), JSONCoding.encode(SandboxRefusalBody(refusal)))
  }

  /// Creates an answer with a partial request, or with a refusal if the answer is too long.
  package init(_ partial: PartialRequest) {
    // Each set has its own copy of its documents, so the answer can be many times longer than the request. The length is
    // computed before the answer is encoded, so that a request costs the same in each kind of sandbox.
    let length = PartialRequestBody.length(of: partial)
    guard length < Self.maximumContentLength else {
      self.init(
        SandboxRefusal(
          .limits, .limit(.data),
          "what is asked takes about \(length) bytes to tell; \(Self.maximumContentLength) are too many"))
      return
    }
    let body = PartialRequestBody(partial)
    self.init(.partialRequest(body), JSONCoding.encode(body))
  }

  /// The longest content in bytes without certificates and findings, which have limits of their own.
  private static let maximumContentLength = SandboxFrame.maximumAnswerLength / 2

  private init(_ content: Content, _ body: [UInt8]) {
    self.content = content
    self.body = body
  }

  /// The answer as a message between processes.
  package var bytes: [UInt8] {
    switch content {
    case .partialRequest: [Kind.partialRequest.rawValue] + body
    case .refusal: [Kind.refusal.rawValue] + body
    }
  }

  /// Reads the answer of another process, or returns nil if the parser cannot produce it. The content is encoded again, so
  /// that it has nothing else.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= SandboxFrame.maximumAnswerLength, let kind = bytes.first.flatMap(Kind.init) else { return nil }
    let json = Array(bytes.dropFirst())
    switch kind {
    case .partialRequest:
      guard let body = try? JSONCoding.decode(PartialRequestBody.self, from: json), body.isReadable else { return nil }
      self.init(.partialRequest(body), JSONCoding.encode(body))
    case .refusal:
      guard let body = try? JSONCoding.decode(SandboxRefusalBody.self, from: json), let refusal = body.refusal,
        refusal.check != .worker
      else { return nil }
      self.init(refusal)
    }
  }
}

extension RequestSandbox {
  /// Returns the answer to the JSON of a ``ParseBody``: a function of the bytes, in each kind of sandbox.
  package static func answer(to call: [UInt8]) -> SandboxAnswer {
    guard call.count <= SandboxFrame.maximumCallLength else {
      return SandboxAnswer(
        SandboxRefusal(
          .limits, .limit(.data),
          "the call has \(call.count) bytes; at most \(SandboxFrame.maximumCallLength) are accepted"))
    }
    guard let body = try? JSONCoding.decode(ParseBody.self, from: call) else {
      return SandboxAnswer(SandboxRefusal(.requestData))
    }
    return parsed(body)
  }

  /// Returns the answer to a call in this process: that to its JSON, which is written only if it may be too long.
  package static func answer(to call: ParseBody) -> SandboxAnswer {
    call.longestEncoding <= SandboxFrame.maximumCallLength ? parsed(call) : answer(to: JSONCoding.encode(call))
  }

  /// The protocol of OpenID4VP that a call names; nil for a request for mobile documents.
  private static func exchangeProtocol(
    of call: ParseBody
  ) throws(SandboxRefusal) -> OpenID4VPExchangeProtocolIdentifier? {
    guard let name = call.openID4VP else { return nil }
    guard let known = OpenID4VPExchangeProtocolIdentifier(rawValue: name) else { throw SandboxRefusal(.requestData) }
    return known
  }

  private static func parsed(_ call: ParseBody) -> SandboxAnswer {
    do throws(SandboxRefusal) {
      return SandboxAnswer(try parse(call.requestData, origin: call.origin, protocol: try exchangeProtocol(of: call)))
    } catch {
      return SandboxAnswer(error)
    }
  }
}

/// The frame of calls and answers between the system and a sandbox process: the length in four bytes, big-endian, and then
/// the bytes.
package enum SandboxFrame {
  /// The number of bytes of a length.
  package static let headerLength = 4
  /// The longest call in bytes: the longest request data in base64url, and room for the longest origin and the JSON around.
  package static let maximumCallLength = RequestLimit.data.maximum * 4 / 3 + (32 << 10)
  /// The longest answer in bytes: many times the longest request. The system refuses longer messages.
  package static let maximumAnswerLength = 4 << 20

  /// Returns the length as the header of a message.
  package static func header(for bytes: [UInt8]) -> [UInt8] {
    (0..<headerLength).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
  }

  /// Returns the length in a header.
  package static func length(_ header: some Sequence<UInt8>) -> Int { header.reduce(0) { $0 << 8 | Int($1) } }
}

/// Limits of a sandbox process that its parent knows, too.
package enum SandboxLimit {
  /// Processor time in whole seconds, as the kernel counts it. A usual call takes milliseconds; the heaviest call
  /// within the limits of requests takes more than one second in an unoptimized program.
  package static let processorSeconds = 2
}

/// The exit status of a sandbox process that ends by itself.
package enum SandboxExit: Int32, Sendable {
  /// The process has answered.
  case answered = 0
  /// The call is not readable.
  case unreadableCall = 64
  /// The kernel does not support the confinement, so the process does not read the call.
  case unconfined = 69
  /// The warm-up failed: its built-in call is not readable.
  case notReady = 70
  /// The process used up its memory. The allocator in `CConfinement` ends the process with this number.
  case outOfMemory = 71
}
