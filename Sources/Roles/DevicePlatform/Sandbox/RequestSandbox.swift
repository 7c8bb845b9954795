import Checks
import FoundationEssentials
import IdentityDocumentServices
import MobileDocument
import WebPresentment
import X509

/// What the sandbox tells the system about a request: enough for a selector and an authorization view, and nothing
/// that could be signed or answered.
public struct PartialRequest: Sendable, Equatable {
  /// What is asked and who signed.
  public let request: ISO18013MobileDocumentRequest
  /// What was let pass: signatures of unknown kinds that were left out, deviations of encoding.
  public let findings: [CheckResult]

  /// A partial request from its parts.
  public init(request: ISO18013MobileDocumentRequest, findings: [CheckResult]) {
    self.request = request
    self.findings = findings
  }
}

/// Parses a stranger's request where it can do no harm. A function of the bytes and the origin: it knows no clock, no
/// storage and nobody else.
///
/// The order is the protection: bounds, then text, then the envelope, then every signature, and only then what is asked
/// and for whom to encrypt.
public enum RequestSandbox {
  /// Parses a request.
  ///
  /// - Parameters:
  ///   - requestData: UTF-8 JSON as the browser handed it over.
  ///   - origin: the serialized origin that the browser vouches for.
  /// - Throws: ``SandboxRefusal``.
  public static func parse(_ requestData: [UInt8], origin: String) throws(SandboxRefusal) -> PartialRequest {
    let (data, deviceRequest) = try text(requestData, origin: origin)
    let authenticated: AuthenticatedDeviceRequest
    do {
      // The transcript binds the text of the encryption information, which stays closed until all signatures verified.
      // Only to explain the one that does not is it opened before, and then nothing else is made of it.
      authenticated = try UnverifiedDeviceRequest(deviceRequest).authenticate(
        over: EncryptionInfo.sessionTranscript(encryptionInfoText: data.encryptionInfo, origin: origin),
        explainer: TranscriptExplainer(
          TranscriptInputs(encryptionInfoText: data.encryptionInfo, origin: origin)))
    } catch {
      throw SandboxRefusal(error, origin: origin)
    }
    do { _ = try EncryptionInfo(text: data.encryptionInfo) } catch { throw SandboxRefusal(error) }
    return PartialRequest(
      request: ISO18013MobileDocumentRequest(authenticated), findings: authenticated.findings)
  }

  /// The texts of a request and the decoded device request, of which nothing is read yet.
  private static func text(
    _ requestData: [UInt8], origin: String
  ) throws(SandboxRefusal) -> (data: RequestData, deviceRequest: [UInt8]) {
    do { try RequestLimit.data.check(requestData.count) } catch { throw SandboxRefusal(error) }
    guard !origin.isEmpty, origin != "null" else { throw SandboxRefusal(.origin) }
    let data: RequestData
    do { data = try RequestData(json: requestData) } catch { throw SandboxRefusal(error) }
    do { try RequestLimit.encryptionInfo.check(data.encryptionInfo.utf8.count) } catch { throw SandboxRefusal(error) }
    do { return (data, try data.deviceRequestBytes()) } catch { throw SandboxRefusal(error) }
  }
}

/// Validates raw requests and parses what an authorization view needs; what a browser calls before it shows anything.
public struct IdentityDocumentWebPresentmentRawRequestValidator: Sendable {
  /// A validator.
  public init() {}

  /// Checks signatures and parses a request.
  ///
  /// - Parameters:
  ///   - requestData: UTF-8 JSON with the base64url texts `deviceRequest` and `encryptionInfo`.
  ///   - origin: the website's origin; a path of `/` is not part of it.
  /// - Throws: ``IdentityDocumentPresentmentError`` with code `invalidRequest`.
  public func validateISO18013MobileDocumentRequest(
    _ requestData: Data, origin: URL
  ) throws -> ISO18013MobileDocumentRequest {
    do throws(SandboxRefusal) {
      return try RequestSandbox.parse([UInt8](requestData), origin: origin.serializedOrigin).request
    } catch {
      throw IdentityDocumentPresentmentError(
        .invalidRequest, debugDescription: "\(error.sentence) (\(error.check.rawValue))")
    }
  }
}
