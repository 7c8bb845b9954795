import Checks
import FoundationEssentials
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

extension ISO18013MobileDocumentRequest {
  /// The part of an authenticated request that an authorization view needs.
  ///
  /// A request without use cases asks for all its documents at once, as if it had one mandatory use case that says so.
  public init(_ request: AuthenticatedDeviceRequest) {
    self.init(
      documents: request.documentRequests.map(\.value), useCases: request.deviceRequestInfo?.useCases,
      chains: request.readersOfAll.map(\.chain))
  }

  /// Whether a raw request, whose signatures were not checked, asks the same with the same certificates.
  public func agrees(with contents: UnverifiedRequestContents) -> Bool {
    self
      == Self(
        documents: contents.documentRequests, useCases: contents.deviceRequestInfo?.useCases, chains: contents.chains)
  }

  private init(documents items: [ItemsRequest], useCases given: [DeviceRequestInfo.UseCase]?, chains: [[Certificate]]) {
    let documents = items.map { DocumentRequest($0) }
    var useCases = given ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: documents.count).useCases }
    self.init(
      presentmentRequests: useCases.map { useCase in
        PresentmentRequest(
          documentRequestSets: useCase.documentSets.map { set in
            DocumentRequestSet(requests: set.map { documents[$0] })
          },
          isMandatory: useCase.isMandatory)
      },
      requestAuthentications: chains.map { RequestAuthentication(authenticationCertificateChain: $0) })
  }
}

extension ISO18013MobileDocumentRequest.DocumentRequest {
  init(_ items: ItemsRequest) {
    var namespaces: [String: [String: ISO18013MobileDocumentRequest.ElementInfo]] = [:]
    for nameSpace in items.nameSpaces {
      for element in nameSpace.elements {
        namespaces[nameSpace.name, default: [:]][element.identifier] =
          ISO18013MobileDocumentRequest.ElementInfo(isRetaining: element.intentToRetain)
      }
    }
    self.init(
      documentType: items.documentType, namespaces: namespaces,
      issuerKeyIdentifiers: items.issuerIdentifiers.map { Data($0) })
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

extension URL {
  /// The origin as it enters a session transcript: without the trailing slash that a URL may have.
  public var serializedOrigin: String {
    let text = absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
