import Checks

/// The mdoc as a Type 4 Tag that hands over to a carrier, as a pure machine (ISO/IEC 18013-5, 8.2.2.1).
///
/// ```
/// static:      the NDEF file is the handover select message
/// negotiated:  service parameters --service select--> status --handover request--> (empty) --select message--> read
/// ```
///
/// One engagement serves a whole tap, however often the reader selects the application again.
public struct EngagementTag: Sendable {
  /// The kind of handover, one for a tap.
  public enum Handover: Sendable {
    /// The reader gets one select message.
    case fixed(HandoverMessage)
    /// The reader sends a request message first.
    case negotiated(TagService.Parameters)
  }

  private enum Step: Sendable {
    case fixed(HandoverMessage)
    case offered
    case serviceSelected
    case requested([UInt8])
    case selected(select: [UInt8], request: [UInt8])
  }

  private enum File: Sendable { case container, ndef }

  private let container: CapabilityContainer
  private let isLocked: Bool
  private let parameters: TagService.Parameters?
  private var step: Step
  /// The NDEF file without its length.
  private var content: [UInt8]
  private var isSelected = false
  private var file: File?
  /// The written bytes of the NDEF file, from its start; nil while nothing is written.
  private var written: [UInt8]?
  private var commands = 0
  private var isHandedOver = false

  /// Creates the tag of one tap.
  /// - Parameter isLocked: Whether the device is locked, and has no application then.
  public init(_ handover: Handover, fileSize: Int = 0x7fff, isLocked: Bool = false) {
    self.isLocked = isLocked
    switch handover {
    case .fixed(let select):
      parameters = nil
      step = .fixed(select)
      content = select.bytes
      container = CapabilityContainer(fileSize: fileSize, isWritable: false)
    case .negotiated(let parameters):
      self.parameters = parameters
      step = .offered
      content = NDEFMessage([parameters.record]).bytes
      container = CapabilityContainer(fileSize: fileSize, isWritable: true)
    }
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The reader sent a command.
    case command([UInt8])
    /// The own party answers the request message.
    case select(HandoverMessage)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Answer the command.
    case respond([UInt8])
    /// Ask the own party for a select message.
    case requested(HandoverMessage)
    /// The reader read the whole select message: the carrier may be opened.
    case handedOver(Proximity.Handover)
    /// Record the results of checks.
    case record([CheckResult])
  }

  /// Returns the effects of an event.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .select(let select):
      guard case .requested(let request) = step, select.kind == .select else { return [] }
      step = .selected(select: select.bytes, request: request)
      content = select.bytes
      return []
    case .command(let bytes):
      commands += 1
      guard commands <= ProximityLimits.tagCommands else {
        return [.respond(ResponseAPDU(ResponseAPDU.Status.conditions).bytes)]
      }
      do throws(ProximityError) {
        var effects: [Effect] = []
        let response = try answer(try CommandAPDU(bytes), &effects)
        return [.respond(response.bytes)] + effects
      } catch {
        return [.respond(ResponseAPDU(ResponseAPDU.Status.other).bytes), .record([error.failure.result])]
      }
    }
  }

  private mutating func answer(_ command: CommandAPDU, _ effects: inout [Effect]) throws(ProximityError) -> ResponseAPDU
  {
    guard command.class == 0 else { return ResponseAPDU(ResponseAPDU.Status.classNotSupported) }
    switch command.instruction {
    case CommandAPDU.Instruction.select: return select(command)
    case CommandAPDU.Instruction.read: return read(command, &effects)
    case CommandAPDU.Instruction.update: return try update(command, &effects)
    default: return ResponseAPDU(ResponseAPDU.Status.instruction)
    }
  }

  private mutating func select(_ command: CommandAPDU) -> ResponseAPDU {
    switch (command.parameters, command.data) {
    case (0x0400, NFCApplication.ndef) where !isLocked:
      isSelected = true
      file = nil
      restart()
      return ResponseAPDU(ResponseAPDU.Status.success)
    case (0x000c, NDEFMessage.bigEndian(CapabilityContainer.containerFile, bytes: 2)) where isSelected:
      file = .container
      return ResponseAPDU(ResponseAPDU.Status.success)
    case (0x000c, NDEFMessage.bigEndian(container.file, bytes: 2)) where isSelected:
      file = .ndef
      return ResponseAPDU(ResponseAPDU.Status.success)
    default: return ResponseAPDU(ResponseAPDU.Status.notFound)
    }
  }

  /// Offers the service again to a reader that starts again before it was handed over. The engagement stays the same.
  private mutating func restart() {
    written = nil
    guard let parameters, !isHandedOver else { return }
    step = .offered
    content = NDEFMessage([parameters.record]).bytes
  }

  private mutating func read(_ command: CommandAPDU, _ effects: inout [Effect]) -> ResponseAPDU {
    guard let file, let expected = command.expected else { return ResponseAPDU(ResponseAPDU.Status.conditions) }
    let bytes = file == .container ? container.bytes : NDEFMessage.bigEndian(content.count, bytes: 2) + content
    guard command.parameters < bytes.count else { return ResponseAPDU(ResponseAPDU.Status.other) }
    let end = min(bytes.count, command.parameters + min(expected, container.maximumRead))
    // The last byte of the select message: the reader can have all of it now.
    if file == .ndef, end == bytes.count, end > 2, let handover, !isHandedOver {
      isHandedOver = true
      effects.append(.handedOver(handover))
    }
    return ResponseAPDU(ResponseAPDU.Status.success, data: Array(bytes[command.parameters..<end]))
  }

  /// The handover of the message in the file, if that is a select message.
  private var handover: Proximity.Handover? {
    switch step {
    case .fixed(let select): .nfc(select: select.bytes, request: nil)
    case .selected(let select, let request): .nfc(select: select, request: request)
    case .offered, .serviceSelected, .requested: nil
    }
  }

  /// Writes a part of the NDEF file: in one command with its length, or without it first and its length last.
  private mutating func update(
    _ command: CommandAPDU, _ effects: inout [Effect]
  ) throws(ProximityError) -> ResponseAPDU {
    guard container.isWritable, file == .ndef, !command.data.isEmpty,
      command.data.count <= container.maximumWrite
    else { return ResponseAPDU(ResponseAPDU.Status.conditions) }
    let end = command.parameters + command.data.count
    guard end <= container.fileSize else { return ResponseAPDU(ResponseAPDU.Status.conditions) }
    let success = ResponseAPDU(ResponseAPDU.Status.success)
    guard command.parameters == 0 else {
      // Parts follow each other, so that the file has no gaps.
      guard let written, written.count == command.parameters else {
        self.written = nil
        return ResponseAPDU(ResponseAPDU.Status.conditions)
      }
      self.written = written + command.data
      return success
    }
    guard command.data.count >= 2 else { return ResponseAPDU(ResponseAPDU.Status.conditions) }
    let length = command.data[..<2].reduce(0) { $0 << 8 | Int($1) }
    if command.data.count == 2, length > 0 {
      guard let written, written.count == length + 2 else {
        self.written = nil
        return ResponseAPDU(ResponseAPDU.Status.conditions)
      }
      self.written = nil
      try take(Array(written[2...]), &effects)
      return success
    }
    guard length > 0 else {
      written = command.data
      return success
    }
    written = nil
    guard command.data.count == length + 2 else { return ResponseAPDU(ResponseAPDU.Status.conditions) }
    try take(Array(command.data[2...]), &effects)
    return success
  }

  /// Takes a whole written message.
  private mutating func take(_ bytes: [UInt8], _ effects: inout [Effect]) throws(ProximityError) {
    let message = try NDEFMessage(bytes)
    guard let first = message.records.first else { return }
    if first.isA(.wellKnown, "Ts") {
      let name = try TagService.selected(by: first)
      // The empty name deselects, after the handover.
      if case .selected = step, name.isEmpty { return }
      guard case .offered = step, name == parameters?.service else {
        throw ProximityError(.serviceRecord, "the tag does not offer the service, or it was selected before")
      }
      step = .serviceSelected
      content = NDEFMessage([TagService.status(0)]).bytes
      return
    }
    guard case .serviceSelected = step else {
      throw ProximityError(.handover, "a message that the state of the tag does not allow")
    }
    let request = try HandoverMessage(bytes, .request)
    step = .requested(bytes)
    content = []
    effects.append(.requested(request))
  }
}
