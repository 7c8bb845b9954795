import Foundation
import Synchronization

/// Known answers of other implementations. They are not part of the project: tests that require a file of them are
/// skipped where it is missing.
public enum Vectors {
  /// A Boolean value that is true if the folder of the vectors exists.
  public static let areHere: Bool = {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) && isFolder.boolValue
  }()

  /// The folder that the environment names, or nil if it names none.
  public static let namedFolder: URL? = ProcessInfo.processInfo.environment["PRESENTMENT_VECTORS"].flatMap {
    $0.isEmpty ? nil : URL(fileURLWithPath: $0)
  }

  /// The folder of the vectors: the one that the environment names, else the one beside the package, else the one that
  /// `make vectors` writes.
  public static let folder: URL = {
    if let namedFolder { return namedFolder }
    let shared = Programs.package.appendingPathComponent("../shared/vectors").standardizedFileURL
    if FileManager.default.fileExists(atPath: shared.path) { return shared }
    return Programs.package.appendingPathComponent(".build/vectors/vectors")
  }()

  /// The names of all files of vectors, without their extension.
  public static let names = [
    "age_over", "annex_c_dcapi", "cbor_rfc8949", "certificates", "cose", "device_requests", "device_responses",
    "ecdsa_p256_p1363", "hpke_p256_sha256_aes128gcm", "iso18013_5_annex_d", "issuer_signed", "request_validation",
    "session_transcripts", "status_lists", "synthetic_annex_c",
  ]

  /// Returns whether a file of vectors exists.
  /// - Parameter name: Its path in the folder, without the extension of a JSON file.
  public static func has(_ name: String) -> Bool {
    let file = name.contains(".") ? name : "\(name).json"
    return FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path)
  }

  /// The folder of the vectors for requests across devices: beside the folder of the others.
  public static let hybridFolder: URL =
    folder.deletingLastPathComponent().appendingPathComponent("hybrid-vectors")

  /// A Boolean value that is true if the folder of the vectors for requests across devices exists.
  public static let hybridAreHere = FileManager.default.fileExists(atPath: hybridFolder.path)

  /// The folder of the vectors for presentation in person: beside the folder of the others.
  public static let proximityFolder: URL =
    folder.deletingLastPathComponent().appendingPathComponent("proximity-vectors")

  /// A Boolean value that is true if the folder of the vectors for presentation in person exists.
  public static let proximityAreHere = FileManager.default.fileExists(atPath: proximityFolder.path)

  /// The folder of the vectors for OpenID4VP: beside the folder of the others.
  public static let openID4VPFolder: URL =
    folder.deletingLastPathComponent().appendingPathComponent("openid4vp-vectors")

  /// A Boolean value that is true if the folder of the vectors for OpenID4VP exists.
  public static let openID4VPAreHere = FileManager.default.fileExists(atPath: openID4VPFolder.path)

  private static let read = Mutex<[String: JSON]>([:])

  /// Returns a whole file, read once.
  /// - Throws: An error if the file is missing or is not JSON.
  public static func file(_ name: String) throws -> JSON { try file(folder.appendingPathComponent(name)) }

  /// Returns a whole file of the vectors for requests across devices, read once.
  /// - Throws: An error if the file is missing or is not JSON.
  public static func hybridFile(_ name: String) throws -> JSON { try file(hybridFolder.appendingPathComponent(name)) }

  /// Returns a whole file of the vectors for presentation in person, read once.
  /// - Throws: An error if the file is missing or is not JSON.
  public static func proximityFile(_ name: String) throws -> JSON {
    try file(proximityFolder.appendingPathComponent(name))
  }

  private static func file(_ place: URL) throws -> JSON {
    try read.withLock { read in
      if let known = read[place.path] { return known }
      let file = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: place))
      read[place.path] = file
      return file
    }
  }

  /// Returns the entries of a file, for the arguments of a test. Empty if the vectors are missing.
  public static func entries(of name: String) -> [Vector] {
    guard areHere, let file = try? file(name), let entries = file["vectors"]?.array else { return [] }
    return entries.map { Vector($0) }
  }

  /// Returns the entry of a file with an identifier.
  /// - Throws: ``MissingMember`` if the file has no such entry.
  public static func entry(_ identifier: String, of name: String) throws -> Vector {
    guard let entry = entries(of: name).first(where: { $0.identifier == identifier }) else {
      throw MissingMember(description: "\(name) has no entry \(identifier)")
    }
    return entry
  }
}

/// An object of a file of vectors, printed as its identifier.
public struct Vector: Sendable, CustomStringConvertible {
  /// The whole object.
  public let json: JSON
  /// The object's `id`, or its place.
  public let identifier: String

  /// Creates an object of a file.
  /// - Parameter place: The identifier of an object without an `id`.
  public init(_ json: JSON, at place: String = "(no id)") {
    self.json = json
    identifier = json["id"]?.text ?? place
  }

  /// The identifier.
  public var description: String { identifier }

  /// Returns a member of the object.
  public subscript(name: String) -> JSON? { json[name] }

  private func member<Value>(_ name: String, _ kind: String, _ value: Value?) throws -> Value {
    guard let value else { throw MissingMember(description: "\(identifier) has no \(kind) \(name)") }
    return value
  }

  /// Returns a text member.
  /// - Throws: ``MissingMember`` if the object has no such text.
  public func text(_ name: String) throws -> String { try member(name, "text", json[name]?.text) }

  /// Returns a number member.
  /// - Throws: ``MissingMember`` if the object has no such number.
  public func number(_ name: String) throws -> Int { Int(try member(name, "number", json[name]?.number)) }

  /// Returns the bytes of a hexadecimal member.
  /// - Throws: ``MissingMember`` if the object has no such member or it is not hexadecimal.
  public func bytes(_ name: String) throws -> [UInt8] {
    try member(name, "hexadecimal", Hex.decode(try text(name)))
  }

  /// Returns an object member.
  /// - Throws: ``MissingMember`` if the object has no such object.
  public func object(_ name: String) throws -> Vector {
    let object = try member(name, "object", json[name])
    _ = try member(name, "object", object.object)
    return Vector(object, at: "\(identifier).\(name)")
  }

  /// Returns the entries of a list member.
  /// - Throws: ``MissingMember`` if the object has no such list.
  public func list(_ name: String) throws -> [Vector] {
    try member(name, "list", json[name]?.array).enumerated().map { Vector($1, at: "\(identifier).\(name)[\($0)]") }
  }

  /// Returns the entries of a list member that has some.
  /// - Throws: ``MissingMember`` if the object has no such list or it is empty.
  public func entries(_ name: String) throws -> [Vector] {
    let entries = try list(name)
    return try member(name, "entries of", entries.isEmpty ? nil : entries)
  }

  /// Returns the bytes of a list of hexadecimal texts.
  /// - Throws: ``MissingMember`` if the object has no such list.
  public func listOfBytes(_ name: String) throws -> [[UInt8]] {
    try list(name).map { try member(name, "hexadecimal", $0.json.text.flatMap(Hex.decode)) }
  }
}

/// A member that a test expects in a vector and that is missing.
public struct MissingMember: Error, CustomStringConvertible {
  /// The member and the object.
  public let description: String

  /// Creates the error.
  public init(description: String) { self.description = description }
}
