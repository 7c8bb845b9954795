import DigitalCredentials
import JSON

/// The state of the calling document at the moment of a call, as the script of a page outside the world finds it in its own
/// browser. A page of the world does not send it; the simulated browser has its own knowledge of such pages.
package struct CallerFacts: Sendable {
  /// The browsing context of the document, as the virtual wallet names it.
  package var context: String?
  /// The origin of a frame's document, "null" if it is opaque; nil for the page itself.
  package var frameOrigin: String?
  package var state = ReportedState()
  /// The reason of a signal that was aborted before the call.
  var aborted: AbortBody.Reason?

  /// The source of a frame's document with an origin as scripts see it, and the attributes of its element. A document with
  /// an opaque origin that can call comes from a sandbox: others are not secure contexts.
  package func frame(with origin: String, in page: Origin) -> (DocumentSource, FrameAttributes) {
    guard let known = try? Origin(serialized: origin), !known.isOpaque else {
      return (DocumentSource(.url(page)), FrameAttributes(sandbox: SandboxTokens()))
    }
    return (DocumentSource(.url(known)), FrameAttributes())
  }
}

extension CallerFacts: JSONReadable {
  package init(json: JSONItem) throws(JSONError) {
    func flag(_ name: String) throws(JSONError) -> Bool { try json.optionalMember(name) ?? true }
    context = try json.optionalMember("context")
    frameOrigin = try json.optionalMember("frameOrigin")
    state = ReportedState(
      isFullyActive: try flag("isFullyActive"), hasUserAttention: try flag("hasUserAttention"),
      hasTransientActivation: try flag("hasTransientActivation"), isAllowedByPolicy: try flag("isAllowedByPolicy"))
    aborted = try json.optionalMember("aborted")
  }
}
