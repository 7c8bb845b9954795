import CBOR
import COSE
import Certificates
import DevicePlatform
import DigitalCredentials
import ExchangeFiles
import Foundation
import MobileDocument
import NearbyDevices
import OpenID4VP
import Primitives
import TestSupport
import WebPresentment

/// A reader of untrusted bytes. For every input it must return a value within its bounds or throw an error with a code.
/// Corpus tests give it damaged vectors, the fuzzer its own inputs.
public struct UntrustedParser: Sendable, CustomStringConvertible {
  /// The name of its input, in words joined by hyphens.
  public let name: String
  /// The initial inputs.
  public let seeds: @Sendable () -> [[UInt8]]
  /// Reads bytes, and returns the size of the value in bytes or items.
  let read: @Sendable ([UInt8]) throws -> Int
  /// The maximum ratio of the value's size to the input's.
  let growth: Int

  init(
    _ name: String, growth: Int = 4, seeds: @escaping @Sendable () -> [[UInt8]],
    read: @escaping @Sendable ([UInt8]) throws -> Int
  ) {
    self.name = name
    self.growth = growth
    self.seeds = seeds
    self.read = read
  }

  /// The name.
  public var description: String { name }

  /// The kept inputs in `Tests/Fuzzing/Corpus`, by the names of their files.
  public func corpus() -> [(name: String, bytes: [UInt8])] {
    let folder = Programs.package.appendingPathComponent("Tests/Fuzzing/Corpus/\(name)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { file in
      FileManager.default.contents(atPath: folder.appendingPathComponent(file).path).map { (file, [UInt8]($0)) }
    }
  }

  /// The outcome of a reading.
  public enum Ending: Sendable, Equatable {
    /// A value.
    case value
    /// Refused with a code, or with an error of a single kind.
    case refused(String)
    /// A failure of the reader: a value beyond its limits, a broken guarantee, or an error without a code.
    case broken(String)
  }

  /// Reads some bytes.
  public func ending(of bytes: [UInt8]) -> Ending {
    do {
      let size = try read(bytes)
      let most = Self.leastBound + bytes.count * growth
      return size <= most ? .value : .broken("a value of \(size) from \(bytes.count) bytes, more than \(most)")
    } catch let error as BrokenPromise {
      return .broken(error.description)
    } catch {
      return Self.code(of: error).map(Ending.refused) ?? .broken("an error without a code: \(error)")
    }
  }

  /// The maximum size of the value for an empty input: space for the fixed words of an inspection.
  private static let leastBound = 4096

  private static func code(of error: any Error) -> String? {
    switch error {
    case let error as any CodedError: name(of: error)
    case let error as SandboxRefusal: error.check == .worker ? nil : error.name
    case let error as ReaderCertificateRequest.Refusal: error.name
    case let error as NearbyFailure: error.name
    case let error as PresentationRequestFailure: error.name
    case let error as PresentationResponseFailure: error.name
    case let error as Refused: error.code
    case is NoValue: "no value"
    default: nil
    }
  }

  private static func name(of error: some CodedError) -> String { error.code.rawValue }

  /// Every reader.
  public static let all: [UntrustedParser] =
    [
      .cbor, .cose, .deviceRequest, .deviceResponse, .issuerSigned, .securityObject, .statusList, .encryptionInfo,
      .encryptedResponse, .requestJSON, .optionsJSON, .base64URL, .date, .certificate, .certificateRequest, .logotype,
      .pem, .sandboxAnswer, .sandboxCall, .json, .origin, .inspection, .revocationList, .exchangeFile, .privateKey,
      .answerData, .statusListRequest, .vical, .inflate, .envelope, .documentFile, .trustedCertificates,
      .inAppExchange, .hybridQRCode, .hybridAdvert, .hybridAddress, .hybridTunnel, .hybridHandshake, .hybridReply,
      .hybridFrame, .hybridOffer, .hybridMessage, .nearbyAdvert, .nearbyMessage, .proximityQRCode, .proximityMessage,
      .proximitySession, .proximityParts, .proximityNDEF, .proximityCarrier, .proximityCommands, .proximityResponses,
      .jws, .jwe, .jwk, .sdJWT, .statusListJWT, .dcql, .openID4VPRequest, .openID4VPResponse, .virtualWallet, .pageCall,
      .interstitial, .credentialResponse, .uploadForm, .verdict, .partyMessage, .scenario,
      .world, .flow, .yaml, .step, .runOption, .trace, .tracePage, .report, .httpRequest, .apiBody, .bidiMessage,
      .webSocket,
    ]

  /// The reader with a name.
  public static func named(_ name: String) -> UntrustedParser? { all.first { $0.name == name } }
}

/// The result of a reader without errors that found no value.
struct NoValue: Error {}

/// A broken guarantee.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String

  /// Throws unless a condition holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    if !condition { throw BrokenPromise(description: description()) }
  }
}
