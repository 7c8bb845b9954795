import Foundation

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

/// A portrait of a fictional person, drawn for this project: 120 by 150 pixels in JPEG, as ISO/IEC 18013-5, 7.2.2
/// requires. The drawing is `icons/portrait.svg` of the web demo.
package enum SamplePicture {
  private static let base64 = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAkGBwgHBgkIBwgKCgkLDRYPDQwMDRsUFRAWIB0iIiAdHx8kKDQsJCYxJx8fLT0tMTU3Ojo6Iys/RD84
    QzQ5Ojf/2wBDAQoKCg0MDRoPDxo3JR8lNzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzf/wAARCACWAHgD
    ASIAAhEBAxEB/8QAHAAAAQUBAQEAAAAAAAAAAAAAAAECBQYHBAMI/8QAQRAAAQMDAAUIBgUMAwAAAAAAAQACAwQFEQYSITFRBxMUIkFhcYEVMpGh
    scEWQlJi0SMkMzVTcnOCkqKy8DQ28f/EABkBAAIDAQAAAAAAAAAAAAAAAAABAwQFAv/EACMRAAICAgMAAQUBAAAAAAAAAAABAhEDEgQhMTIUIiMz
    QVH/2gAMAwEAAhEDEQA/ANayjKblGVKRjsoym5RlADsoym5RlADsoyvOSRkTdeV7WN+09wA964nXu0tdquudEDw59v4pNpejSb8JHKMrmp62kqf+
    NVQS/wAOVrvgV77t6Yh2UZTcoygB2UZTcoygB2UJuUIAahJlGUwFQkyhADZ5o6eF808jY4mN1nvccBo4lZ1pDygzyvdBYxzMQ2dIe3L3fug7h47f
    Bcen+kbrjWOt1LJ+Z07sOLTsleN58BuHtVQKo5s7vWJew4FW0j1q6uorJDJVzyzvP1pXl3xXOccE4ppVYtCDYcjYR2jYVO2fTG82lzQyqdUQDfDU
    EvGO47x5FQBKaSnGTj2jmUVJUzcNGdJ6HSGAmnJiqWDMlO89ZveOI7/aptfPVBXVFurIqujkMc8TstcPgeIPaFuWjt4hvlphroQGlw1ZGZ9R43j/
    AHsIV/Dl36fpQzYtO14SaEmUKcgFQkyhADcoykyjKBC5UPpddDarBU1EbsTOHNRHg52zPkMnyUvlUDlUqzi30YOzrzOH9o+ajyy1g2S4Y7TSM/KQ
    nCQlNJWWagpKYSkJSNDnuDGNLnOOA0DJJ4BMQhKaSrJLoZc2WwVQ1TUb3Uo9YN8dxPcqw/IJDgQQcEHsQuxPofnKvHJTdDBdp7a935OqZrsHB7fx
    bn2KhsO8KU0ZqzRaRW2oBwGVDAfAnB9xUmN6zTI8i2g0b3lGUh2EjgjK0zMFyhJlCAG5RlJlGUALlZbymyF2kMbM7GUzPeXFajlZTyk/9md308fz
    Vfk/rLHF/YVVxXpT0lVVu1aWmmmJ/ZxlysOgdlZdLm+oqWB1NSYcWnc959UHu2Z9iul10jioq11uo6Krr6xrQ50NMzAYDu1nHYFn2aBR7doRdqoh
    1UGUcfaZDl39I+eFc7Lo3b7MNeBhlqMbZ5NrvLh5LnOkldA5puejlfTQkgc7GRKG54hu1WBy5k2dKjwkVN000ebVxvuFEzFSwZlY0fpRx/eHvUnU
    aQVUk8sdusdbUtjcWOldiJpI34zvTKXSBstXHR11DVUFTIcRtlblrz3OGxJJrsbp9GWsd1gvaJ5ZNG8b2vB9hUppfbBbrxrxNxBU5ewDc0/WHt2+
    aiYxrSsaO1wHvUyd9kT66PozWzt47UZTRs2cNiXK1TJFyhJlCAG5RlJlGUxC5WYcp8erfYJOySmHucQtOys65VMdMtx7eaeP7goOQvxljjP8iO/k
    zI9DVQGMipOf6Qp66Ul0q2PbbKuOlYyF8kjmxh80jgOqxgPVGeJyeAVU5L6gYuNMTt6ko94PyV3Lmk7HDKzLqVs0Wm1SKVoZUaTV8c9XUVJfDBM2
    N8VYwNL2knJY9oHWG/BGD3K0vm/OTDq7ma2fPC6nEneSVHwHnaiom+rkRt8Bv96U5JvpUPFGUY1J2V3TJ9/paF1dSTalOJxEyKlaHyYx6z3OHVyd
    wA7N6kKGjudNS0k1fWNqI6iASc3LGGTwv4HGwtI3HYVKPJG44XLI4ZOTt8U3Na1Qo4577bdf4VTlADTbaUkDWFRsPDqnPyVRssXSLzQQ/bqY2/3B
    WXlBnH5lTg7etIfcB81A6LEfSa1Z3dLj+K7xLw5yv03onJJ70mUmUZWuZAuUJMoQA3KMpMoygBcrNOVKYOu9HED+jp8nzcfwWlZWP6dVYqtJ6wg5
    bERCP5Rt9+VX5LqFFjjK52M0MrhRX+DWdqxz5hcTu6273gLUzG/O0YWH5IIIJBG4jsWvaLXlt6tUcrnDpEeGTt+9x8Dv9qzZI04yrolTw3qPdR6r
    Sxk8rYifUB+abe6CorYx0askhIG1gPVf496rps90B1S52OPVwuUkyaMU16WV+wYGzAwuJ7HZ3Jluo56SM9IqpJXEbGE9VvguLSW6ttVufICOfk6k
    I+9x8t6Vd0hXqUbSysFXeptV2WQ4iafDf78rhs83R7vQzE7I6mNx/qC5HEkkkkntJTSSNo3jaFYXRVk9j6PO8+KTK5bZVCtt1LVNORNCx/tAK6cr
    V9MrwXKEmUIENyjKTKMpgedZUso6SapkPUhjdIfIZWEzyvnmkmkOXyOL3eJOStR5Ra/ouj5p2nD6qQR/yja74AeayolUeVK5KJe4sai2BXbZbxU2
    WtFVTEEYxJGd0jeB/HsXAShzHiPnCx2oSQHYOCRvGVVqyzdG2UlZHWU0c0fV5xgdqHeMjKWRQdu/V9L/AAWf4hdWu/GNZ3tUBOkelbUNp4JZXDPN
    sLy0bzgZWTXi6T3arNTUHAxhjBuY3gFpdy/V1X/Af/iVkwY8xc4GO1AQC7VOATuGVLjVkeV0NKTKCkJUhCbLybVvS9FKdhOXUz3QnwByPcVaMrM+
    SKt1ai40LjsexszR3g6p9xC0vK0sLuCM/KqmxcoSZQpCMblGUmVH3u7QWiiNRN1nHqxxg7Xu4eHEppNukJujy0lpbTVW8+mixkTT1JM4c0/d7c9y
    yeqpKVtS8UssskAPUdIwNcR3gLvulyqrpUmoq5NZ31Wj1WDgAuIqX6XG3clbI/qciVRdI67CLbFdqU3aEvotfEoDiMDie3A7RwW3XKxW26Wf0a+C
    NlLqgxcyAObPY5v+7VghWp8mGkXS6Q2arfmenbmAk+vHw8W/DwRmx6pOPVBjnbqX9OGOkqLW/wBG1uOegbhjxulj3B7fgR2Feiul+s0F6ouYlc6K
    Zh1oJ2etE7iO7iO1ZdzGlPpz0FhvSv2nNjV1P2mt9n/zesufDeSTlBo1MfMUIqM0yYlpKi6O9GUOOfnbh7zuhj3F7vgB2lXa2WG2WuzejGQRvpdU
    mbnmg84e1zv92J9gs0FlouYic6WZ51p6h/rSu4nu4DsVS5U9JOh0foWkfioqW5qHA7WR/Z8XfDxVjBi1WkStny7vdmZ6RC1y3eqNogMdDrkRAuJy
    OI7cE7QOCjIqOB87GzTPihJ672s1y0dwyMr2KaVdngxzX3IpxzTj4zWND7PY6Cj6RZntqXvGq+pccvPdj6vgrDlYlabrV2irFTRSartzmHa144Ed
    q1qwXmnvdA2pp+q4dWWInbG7h4cConj0XXhIsm779JPKEmULk6G5WXaS3R11ukkoceYjyyEfdHb571fdJKo0ljq5WnDyzUae92z5rLSrGGP9IMsv
    4NKQpSkKnIRpXtQ1k9vrYaykfqTwvD2O7/w7F4lNKTGbb9NLUzR2G8TSY5wFop2nLzIN7AO7juxgrPPp/ePTvpLLOaxqdE+pzec4zvz263H2KqFN
    KijhjGySWWTNv+mtqfo5NeIZM80A00zjh4kO5hHfx3YyVitwrJ7hWz1lW/XnmeXvd393d2LxKaUQxqF0EpuXohTSnFNK7OBpUxoneHWe8RSOcRTy
    kRzj7pO/yO32qHKQpNWqOk6N5yhRGitYa7R6hnecv5vUee9vV+SFVaosJ2cOnjy2ysaNzp2g+QJWfFCFaxfErZfkNKQoQpDgaU0oQgYhTShCQCFN
    KEJDEKaUISAaUhQhAzTeTeQu0ec0/UqHgeYB+aEIVaXyJ4+H/9k=
    """

  /// The picture.
  package static let portrait = [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
}
