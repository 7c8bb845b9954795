import Messaging

extension WorldDescription.Website {
  /// The document of a website's page: its headers, and its frames.
  public struct Page: Sendable, Equatable {
    /// The `Permissions-Policy` header; nil for a page without one.
    public var permissionsPolicy: String?
    /// The tokens of the directive `sandbox` in the `Content-Security-Policy` header; nil without the directive.
    public var sandbox: String?
    /// True if the browser keeps the page in its back/forward cache when the person leaves it.
    public var isKept = true
    /// The frames, also those within other frames. A frame comes after the one around it.
    public var frames: [Frame] = []

    /// The maximum number of frames: each has a script of its own, and no scenario needs more.
    public static let maximumFrames = 16

    /// A page without headers and frames.
    public init() {}
  }

  /// An `iframe` of a page. The script of a website's page runs in it.
  public struct Frame: Sendable, Equatable {
    /// The kinds of URLs that the document of a frame is loaded from.
    public enum Source: String, Sendable, CaseIterable {
      /// The address of a website.
      case url
      /// The attribute `srcdoc`.
      case srcdoc
      /// A `blob:` URL that the document around the frame made.
      case blob
      /// A `data:` URL.
      case data
    }

    /// The name, once in a page.
    public var name: String
    /// The website whose page is in the frame; nil for the website of the page itself.
    public var website: String?
    /// The kind of the document's URL.
    public var source = Source.url
    /// The attribute `allow`; nil without one.
    public var allow: String?
    /// The attribute `sandbox`; nil without one.
    public var sandbox: String?
    /// The frame around this one; nil for the page itself.
    public var container: String?

    /// A frame with the website's own page.
    public init(name: String) { self.name = name }
  }
}

extension WorldDescription.Website {
  /// The parties of the scripts in the frames of the page, in the order of the frames.
  ///
  /// - Parameter device: The device whose browser shows the page.
  public func frameParties(on device: String) -> [Party] {
    page.frames.map { Party.page(of: $0.website ?? identifier, inFrame: $0.name, of: identifier, on: device) }
  }
}
