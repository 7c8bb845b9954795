import Foundation
import MobileDocument

/// The server's configuration: a file of JSON. Its paths are relative to its folder.
struct Configuration: Decodable, Sendable {
  /// Where the server listens, `HOST:PORT`. Port 0 takes a free one.
  var address: String
  /// The origins of the pages that may ask, as browsers write them.
  var origins: [String]
  /// The documents that the pages ask for.
  var asks: [Document]
  var sessions: Sessions
  var roots: Roots
  /// A folder with a file for each reader key: the key and its certificates in PEM, leaf first. None signs nothing.
  var readers: String?
  /// How often roots, lists and reader keys are read again, and expired sessions are deleted.
  var refreshSeconds: Int64 = 60
  /// False in production.
  var acceptsTestDocuments: Bool = false
  /// An address that `https://` of status lists is replaced by, for `presentment test-verifier`.
  var statusListProxy: String?

  struct Document: Decodable, Sendable {
    var documentType: String
    /// The elements by name space.
    var elements: [String: Elements]

    struct Elements: Decodable, Sendable {
      /// Those that you keep. The person sees it before they agree.
      var retained: [String]
      /// Those that you only look at.
      var shown: [String]
    }
  }

  struct Sessions: Decodable, Sendable {
    var file: String
    /// A file of 32 random bytes, which encrypts the sessions.
    var key: String
    /// The time that a person has for an answer.
    var seconds: Int64
  }

  struct Roots: Decodable, Sendable {
    /// A folder of certificates in PEM.
    var folder: String?
    /// Lists of issuing authorities, with the roots of their providers in PEM.
    var lists: [List]?

    struct List: Decodable, Sendable {
      var file: String
      var providers: String
    }
  }

  private enum CodingKeys: CodingKey {
    case address, origins, asks, sessions, roots, readers, refreshSeconds, acceptsTestDocuments, statusListProxy
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    address = try values.decode(String.self, forKey: .address)
    origins = try values.decode([String].self, forKey: .origins)
    asks = try values.decode([Document].self, forKey: .asks)
    sessions = try values.decode(Sessions.self, forKey: .sessions)
    roots = try values.decode(Roots.self, forKey: .roots)
    readers = try values.decodeIfPresent(String.self, forKey: .readers)
    refreshSeconds = try values.decodeIfPresent(Int64.self, forKey: .refreshSeconds) ?? refreshSeconds
    acceptsTestDocuments = try values.decodeIfPresent(Bool.self, forKey: .acceptsTestDocuments) ?? false
    statusListProxy = try values.decodeIfPresent(String.self, forKey: .statusListProxy)
  }

  init(file: URL) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path, relativeTo: file).path }
    sessions.file = absolute(sessions.file)
    sessions.key = absolute(sessions.key)
    readers = readers.map(absolute)
    roots.folder = roots.folder.map(absolute)
    roots.lists = roots.lists?.map { Roots.List(file: absolute($0.file), providers: absolute($0.providers)) }
  }

  /// The request of every page.
  var draft: DeviceRequestDraft {
    DeviceRequestDraft(
      documents: asks.map { document in
        ItemsRequest(
          documentType: document.documentType,
          nameSpaces: document.elements.sorted { $0.key < $1.key }.map { name, elements in
            ItemsRequest.NameSpace(
              name,
              elements.retained.map { ItemsRequest.Element($0, intentToRetain: true) }
                + elements.shown.map { ItemsRequest.Element($0, intentToRetain: false) })
          })
      })
  }
}

/// The files of a folder in the order of their names.
func files(in folder: String, _ suffix: String) throws -> [URL] {
  try FileManager.default.contentsOfDirectory(at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil)
    .filter { $0.lastPathComponent.hasSuffix(suffix) }.sorted { $0.path < $1.path }
}
