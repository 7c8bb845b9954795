import CBOR
import Crypto
import MobileDocument
import Primitives
import WebPresentment

/// The inputs of the session transcript of an mdoc presentation with OpenID4VP (OpenID4VP, B.2.6.2), and other known values
/// that a wallet may have used instead.
public struct OpenID4VPTranscriptInputs: Sendable {
  /// The serialized origin of the page.
  public let origin: String
  /// The nonce of the request.
  public let nonce: String
  /// The thumbprint of the key that the response is encrypted to; nil for a plain response.
  public let thumbprint: [UInt8]?
  /// The client identifiers of a signed request.
  public var clientIDs: [String] = []
  /// The text of `EncryptionInfo` in the same call, if the page asks with annex C too.
  public var encryptionInfoText: String?
  /// Other origins and addresses that the page has to do with.
  public var surroundings = TranscriptInputs.Surroundings()
  /// Other requests of the same server, the newest first, each with the name of its session.
  public var others: [Other] = []

  /// Another request with OpenID4VP: another entry of the same call, or of another session.
  public struct Other: Sendable {
    /// The name of the request: the identifier of its session, or its protocol.
    public let name: String
    /// The origin.
    public let origin: String
    /// The nonce.
    public let nonce: String
    /// The thumbprint of its key; nil for a plain response.
    public let thumbprint: [UInt8]?

    /// Creates a request.
    public init(name: String, origin: String, nonce: String, thumbprint: [UInt8]?) {
      self.name = name
      self.origin = origin
      self.nonce = nonce
      self.thumbprint = thumbprint
    }

    fileprivate var transcript: [UInt8] {
      OtherHandovers.openID4VP(origin: origin, nonce: nonce, thumbprint: thumbprint)
    }
  }

  /// Creates inputs from their parts.
  public init(origin: String, nonce: String, thumbprint: [UInt8]?) {
    self.origin = origin
    self.nonce = nonce
    self.thumbprint = thumbprint
  }

  /// The transcript that is right.
  public var sessionTranscript: SessionTranscript {
    SessionTranscript(encoded: OtherHandovers.openID4VP(origin: origin, nonce: nonce, thumbprint: thumbprint))
  }

  /// The client identifiers of the request, and those that the origin and its host can have.
  fileprivate var possibleClientIDs: [String] {
    clientIDs + ["web-origin:\(origin)"] + (OriginParts(origin).map { ["x509_san_dns:\($0.host)", $0.host] } ?? [])
  }

  /// `OpenID4VPDCAPIHandoverInfo`, with other items in place of its own.
  fileprivate func info(origin: CBORValue? = nil, nonce: CBORValue? = nil, thumbprint: CBORValue? = nil) -> [UInt8] {
    CBORValue.array([
      origin ?? .text(self.origin), nonce ?? .text(self.nonce),
      thumbprint ?? self.thumbprint.map(CBORValue.bytes) ?? .null,
    ]).encoded
  }
}

/// A wrong way to make the session transcript of an mdoc presentation with OpenID4VP, in the order in which they are tried.
/// Mistakes that annex C has too are ``TranscriptVariant``.
public enum OpenID4VPTranscriptVariant: String, KnownMistake {
  case annexC = "transcript.annex-c"
  case audience = "transcript.openid4vp.audience"
  case clientID = "transcript.openid4vp.client-id"
  case thumbprintMissing = "transcript.openid4vp.thumbprint-missing"
  case thumbprintOfPlain = "transcript.openid4vp.thumbprint-of-plain"
  case thumbprintForm = "transcript.openid4vp.thumbprint-form"
  case nonceForm = "transcript.openid4vp.nonce-form"
  case infoForm = "transcript.openid4vp.info-form"
  case anotherEntry = "transcript.openid4vp.another-request"

  /// A human-readable description of the variant.
  public var message: String {
    switch self {
    case .annexC: "the handover of annex C instead of the one of OpenID4VP"
    case .audience: "the audience of a key binding JWT, with \"origin:\", instead of the origin"
    case .clientID: "the client identifier instead of the origin"
    case .thumbprintMissing: "null instead of the thumbprint of the key, as for a plain response"
    case .thumbprintOfPlain: "a thumbprint instead of null, although the response is plain"
    case .thumbprintForm: "the thumbprint in another form than its 32 bytes"
    case .nonceForm: "the nonce as bytes instead of the text"
    case .infoForm: "the handover's information in another form than its SHA-256"
    case .anotherEntry: "the transcript of another request of the same website"
    }
  }

  /// The transcripts of this variant with these inputs; none when it changes nothing or an input is not known.
  public func transcripts(from inputs: OpenID4VPTranscriptInputs) -> [DescribedTranscript] {
    let right = inputs.sessionTranscript.encoded
    return candidates(from: inputs).filter { $0.transcript.encoded != right }
  }

  private func candidates(from inputs: OpenID4VPTranscriptInputs) -> [DescribedTranscript] {
    func hashed(_ info: [UInt8], _ field: String, _ expected: String, _ found: String) -> DescribedTranscript {
      DescribedTranscript(self, OtherHandovers.dcAPI(digest: TranscriptParts.digest(info)), field, expected, found)
    }
    func texts(_ texts: [String], of field: String) -> [DescribedTranscript] {
      texts.map { hashed(inputs.info(origin: .text($0)), field, inputs.origin, $0) }
    }
    switch self {
    case .annexC:
      return inputs.encryptionInfoText.map {
        let info = TranscriptInputs(encryptionInfoText: $0, origin: inputs.origin)
        return [
          DescribedTranscript(
            self, info.sessionTranscript.encoded, "handover", #"["OpenID4VPDCAPIHandover", …]"#, #"["dcapi", …]"#)
        ]
      } ?? []
    case .audience: return texts(["origin:\(inputs.origin)"], of: "origin")
    case .clientID: return texts(inputs.possibleClientIDs, of: "origin")
    case .thumbprintMissing:
      guard inputs.thumbprint != nil else { return [] }
      return [hashed(inputs.info(thumbprint: .null), "thumbprint", "32 bytes", "null")]
    case .thumbprintOfPlain:
      guard inputs.thumbprint == nil else { return [] }
      return inputs.others.compactMap(\.thumbprint).uniqued().map {
        hashed(inputs.info(thumbprint: .bytes($0)), "thumbprint", "null", hexadecimal($0))
      } + [hashed(inputs.info(thumbprint: .bytes([])), "thumbprint", "null", "no bytes")]
    case .thumbprintForm:
      guard let thumbprint = inputs.thumbprint else { return [] }
      return [
        (Base64URL.encode(thumbprint), "base64url"), (hexadecimal(thumbprint), "hexadecimal"),
      ].map { text, form in
        hashed(inputs.info(thumbprint: .text(text)), "thumbprint", "32 bytes", "a text in \(form)")
      }
    case .nonceForm:
      let decoded = Base64URL.decode(inputs.nonce).map { [($0, "decoded from base64url")] } ?? []
      return ([(Array(inputs.nonce.utf8), "its characters")] + decoded).map { bytes, form in
        hashed(inputs.info(nonce: .bytes(bytes)), "nonce", "a text", "\(bytes.count) bytes, \(form)")
      }
    case .infoForm:
      let info = inputs.info()
      return [
        hashed(TranscriptParts.byteString(info), "digest", "of the array", "of a byte string with the array"),
        hashed(TranscriptParts.embedded(info), "digest", "of the array", "of tag 24 with the array"),
        DescribedTranscript(self, OtherHandovers.dcAPI(item: info), "handover", "the digest of the array", "the array"),
        DescribedTranscript(
          self, OtherHandovers.dcAPI(item: TranscriptParts.byteString(info)), "handover", "the digest of the array",
          "a byte string with the array"),
      ]
    case .anotherEntry:
      return inputs.others.map { other in
        DescribedTranscript(self, other.transcript, "request", "this one", TerminalSafe.text(other.name))
      }
    }
  }
}

extension OpenID4VPTranscriptInputs {
  /// The transcripts of every mistake in the order in which they are tried: those of the origin that annex C has too, those of
  /// this protocol, the handovers of other protocols, and those of the transcript around it.
  var wrongTranscripts: [DescribedTranscript] {
    let origins = TranscriptVariant.allCases.flatMap { variant in
      variant.otherOrigins(than: origin, surroundings: surroundings).map { text in
        DescribedTranscript(
          variant, OtherHandovers.openID4VP(origin: text, nonce: nonce, thumbprint: thumbprint), "origin", origin,
          text.isEmpty ? "an empty text" : text)
      }
    }
    let own = OpenID4VPTranscriptVariant.allCases.flatMap { $0.transcripts(from: self) }
    let right = sessionTranscript.encoded
    var seen: Set<[UInt8]> = [right]
    return (origins + own + otherProtocols + around(right)).filter { seen.insert($0.transcript.encoded).inserted }
  }

  private var otherProtocols: [DescribedTranscript] {
    let clients = possibleClientIDs.uniqued()
    let addresses = TranscriptVariant.commonResponsePaths.map { origin + $0 }
    let right = #"["OpenID4VPDCAPIHandover", SHA-256 of [origin, nonce, thumbprint]]"#
    let drafts = clients.map { client in
      DescribedTranscript(
        TranscriptVariant.openID4VPDraft, OtherHandovers.openID4VPDraft(origin: origin, client: client, nonce: nonce),
        "handover", right, #"["OpenID4VPDCAPIHandover", SHA-256 of [origin, client_id, nonce]]"#)
    }
    let redirects = clients.flatMap { client in
      addresses.flatMap { address in
        [
          DescribedTranscript(
            TranscriptVariant.openID4VPRedirect,
            OtherHandovers.openID4VPRedirect(
              client: client, nonce: nonce, thumbprint: thumbprint, responseAddress: address),
            "handover", right, #"["OpenID4VPHandover", …]"#),
          DescribedTranscript(
            TranscriptVariant.annexB,
            OtherHandovers.annexB(client: client, responseAddress: address, nonce: nonce, walletNonce: ""), "handover",
            right, "[client digest, response address digest, nonce]"),
        ]
      }
    }
    return drafts + redirects
  }

  private func around(_ right: [UInt8]) -> [DescribedTranscript] {
    func whole(_ variant: TranscriptVariant, _ encoded: [UInt8], _ found: String) -> DescribedTranscript {
      DescribedTranscript(variant, encoded, "session transcript", "[null, null, Handover]", found)
    }
    return [
      whole(.tagged, TranscriptParts.embedded(right), "24(<< [null, null, Handover] >>)"),
      whole(.byteString, TranscriptParts.byteString(right), "<< [null, null, Handover] >>"),
      whole(.hashed, TranscriptParts.byteString(TranscriptParts.digest(right)), "its SHA-256, 32 bytes"),
      whole(.absent, TranscriptParts.null, "nothing"),
    ]
  }
}
