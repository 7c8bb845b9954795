extension CredentialMediator {
  /// What reaches the mediator.
  public enum Event: Hashable, Sendable {
    /// A document called `navigator.credentials.get()`, with the options as far as they could be read.
    case getCalled(CallID, CredentialRequestOptions.Reading, CallingContext)

    /// The signal of a call was aborted (DOM, "signal abort").
    case signalAborted(CallID, AbortReason)

    /// A document stopped being fully active: its frame was removed, the page left or went into the cache, or loading
    /// was stopped (HTML, "fully active"). With a page go the documents in its frames, each by an event of its own.
    case documentInactive(DocumentID)

    /// The platform answered with a protocol and a response in UTF-8 JSON.
    case platformAnswered(CallID, protocol: String, response: [UInt8])

    /// The platform ended the request without a response. What it adds for developers becomes part of the exception's
    /// message; a browser of real people must drop it where it tells what they have.
    case platformFailed(CallID, PlatformError, detail: String? = nil)
  }

  /// What the mediator wants done.
  public enum Effect: Hashable, Sendable {
    /// Consume the user activation of the calling window (HTML, "consume user activation").
    case consumeActivation(CallID)

    /// Show the platform's chooser for these requests and wait (Digital Credentials, "Initiate the credential
    /// request").
    case present(CallID, CredentialRequestContext)

    /// Take the platform's chooser away (Digital Credentials, "Abort the credential request"). Its success is not
    /// waited for.
    case dismiss(CallID)

    /// Resolve the call's promise. Without a credential the promise yields `null`, which happens only when the
    /// platform has no chooser.
    case resolve(CallID, DigitalCredential?)

    /// Reject the call's promise.
    case reject(CallID, CredentialRequestException)

    /// Write a warning to the page's console; script does not see it.
    case warn(CallID, String)
  }
}
