import DigitalCredentials
import Messaging

/// The messages of the parties that hold raw requests: a browser, an authenticator for a browser on another device, and an
/// iPhone's part in the model of a nearby iPhone. All of them hand a request over in the same way.
extension RequestCustody {
  /// Hands the request of a call to the sandbox that collects it.
  /// - Parameter session: The subject of the refusal, if the request is not there any more.
  package mutating func answerSandbox(_ message: Message, of session: String, at station: Station) {
    guard let body = station.body(CallReference.self, of: message) else { return }
    guard let data = handToSandbox(CallID(rawValue: body.call)) else {
      return station.refuse(message, code: "gone", "\(session) has ended, or its request was collected before")
    }
    station.answer(
      message, .requestData, RequestDataBody(call: body.call, requestData: String(decoding: data, as: UTF8.self)))
  }

  /// Hands the raw request of a call to the app that the operating system names. Without a pending call the operating system
  /// already has the withdrawal of the party that held the request, or gets it now.
  package mutating func release(_ message: Message, at station: Station) {
    guard let body = message.body(ReleaseBody.self), let data = handToApp(CallID(rawValue: body.call)) else {
      return station.ignore(message)
    }
    station.send(.rawRequest, RawRequestBody(requestData: data), to: Party(.app, body.app))
  }
}
