import CBOR
import MobileDocument

/// What a request asks, out of words or out of another request.
public enum RequestedElements {
  /// A request for one document from elements written as `NAMESPACE:IDENTIFIER`, with `:retain` behind those that the
  /// requester will keep.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.element`.
  public static func items(documentType: String, elements: [String]) throws(ExchangeFileError) -> ItemsRequest {
    guard !documentType.isEmpty else { throw ExchangeFileError(.element, "--document-type", "it is empty") }
    guard !elements.isEmpty else { throw ExchangeFileError(.element, "--element", "no element is asked for") }
    var spaces: [(name: String, elements: [ItemsRequest.Element])] = []
    for text in elements {
      let (nameSpace, element) = try parse(text)
      let place = spaces.firstIndex { $0.name == nameSpace } ?? spaces.endIndex
      if place == spaces.endIndex { spaces.append((nameSpace, [])) }
      guard !spaces[place].elements.contains(where: { $0.identifier == element.identifier }) else {
        throw ExchangeFileError(.element, "--element", "\(text) is asked for twice")
      }
      spaces[place].elements.append(element)
    }
    return ItemsRequest(
      documentType: documentType, nameSpaces: spaces.map { ItemsRequest.NameSpace($0.name, $0.elements) })
  }

  private static func parse(_ text: String) throws(ExchangeFileError) -> (String, ItemsRequest.Element) {
    let mark = ":retain"
    // An element may itself be called retain.
    let isRetained = text.hasSuffix(mark) && text.dropLast(mark.count).contains(":")
    let name = isRetained ? text.dropLast(mark.count) : Substring(text)
    guard let colon = name.lastIndex(of: ":"), colon > name.startIndex, name.index(after: colon) < name.endIndex else {
      throw ExchangeFileError(
        .element, "--element",
        "\(text) is not written as NAMESPACE:IDENTIFIER or NAMESPACE:IDENTIFIER:retain")
    }
    let identifier = String(name[name.index(after: colon)...])
    return (String(name[..<colon]), ItemsRequest.Element(identifier, intentToRetain: isRetained))
  }

  /// What another request asks: an exchange file, a page's JSON, or a bare `DeviceRequest` in CBOR or base64url.
  /// - Parameter name: the file's name, for errors.
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
        throw ExchangeFileError(.content, name, "it is no device request that can be read: \(error)")
      }
    }
  }
}
