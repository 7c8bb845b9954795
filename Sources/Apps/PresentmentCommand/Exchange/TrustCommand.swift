import ArgumentParser
import Certificates
import CommandSupport
import ExchangeFiles
import Foundation
import Primitives
import ScenarioLanguage

/// `presentment trust FILE|FOLDER…`
struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Show the certificates of roots, folders of roots and signed lists.",
    discussion: """
      Reads PEM, DER, and lists of issuing authorities (VICAL), which it verifies first. Names each certificate's \
      subject, key identifier, validity and document types, and what is wrong with it. Exit codes: 0 if every file can \
      be used, 1 if a certificate or list is refused, 2 if a file cannot be read.
      """)

  @Argument(help: "Files with certificates or lists, and folders of them.")
  var files: [String]

  @Option(help: "The certificate of the signer or provider of the lists, in PEM or DER; repeatable.")
  var vicalSigner: [String] = []

  @Option(help: "The time for which certificates and lists must be valid; the default is now.")
  var at: String?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  func run() throws {
    do {
      let moment = try ExchangeCommands.moment(at)
      let signers = vicalSigner.isEmpty ? nil : try Files.trusted(vicalSigner, for: .listSigner)
      let contents = try files.flatMap { try Files.expanded($0) }.map { path in
        TrustInventory.File(name: path, bytes: try Files.read(path))
      }
      let inventory = try CallingThread.wait { await TrustInventory(of: contents, listSigners: signers, at: moment) }
      try ExchangeCommands.say(json ? inventory.json : inventory.text)
      if inventory.hasUnreadable { throw ExitCode(2) }
      if inventory.hasRefused { throw ExitCode(1) }
    } catch let error as ExchangeFileError {
      if json { try ExchangeCommands.say(error.json) }
      throw error
    }
  }
}

/// Lists of issuing authorities on the command line.
enum IssuerLists {
  /// Reads lists, each to be verified with the same signers.
  static func read(_ paths: [String], signers: [String]) throws(ExchangeFileError) -> [IssuerList] {
    guard !paths.isEmpty else { return [] }
    let trusted = try Files.trusted(signers, for: .listSigner)
    var lists: [IssuerList] = []
    for path in paths {
      let bytes = try Files.read(path)
      guard IssuerList.isList(bytes) else {
        throw ExchangeFileError(
          .content, nil, "expected a signed list (VICAL), found \(FoundContent.description(of: bytes))", file: path)
      }
      lists.append(IssuerList(name: path, bytes: bytes, signers: trusted))
    }
    return lists
  }
}
