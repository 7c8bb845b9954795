import DigitalCredentials
import Foundation

extension ExchangeFile {
  /// The file as it has to be in another folder: relative names in `trustedIssuers` lead to the same files from there.
  ///
  /// The names are changed and nothing is copied in, since a file may name any other of the machine and is about to be
  /// handed on.
  /// - Parameters:
  ///   - old: the folder that it was read from.
  ///   - new: the folder that it will be written to.
  public func moved(from old: URL, to new: URL) -> ExchangeFile {
    let (old, new) = (
      old.resolvingSymlinksInPath().standardizedFileURL, new.resolvingSymlinksInPath().standardizedFileURL
    )
    guard old.path != new.path, case .array(let elements)? = root["trustedIssuers"]?.value else { return self }
    return setting(
      "trustedIssuers",
      to: .array(
        elements.map { element in
          guard let name = element.text, Self.isRelativeName(name) else { return element }
          return .string(Self.path(of: old.appendingPathComponent(name).standardizedFileURL, from: new))
        }))
  }

  private static func isRelativeName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("-----BEGIN") && !text.hasPrefix("/")
  }

  private static func path(of file: URL, from folder: URL) -> String {
    let (file, folder) = (file.pathComponents, folder.pathComponents)
    let shared = zip(file, folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - shared)
    return (up + file.dropFirst(shared)).joined(separator: "/")
  }
}
