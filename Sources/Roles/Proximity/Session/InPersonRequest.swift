import JSON
import MobileDocument
import Primitives

/// The raw request of a reader near the device, in the form that the device's parts and apps exchange it in: the device
/// request with the transcript of its session and, for the app that answers, the seal of the answer.
///
/// A website's request has an origin and a recipient's key instead.
public struct InPersonRequest: Sendable {
  /// `DeviceRequest`, as decrypted.
  public let deviceRequest: [UInt8]
  /// The transcript of the session.
  public let transcript: SessionTranscript
  /// The seal of the answer; nil for a part that only reads the request.
  public let seal: AnswerSeal?

  /// The words in the place of an origin. They are not a serialized origin, so that no website can have them.
  public static let origin = "A reader nearby"
  /// The name of the protocol in announcements.
  public static let protocolIdentifier = "iso-18013-5-device-retrieval"

  /// Creates a request.
  public init(deviceRequest: [UInt8], transcript: SessionTranscript, seal: AnswerSeal? = nil) {
    self.deviceRequest = deviceRequest
    self.transcript = transcript
    self.seal = seal
  }

  private struct Form: JSONObject {
    var deviceRequest: [UInt8]
    var sessionTranscript: [UInt8]
    var answerKey: Base64URLBytes?
    var answerCounter: Int?

    static let json = JSONForm<Self>(
      Self.init, Member(base64URL: "deviceRequest", \.deviceRequest),
      Member(base64URL: "sessionTranscript", \.sessionTranscript), Member(optional: "answerKey", \.answerKey),
      Member(optional: "answerCounter", \.answerCounter))
  }

  /// Reads a request, or returns nil.
  public init?(json: [UInt8]) {
    guard json.count <= RequestLimit.data.maximum, let form = try? JSONCoding.decode(Form.self, from: json) else {
      return nil
    }
    deviceRequest = form.deviceRequest
    transcript = SessionTranscript(encoded: form.sessionTranscript)
    seal = form.answerKey.flatMap { key in
      form.answerCounter.flatMap(UInt32.init(exactly:)).flatMap { AnswerSeal(key: key.bytes, counter: $0) }
    }
  }

  /// The request as JSON.
  public var json: [UInt8] {
    JSONCoding.encode(
      Form(
        deviceRequest: deviceRequest, sessionTranscript: transcript.encoded,
        answerKey: seal.map { Base64URLBytes($0.key) }, answerCounter: seal.map { Int($0.counter) }))
  }
}
