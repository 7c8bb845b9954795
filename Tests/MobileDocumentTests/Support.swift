import CBOR
import Certificates
import Crypto
import Foundation
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

/// A moment that a test wrote as text.
func moment(_ text: String) throws -> DateTime { try #require(DateTime.parse(text)).moment }

/// A day that a test wrote as text.
func day(_ text: String) throws -> FullDate { try #require(FullDate(text)) }

/// A private key that never changes.
func fixedKey(_ number: UInt8) throws -> P256.Signing.PrivateKey {
  try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: number, count: 32))
}

/// A certificate of a vector.
func certificate(_ der: [UInt8]) throws -> Certificate { try Certificate(derEncoded: der) }

extension VerificationReport {
  /// The codes that failed, in order.
  var failed: [String] { checks.filter { $0.status == .failed }.map(\.name) }
  /// The codes that deviate, in order.
  var deviating: [String] { checks.filter { $0.status == .deviates }.map(\.name) }
}

/// The code that reading a request is refused with; nil when it is not refused.
func refusal(_ body: () throws -> Void) -> DeviceRequestError.Code? {
  do {
    try body()
    return nil
  } catch let error as DeviceRequestError {
    return error.code
  } catch {
    Issue.record("refused without a code: \(error)")
    return nil
  }
}

/// Whether an element value is the one that a vector prints.
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

/// Whether a request asks for the documents that a vector prints, elements and intents included.
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
