import JSON
import Primitives
import WebPresentment

/// What the sandbox answers to one call: a partial request or a refusal.
package struct SandboxAnswer: Sendable {
  /// What is answered.
  package enum Content: Sendable {
    case partialRequest(PartialRequestBody)
    case refusal(SandboxRefusalBody)
  }

  /// What is answered.
  package let content: Content
  /// The content as JSON.
  package let body: [UInt8]

  /// What a body is, as the first byte of an answer between processes.
  private enum Kind: UInt8 {
    case partialRequest = 1
    case refusal = 2
  }

  /// An answer with a refusal.
  package init(_ refusal: SandboxRefusal) {
    let body = SandboxRefusalBody(refusal)
    self.init(.refusal(body), JSONCoding.encode(body))
  }

  /// An answer with a partial request; a refusal when telling it takes too many bytes.
  package init(_ partial: PartialRequest) {
    // Each set has its own copy of the documents in it, so this can be many times the request. It is counted before it is
    // made, so that a request costs the same wherever it is parsed.
    let length = PartialRequestBody.length(of: partial.request)
    guard length < Self.maximumContentLength else {
      self.init(
        SandboxRefusal(
          .tooLarge, "what is asked takes about \(length) bytes to tell; \(Self.maximumContentLength) are too many"))
      return
    }
    let body = PartialRequestBody(partial)
    self.init(.partialRequest(body), JSONCoding.encode(body))
  }

  /// Longest content besides certificates and findings, in bytes; they are bounded each, and have the rest of an answer.
  private static let maximumContentLength = SandboxFrame.maximumAnswerLength / 2

  private init(_ content: Content, _ body: [UInt8]) {
    self.content = content
    self.body = body
  }

  /// The answer as it travels between processes.
  package var bytes: [UInt8] {
    switch content {
    case .partialRequest: [Kind.partialRequest.rawValue] + body
    case .refusal: [Kind.refusal.rawValue] + body
    }
  }

  /// Reads an answer of another process, which may be anything: nil unless it is one that the parser can give. What is
  /// kept is written anew, so that nothing else comes along.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= SandboxFrame.maximumAnswerLength, let kind = bytes.first.flatMap(Kind.init) else { return nil }
    let json = Array(bytes.dropFirst())
    switch kind {
    case .partialRequest:
      guard let body = JSONCoding.decode(PartialRequestBody.self, from: json), body.isReadable else { return nil }
      self.init(.partialRequest(body), JSONCoding.encode(body))
    case .refusal:
      guard let body = JSONCoding.decode(SandboxRefusalBody.self, from: json), let refusal = body.refusal,
        !refusal.check.isOfWorker
      else { return nil }
      self.init(.refusal(body), JSONCoding.encode(body))
    }
  }
}

extension RequestSandbox {
  /// What the sandbox answers to the JSON of a ``ParseBody``, wherever it runs: a function of the bytes and nothing else.
  package static func answer(to call: [UInt8]) -> SandboxAnswer {
    guard call.count <= SandboxFrame.maximumCallLength else {
      return SandboxAnswer(
        SandboxRefusal(
          .tooLarge, "the call has \(call.count) bytes; at most \(SandboxFrame.maximumCallLength) are accepted"))
    }
    guard let body = JSONCoding.decode(ParseBody.self, from: call), let data = Base64URL.decode(body.requestData) else {
      return SandboxAnswer(SandboxRefusal(.requestData))
    }
    do throws(SandboxRefusal) {
      return SandboxAnswer(try parse(data, origin: body.origin))
    } catch {
      return SandboxAnswer(error)
    }
  }
}
