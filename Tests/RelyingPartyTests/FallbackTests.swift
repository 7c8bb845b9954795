import Testing

@testable import RelyingParty

@Suite("The fallback form of a website")
struct FallbackTests {
  static let boundary = "form-boundary"
  static let type = MultipartForm.contentType(boundary: boundary)
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

  static func picture(_ bytes: [UInt8], _ type: String? = "image/png") -> MultipartForm {
    MultipartForm([
      MultipartForm.Part("session", bytes: Array("s-1".utf8)),
      MultipartForm.Part("picture", fileName: "a \"b\";\r\n.png", mediaType: type, bytes: bytes),
    ])
  }

  @Test("A form reads as it was written, with line breaks and dashes in its files")
  func roundTrip() throws {
    let form = Self.picture(Array("\r\n--form\r\n--\r\n".utf8) + [0, 255])
    #expect(MultipartForm(form.encoded(boundary: Self.boundary), contentType: Self.type) == form)
    #expect(form.text("session") == "s-1" && form.text("picture") == nil)
    let quoted = "Multipart/Form-Data; charset=utf-8; Boundary=\"\(Self.boundary)\""
    #expect(MultipartForm(form.encoded(boundary: Self.boundary), contentType: quoted) == form)
  }

  @Test(
    "Bytes that are not a form are refused",
    arguments: [
      ("", type), ("--form-boundary", type), ("--form-boundary\r\n", type), ("--form-boundary\r\n\r\n", type),
      ("--form-boundary\r\nContent-Disposition: form-data\r\n\r\nx\r\n--form-boundary--\r\n", type),
      ("--form-boundary\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n", type),
      ("--form-boundary\r\nno header\r\n\r\nx\r\n--form-boundary--\r\n", type),
      ("--form-boundary--\r\n", "application/json"), ("--form-boundary--\r\n", "multipart/form-data"),
      ("----\r\n", "multipart/form-data; boundary="),
    ])
  func notAForm(_ body: String, _ type: String) {
    #expect(MultipartForm(Array(body.utf8), contentType: type) == nil)
  }

  @Test("Parts and headers are limited")
  func limits() {
    let part = MultipartForm.Part("a", bytes: [1])
    func reads(_ form: MultipartForm) -> Bool {
      MultipartForm(form.encoded(boundary: Self.boundary), contentType: Self.type) != nil
    }
    #expect(reads(MultipartForm(Array(repeating: part, count: MultipartForm.maximumParts))))
    #expect(!reads(MultipartForm(Array(repeating: part, count: MultipartForm.maximumParts + 1))))
    #expect(!reads(MultipartForm([MultipartForm.Part(String(repeating: "n", count: 4 << 10), bytes: [1])])))
  }

  @Test("A picture is kept as it came")
  func picture() throws {
    let scan = try IdentityScan(Self.picture(Self.png).encoded(boundary: Self.boundary), contentType: Self.type)
    #expect(scan.bytes == Self.png && scan.format == .png && scan.fileName == "a \"b\";\r\n.png")
  }

  @Test(
    "A file that is not a picture of the stated type is refused",
    arguments: [
      ([], "image/png", ScanError.Code.empty), (png, "image/gif", .type), (png, nil, .type),
      (png, "image/jpeg", .content), (png, "image/heic", .content),
      (png + Array(repeating: 0, count: 90), nil, .tooLarge),
    ] as [([UInt8], String?, ScanError.Code)])
  func refusals(_ bytes: [UInt8], _ type: String?, _ code: ScanError.Code) {
    do throws(ScanError) {
      _ = try IdentityScan(Self.picture(bytes, type), upTo: 100)
      Issue.record("the file is read")
    } catch { #expect(error.code == code) }
  }

  @Test("A form without a picture is refused")
  func missing() {
    for form in [MultipartForm([]), MultipartForm([MultipartForm.Part("picture", bytes: Self.png)])] {
      do throws(ScanError) {
        _ = try IdentityScan(form)
        Issue.record("a form without a file is read")
      } catch { #expect(error.code == .missing) }
    }
  }
}
