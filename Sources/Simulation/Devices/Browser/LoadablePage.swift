import DigitalCredentials
import Messaging
import Vocabulary

/// A website's page as a browser loads it: the documents with their parties.
package struct LoadablePage: Sendable {
  /// A frame of the page.
  package struct Frame: Sendable {
    package let name: String
    package let party: Party
    /// The website whose script runs in the frame.
    package let website: String
    let source: DocumentSource
    let attributes: FrameAttributes
    let container: String?
  }

  package let website: String
  let origin: Origin
  package let party: Party
  let source: DocumentSource
  let isKept: Bool
  package let frames: [Frame]

  /// The page of a website on a device.
  package init(_ website: WorldDescription.Website, on device: String, in world: WorldDescription) {
    self.website = website.identifier
    origin = website.origin
    party = Party.page(of: website.identifier, on: device)
    source = website.document
    isKept = website.page.isKept
    frames = website.page.frames.map { frame in
      let shown = frame.website.flatMap { name in world.websites.first { $0.identifier == name } } ?? website
      return Frame(
        name: frame.name,
        party: Party.page(of: shown.identifier, inFrame: frame.name, of: website.identifier, on: device),
        website: shown.identifier, source: frame.document(of: shown),
        attributes: FrameAttributes(allow: frame.allow, sandbox: frame.sandbox.map { SandboxTokens($0) }),
        container: frame.container)
    }
  }
}

extension WorldDescription.Website {
  /// The content of the page with its headers.
  fileprivate var document: DocumentSource {
    DocumentSource(
      .url(origin), contentSecuritySandbox: page.sandbox.map { SandboxTokens($0) },
      permissionsPolicy: page.permissionsPolicy)
  }
}

extension WorldDescription.Website.Frame {
  /// The content of the frame. Only a document from an address has headers.
  fileprivate func document(of website: WorldDescription.Website) -> DocumentSource {
    switch source {
    case .url: website.document
    case .srcdoc: DocumentSource(.srcdoc)
    case .blob: DocumentSource(.blob)
    case .data: DocumentSource(.data)
    }
  }
}
