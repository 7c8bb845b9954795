import Foundation
import Vocabulary

/// Files on the person's device that a scenario can upload.
public enum SampleFile: String, CaseIterable, Sendable {
  /// A picture of an ID.
  case scan
  /// A picture of an ID that the device states to be a JPEG.
  case mislabeled = "mislabeled-scan"
  /// A text document.
  case text = "text-file"
  /// A file without content.
  case empty = "empty-file"

  /// The file.
  public var file: UploadedFile {
    switch self {
    case .scan: UploadedFile(name: "drivers-license.png", mediaType: "image/png", bytes: Self.picture)
    case .mislabeled: UploadedFile(name: "drivers-license.jpg", mediaType: "image/jpeg", bytes: Self.picture)
    case .text: UploadedFile(name: "notes.txt", mediaType: "text/plain", bytes: Array("Bring the license.\n".utf8))
    case .empty: UploadedFile(name: "unfinished.png", mediaType: "image/png", bytes: [])
    }
  }

  /// A card with a portrait and lines of text, drawn for this project: 86 by 54 pixels in PNG.
  private static let base64 = """
    iVBORw0KGgoAAAANSUhEUgAAAFYAAAA2AgMAAAAgzIY+AAAADFBMVEX28+ozOkovXYrIj2p3L1jeAAAAiklEQVR42mMIxQYCGBwYsAAB2gpzrY
    KDFXQSHjBfrkAX5gAzOHAJI+KGgDAPVkOY/3/AJsz//w82Yfv//0kWhqccmPD///8PYBEmx2xi3Y3Dl5AwQQoprCFIwGyqBBUkTHAIw50BFWYG
    Cn/AKYxuCD9Q+A/RwkD3/f9PrDAXSPT/C3pmEpKEsRdhADgtpstU6g5KAAAAAElFTkSuQmCC
    """

  private static let picture = [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
}
