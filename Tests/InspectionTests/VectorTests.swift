import Inspection
import TestSupport
import TestTraits
import Testing

/// Artifacts of other implementations, read from their folder; they are not part of the package.
@Suite("Artifacts of other implementations", .requiresVectors)
struct VectorTests {
  /// Writes the artifact as a file of hexadecimal text, and returns the line that identifies it.
  private func title(of vector: Vector) throws -> String? {
    let text = try Inspector.inspect(file(try vector.text("hex")), options: .offsets).get()
    let second = text.split(separator: "\n").dropFirst().first
    return second.map { String($0.drop { $0 == " " || $0.isNumber }) }
  }

  @Test(
    "structures are recognized",
    arguments: ["device_requests", "device_responses", "issuer_signed", "session_transcripts"].filter(Vectors.has))
  func structures(name: String) throws {
    for vector in Vectors.entries(of: "\(name).json") {
      let kind = vector["kind"]?.text
      #expect(try title(of: vector) == kind, "\(vector)")
    }
  }

  @Test(
    "certificates are recognized with any key, serial number and extensions", .requiresVectors("certificates"),
    arguments: Vectors.entries(of: "certificates.json"))
  func certificates(vector: Vector) throws {
    #expect(try title(of: vector) == "certificate")
  }

  @Test("the mock response without issuer authentication is printed completely", .requiresVectors("annex_c_dcapi"))
  func mockAnswer() throws {
    let vector = try Vectors.entry("apple-developer-test-response", of: "annex_c_dcapi.json")
    expect(
      try inspected(file(try vector.text("hex"))),
      has: [
        "DeviceResponse", "issuerAuth: COSE_Sign1", "deviates: the certificate chain is empty (cose.empty-chain)",
        "signature not checked: the certificate is missing", "payload: MobileSecurityObject in tag 24", "status: null",
        "x5chain: 0 certificates", "deviceSignature: COSE_Sign1",
      ])
  }
}
