import Foundation

/// The names in a folder, with those that are not UTF-8, which Foundation leaves out.
public struct FolderListing: Sendable {
  /// A name that is not UTF-8. No path can be made of it.
  public struct UnusableName: Sendable {
    /// The name with its bytes escaped.
    public let shown: String
    /// False for a regular file.
    public let canBeFolder: Bool
  }

  /// The names, in their order.
  public let names: [String]
  /// The names that are not UTF-8, in their order.
  public let unusable: [UnusableName]

  /// Lists a folder. Returns nil if it cannot be read.
  public init?(of folder: String) {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    var unusable: [UnusableName] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if let name = String(validating: bytes, as: UTF8.self) {
        if name != ".", name != ".." { names.append(name) }
        continue
      }
      var status = stat()
      let isKnown = (bytes + [0]).withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { name in
          name.baseAddress.map { fstatat(dirfd(stream), $0, &status, 0) == 0 } ?? false
        }
      }
      unusable.append(
        UnusableName(shown: Self.escaped(bytes), canBeFolder: !isKnown || status.st_mode & S_IFMT != S_IFREG))
    }
    guard errno == 0 else { return nil }
    self.names = names.sorted()
    self.unusable = unusable.sorted { $0.shown < $1.shown }
  }

  /// A text of bytes in which those that are not UTF-8 are escaped.
  public static func escaped(_ bytes: some Collection<UInt8>) -> String {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var rest = bytes[...]
    var text = ""
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        text += String(decoding: scalar, as: UTF8.self)
        rest = rest.dropFirst(scalar.count)
      case .error(let length):
        for byte in rest.prefix(length) {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        rest = rest.dropFirst(length)
      case .emptyInput: return text
      }
    }
  }
}
