import CBOR
import Crypto
import MobileDocument
import Primitives
import TestSupport

/// Returns whether an element value is the one that a vector prints.
func isPrinted(_ value: CBORValue, _ printed: JSON) -> Bool {
  switch value {
  case .text(let text): return printed.text == text
  case .boolean(let flag): return printed.boolean == flag
  case .unsigned(let number): return printed.number == Double(number)
  case .bytes(let bytes):
    return printed["bstr_len"]?.number == Double(bytes.count)
      && printed["sha256"]?.text == hexadecimal(SHA256.hash(data: bytes))
  case .tagged(let tag, .text(let text)):
    return printed["tag"]?.number == Double(tag) && printed["value"]?.text == text
  case .array(let items):
    guard let wanted = printed.array, wanted.count == items.count else { return false }
    return zip(items, wanted).allSatisfy(isPrinted)
  case .map(let entries):
    guard let wanted = printed.object, wanted.count == entries.count else { return false }
    return entries.allSatisfy { entry in
      guard case .text(let key) = entry.key, let member = wanted[key] else { return false }
      return isPrinted(entry.value, member)
    }
  default: return false
  }
}

/// Returns whether a request has the documents, elements and intents that a vector prints.
func asksAsPrinted(_ requests: [ItemsRequest], _ documents: JSON?) -> Bool {
  guard let documents = documents?.array, documents.count == requests.count else { return false }
  return zip(requests, documents).allSatisfy { request, printed in
    guard let nameSpaces = printed["elements"]?.object else { return false }
    return request.documentType == printed["docType"]?.text && request.nameSpaces.count == nameSpaces.count
      && request.nameSpaces.allSatisfy { space in
        guard let elements = nameSpaces[space.name]?.object, elements.count == space.elements.count else {
          return false
        }
        return space.elements.allSatisfy { elements[$0.identifier]?.boolean == $0.intentToRetain }
      }
  }
}
