import Foundation

/// A portrait of nobody, drawn for this project: 16 by 20 grey pixels in JPEG.
enum SamplePicture {
  private static let base64 = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71
    ////m8H////6/+b9//j/wAALCAAUABABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQD/8QAHhAAAQMEAwAAAAAAAAAAAAAAAQID
    BAARIUESInH/2gAIAQEAAD8AolOlpICcKO6RXS6khWVDdZTnWwngcrGRbXtILrZTwGFnJvvyopBJkOXN+xpHJEhuxt2Ff//Z
    """

  static let portrait = [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
}
