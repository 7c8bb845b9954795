import COSE
import Crypto
import Foundation
import Proximity
import TestSupport

/// The known answers of other implementations, and of an independent program, for presentation in person.
enum Known {
  /// The entries of a list in a file, each with a name for messages.
  static func entries(_ list: String = "vectors", of file: String) throws -> [Entry] {
    let all = try Vectors.proximityFile(file)[list]?.array ?? []
    guard !all.isEmpty else { throw MissingAnswer(description: "\(file) has no \(list)") }
    return all.enumerated().map { Entry(json: $1, name: $1["id"]?.text ?? "\(list)[\($0)]") }
  }

  /// The entry of a file with an identifier.
  static func entry(_ identifier: String, of file: String) throws -> Entry {
    guard let entry = try entries(of: file).first(where: { $0.name == identifier }) else {
      throw MissingAnswer(description: "\(file) has no entry \(identifier)")
    }
    return entry
  }

  /// A whole file as one entry.
  static func file(_ file: String) throws -> Entry { Entry(json: try Vectors.proximityFile(file), name: file) }

  /// The bytes of an entry of Annex D.
  static func annexD(_ identifier: String) throws -> [UInt8] {
    try Vectors.entry(identifier, of: "iso18013_5_annex_d.json").bytes("hex")
  }

  /// An object of a file.
  struct Entry: CustomStringConvertible {
    let json: JSON
    let name: String

    var description: String { name }

    subscript(member: String) -> JSON? { json[member] }

    func text(_ member: String) throws -> String {
      guard let text = json[member]?.text else { throw MissingAnswer(description: "\(name) has no text \(member)") }
      return text
    }

    func number(_ member: String) throws -> Int {
      guard let number = json[member]?.number else {
        throw MissingAnswer(description: "\(name) has no number \(member)")
      }
      return Int(number)
    }

    func bytes(_ member: String) throws -> [UInt8] {
      guard let bytes = Hex.decode(try text(member)) else {
        throw MissingAnswer(description: "\(member) of \(name) is not hexadecimal")
      }
      return bytes
    }

    func object(_ member: String) throws -> Entry {
      guard let object = json[member], object.object != nil else {
        throw MissingAnswer(description: "\(name) has no object \(member)")
      }
      return Entry(json: object, name: "\(name).\(member)")
    }

    func list(_ member: String) throws -> [Entry] {
      guard let list = json[member]?.array else { throw MissingAnswer(description: "\(name) has no list \(member)") }
      return list.enumerated().map { Entry(json: $1, name: "\(name).\(member)[\($0)]") }
    }

    /// The bytes of a list of hexadecimal texts.
    func listOfBytes(_ member: String) throws -> [[UInt8]] {
      try list(member).map { entry in
        guard let bytes = entry.json.text.flatMap(Hex.decode) else {
          throw MissingAnswer(description: "\(entry.name) is not hexadecimal")
        }
        return bytes
      }
    }

    func privateKey(_ member: String) throws -> EphemeralPrivateKey {
      .p256(try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(member)))
    }
  }
}

/// Returns the code with which a reader refuses its input, or nil if it accepts it.
func refusal(_ body: () throws -> Void) -> ProximityError.Code? { refusal(ProximityError.self, body) }

/// A member that a test expects in a file of known answers and that is missing.
struct MissingAnswer: Error, CustomStringConvertible {
  let description: String
}
