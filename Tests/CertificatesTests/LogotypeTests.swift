import CrossCheckTrait
import DocumentFixtures
import Primitives
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates

@Suite("The picture of a certificate's subject", .crossChecked)
struct LogotypeTests {
  private static let least = #"<svg xmlns="http://www.w3.org/2000/svg"/>"#

  /// The extension of another encoder (pyasn1-modules) for ``least``.
  private static let answer = """
    3081a7a281a4a081a130819e30819b308198160d696d6167652f7376672b786d6c3031302f300b06096086480165030402010420\
    900fbe934249ad120004bd24adf66aad8817d89586273c0cc50e187bddebb60130541652646174613a696d6167652f7376672b78\
    6d6c3b6261736536342c50484e325a79423462577875637a30696148523063446f764c336433647935334d793576636d63764d6a\
    41774d43397a646d63694c7a343d
    """
  /// Another one of that encoder: a picture of the issuer, one as GIF elsewhere, the same image at two addresses, and its
  /// size.
  private static let longAnswer = """
    30820177a154a0523050304e304c1609696d6167652f6769663021301f300706052b0e03021a0414000000000000000000000000\
    0000000000000000301c161a68747470733a2f2f6c6f676f2e6578616d706c652f612e676966a282011da082011930820115304\
    e304c1609696d6167652f6769663021301f300706052b0e03021a04140000000000000000000000000000000000000000301c161\
    a68747470733a2f2f6c6f676f2e6578616d706c652f612e6769663081c23081b4160d696d6167652f7376672b786d6c3031302f3\
    00b06096086480165030402010420900fbe934249ad120004bd24adf66aad8817d89586273c0cc50e187bddebb6013070161a687\
    47470733a2f2f6c6f676f2e6578616d706c652f612e7376671652646174613a696d6167652f7376672b786d6c3b6261736536342\
    c50484e325a79423462577875637a30696148523063446f764c336433647935334d793576636d63764d6a41774d43397a646d636\
    94c7a343d3009020129020140020140
    """

  private static func certificate(_ extensions: [(ASN1ObjectIdentifier, [UInt8])]) throws -> Certificate {
    try BrandIdentityTests.certificate { all in
      for (identifier, value) in extensions {
        try all.append(Certificate.Extension(oid: identifier, critical: false, value: value[...]))
      }
    }
  }

  private static func read(_ encoded: [UInt8]) throws -> Logotype? {
    try Logotype(in: certificate([(Logotype.identifier, encoded)]))
  }

  /// A PNG image of one colour, of which a reader of chunks sees what it needs.
  private static func png(width: [UInt8] = [0, 0, 0, 1], height: [UInt8] = [0, 0, 0, 1]) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let header: [UInt8] = width + height + [8, 0, 0, 0, 0]
    for (type, content) in [("IHDR", header), ("IDAT", [1, 2, 3]), ("IEND", [])] {
      bytes += [0, 0, 0, UInt8(content.count)]
      bytes += Array(type.utf8)
      bytes += content
      bytes += [0, 0, 0, 0]
    }
    return bytes
  }

  private static func code(_ make: () throws(LogotypeError) -> Logotype?) -> LogotypeErrorCode? {
    do {
      _ = try make()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("The extension has the bytes of another encoder, and what that one writes is read")
  func knownAnswers() throws {
    let logotype = try Logotype(Array(Self.least.utf8))
    #expect(try Array(logotype.certificateExtension().value) == Hex.bytes(Self.answer))
    #expect(try Self.read(Hex.bytes(Self.answer)) == logotype)
    // Its first picture is not one that is shown.
    #expect(try Self.read(Hex.bytes(Self.longAnswer)) == logotype)
  }

  static func image(_ format: Logotype.Format) -> [UInt8] { format == .png ? png() : Array(least.utf8) }

  @Test("An image has its format, and is the same from its URL", arguments: Logotype.Format.allCases)
  func formats(format: Logotype.Format) throws {
    let logotype = try Logotype(Self.image(format))
    #expect(logotype.format == format)
    #expect(try Logotype(url: logotype.url) == logotype)
  }

  @Test("A damaged or changed extension gives a brand without a picture")
  func damaged() throws {
    let good = Hex.bytes(Self.answer)
    let name = Hex.bytes("30060c01410c0142")
    let logotype = try Logotype(Array(Self.least.utf8))
    for place in good.indices {
      var changed = good
      changed[place] ^= 0x01
      let certificate = try Self.certificate([(BrandIdentity.identifier, name), (Logotype.identifier, changed)])
      let brand = try #require(BrandIdentity(in: certificate))
      // The bits of a few bytes do not matter: those of a name of a community or issuer, for one, are not read.
      #expect(brand.logotype == nil || brand.logotype == logotype, "byte \(place)")
      #expect(brand.name == "A")
    }
    for end in good.indices {
      let code = Self.code { () throws(LogotypeError) in
        guard let certificate = try? Self.certificate([(Logotype.identifier, Array(good[..<end]))]) else { return nil }
        return try Logotype(in: certificate)
      }
      #expect(code == .encoding, "\(end) bytes")
    }
  }

  @Test("An image with another digest is refused")
  func digest() throws {
    let place = try #require(Hex.bytes(Self.answer).firstRange(of: Hex.bytes("900fbe93"))?.lowerBound)
    var changed = Hex.bytes(Self.answer)
    changed[place] ^= 1
    let certificate = try Self.certificate([(Logotype.identifier, changed)])
    #expect(Self.code { () throws(LogotypeError) in try Logotype(in: certificate) } == .digest)
  }

  @Test(
    "An SVG image with anything but shapes is refused",
    arguments: [
      "<script>alert(1)</script>", "<SCRIPT/>", "<style>@import 'https://a.example'</style>",
      "<image href='https://a.example/a.png'/>", "<use href='#a'/>", "<foreignObject/>", "<a href='#a'/>",
      "<animate attributeName='href'/>", "<set/>", "<text>Bank</text>", "<svg/>", "<x:g/>", "<g onload='x()'/>",
      "<g ONCLICK='x()'/>", "<g style='fill:red'/>", "<rect fill='url(https://a.example/#a)'/>",
      "<rect fill='URL( \"//a.example#a\")'/>", "<rect fill='url(#a) url(b)'/>", "<rect fill='u\\72l(b)'/>",
      "<rect fill='&#117;rl(b)'/>", "<rect fill='url(\u{301}b)'/>", "<linearGradient href='https://a.example'/>",
      "<linearGradient xlink:href='a#b'/>", "<g xmlns='http://www.w3.org/1999/xhtml'/>", "<title>&a;</title>",
      "<title>&#60;</title>", "<title>&amp</title>", "<?a b?>", "<![CDATA[a]]>", "<!ENTITY a 'b'>",
      "<rect mask=\"image-set('https://a.example' 1x)\"/>", "<g cursor=\"image-set('https://a.example' 1x), auto\"/>",
      "<g filter='url(#a)'/>", "<g xml:base='https://a.example/'/>", "<g xmlns:x='http://www.w3.org/1999/xlink'/>",
      "<g xmlns:xlink='http://www.w3.org/2000/svg'/>", "<g x:href='#a'/>", "<clipPath clip-path='url(#a)'/>",
      "<clipPath><rect clip-path='url(#a)'/></clipPath>",
    ])
  func hostile(content: String) {
    let image = #"<svg xmlns="http://www.w3.org/2000/svg">\#(content)</svg>"#
    let code = Self.code { () throws(LogotypeError) in try Logotype(Array(image.utf8)) }
    #expect(code == .content || content == "<svg/>" && code == .image, "\(content)")
  }

  @Test(
    "An SVG image that is not well-formed, or not SVG, is refused",
    arguments: [
      "", " ", "a", "<svg", "<svg/>", "<svg xmlns='http://www.w3.org/2000/svg'>", "<g/>",
      "<svg xmlns='http://www.w3.org/2000/svg'></g>", "<svg xmlns='http://www.w3.org/2000/svg'/><g/>",
      "<svg xmlns='http://www.w3.org/2000/svg'/>a", "<svg xmlns='http://www.w3.org/2000/svg' xmlns=''/>",
      "<svg xmlns='http://www.w3.org/2000/svg'width='1'/>", "<svg xmlns=http://www.w3.org/2000/svg/>",
      "<!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg'/>", "<?xml version='1.0'", "<!--", "<html/>", "<svg a",
      "<svg a=", "<svg a='", "<svg xmlns='http://www.w3.org/2000/svg'><g></svg></g>",
      "<!--><svg xmlns='http://www.w3.org/2000/svg'/>-->", "<!---><svg xmlns='http://www.w3.org/2000/svg'/>-->",
      "<!-- a -- b --><svg xmlns='http://www.w3.org/2000/svg'/>",
      "<svg xmlns='http://www.w3.org/2000/svg'><linearGradient xlink:href='#a'/></svg>",
      "<svg xmlns='http://www.w3.org/2000/svg'><g xmlns:xlink='http://www.w3.org/1999/xlink'/><g xlink:href='#a'/></svg>",
      "<svg xmlns='http://www.w3.org/2000/svg'><title>\u{1b}</title></svg>",
      "<svg xmlns='http://www.w3.org/2000/svg'><title>]]></title></svg>",
      "<?xml version='1.0' encoding='ISO-2022-JP'?><svg xmlns='http://www.w3.org/2000/svg'/>",
      "<?xml version='1.1'?><svg xmlns='http://www.w3.org/2000/svg'/>",
      "<?xml encoding='utf-8'?><svg xmlns='http://www.w3.org/2000/svg'/>",
      "<?xml?><svg xmlns='http://www.w3.org/2000/svg'/>",
    ])
  func malformed(image: String) {
    #expect(Self.code { () throws(LogotypeError) in try Logotype(Array(image.utf8)) } != nil)
  }

  @Test("An SVG image with gradients, comments and texts is read")
  func svg() throws {
    let image = """
      \u{feff}<?xml version="1.0" encoding="UTF-8" standalone='no' ?>
      <!-- a > b - c --><!---->
      <svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8" >
        <title>A &amp; B, Größe 2 &lt; 3</title><defs><linearGradient id="a"><stop offset="0"/></linearGradient>
        <linearGradient id="b" xlink:href="#a"/></defs><g fill="url( '#a')"><path d='M0 0h8' /></g></svg>

      """
    #expect(try Logotype(Array(image.utf8)).format == .svg)
    let deep = String(repeating: "<g>", count: 31) + String(repeating: "</g>", count: 31)
    let open = #"<svg xmlns="http://www.w3.org/2000/svg">"#
    #expect(Self.code { () throws(LogotypeError) in try Logotype(Array("\(open)\(deep)</svg>".utf8)) } == nil)
    let deeper = "\(open)<g>\(deep)</g></svg>"
    #expect(Self.code { () throws(LogotypeError) in try Logotype(Array(deeper.utf8)) } == .content)
  }

  @Test("A PNG image is read up to its end, with edges of 1 to 1024 pixels")
  func png() throws {
    let good = Self.png()
    #expect(try Logotype(good).format == .png)
    #expect(try Logotype(Self.png(width: [0, 0, 4, 0], height: [0, 0, 4, 0])).format == .png)
    for edge in [[0, 0, 0, 0], [0, 0, 4, 1], [0xff, 0xff, 0xff, 0xff]] as [[UInt8]] {
      #expect(Self.code { () throws(LogotypeError) in try Logotype(Self.png(width: edge)) } == .edge)
      #expect(Self.code { () throws(LogotypeError) in try Logotype(Self.png(height: edge)) } == .edge)
    }
    for end in 8..<good.count {
      #expect(Self.code { () throws(LogotypeError) in try Logotype(Array(good[..<end])) } == .image, "\(end) bytes")
    }
    #expect(Self.code { () throws(LogotypeError) in try Logotype(good + [0]) } == .image)
  }

  @Test("An image of 8 KiB is read, and one byte more is not")
  func size() {
    let space = String(repeating: " ", count: Logotype.maximumSize - Self.least.utf8.count)
    #expect(Self.code { () throws(LogotypeError) in try Logotype(Array((Self.least + space).utf8)) } == nil)
    #expect(Self.code { () throws(LogotypeError) in try Logotype(Array((Self.least + space + " ").utf8)) } == .size)
  }

  @Test(
    "A URL with another media type, another encoding or elsewhere is refused",
    arguments: [
      "", "https://a.example/a.svg", "data:image/png;base64,PHN2Zy8+", "data:image/svg+xml,%3Csvg/%3E",
      "data:image/gif;base64,R0lG", "data:image/svg+xml;base64,PHN2Zy8", "data:text/html;base64,PHN2Zy8+",
    ])
  func urls(url: String) {
    #expect(Self.code { () throws(LogotypeError) in try Logotype(url: url) } == .format)
  }
}
