import CBOR
import MobileDocument

/// The requested elements, from command-line options or from another request.
public enum RequestedElements {
  /// Returns a request for one document from elements of the form `NAMESPACE:IDENTIFIER`, with the suffix `:retain` for
  /// elements that the requester intends to retain.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.element`.
  public static func items(documentType: String, elements: [String]) throws(ExchangeFileError) -> ItemsRequest {
    guard !documentType.isEmpty else { throw ExchangeFileError(.element, "--document-type", "empty") }
    guard !elements.isEmpty else {
      throw ExchangeFileError(.element, "--element", "missing; request at least one element")
    }
    var spaces: [(name: String, elements: [ItemsRequest.Element])] = []
    for text in elements {
      let (nameSpace, element) = try parse(text)
      let place = spaces.firstIndex { $0.name == nameSpace } ?? spaces.endIndex
      if place == spaces.endIndex { spaces.append((nameSpace, [])) }
      guard !spaces[place].elements.contains(where: { $0.identifier == element.identifier }) else {
        throw ExchangeFileError(.element, "--element", "\(text) is requested twice")
      }
      spaces[place].elements.append(element)
    }
    return ItemsRequest(
      documentType: documentType, nameSpaces: spaces.map { ItemsRequest.NameSpace($0.name, $0.elements) })
  }

  private static func parse(_ text: String) throws(ExchangeFileError) -> (String, ItemsRequest.Element) {
    let mark = ":retain"
    // The name of an element may be "retain".
    let isRetained = text.hasSuffix(mark) && text.dropLast(mark.count).contains(":")
    let name = isRetained ? text.dropLast(mark.count) : Substring(text)
    guard let colon = name.lastIndex(of: ":"), colon > name.startIndex, name.index(after: colon) < name.endIndex else {
      throw ExchangeFileError(
        .element, "--element",
        "'\(text)' is not of the form NAMESPACE:IDENTIFIER or NAMESPACE:IDENTIFIER:retain")
    }
    let identifier = String(name[name.index(after: colon)...])
    return (String(name[..<colon]), ItemsRequest.Element(identifier, intentToRetain: isRetained))
  }

  /// Returns the elements of another request: an exchange file, a page's JSON, or a `DeviceRequest` in CBOR or base64url.
  /// - Parameter name: The file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func like(
    _ bytes: [UInt8], name: String
  ) throws(ExchangeFileError) -> (documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase]) {
    switch try DocumentFile.Form(of: bytes, name: name) {
    case .json(let file):
      do {
        return try RequestTexts(anywhereIn: file).contents()
      } catch {
        throw error.inFile(name)
      }
    case .cbor(let encoded):
      do {
        let contents = try UnverifiedDeviceRequest(encoded).unverifiedContents()
        return (contents.documentRequests, contents.deviceRequestInfo?.useCases ?? [])
      } catch {
        throw ExchangeFileError(.content, name, "not a readable device request: \(error)")
      }
    }
  }
}
