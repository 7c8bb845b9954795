import CBOR
import COSE
import Crypto
import TestSupport

/// A COSE_Sign1 whose parts a test may set to anything.
func message(
  protected: CBORValue = .bytes([0xa1, 0x01, 0x26]), unprotected: CBORValue = .map([]),
  payload: CBORValue = .bytes([1, 2, 3]), last: CBORValue = .bytes([UInt8](repeating: 1, count: 64))
) -> CBORValue {
  .array([protected, unprotected, payload, last])
}

/// Reads a COSE_Sign1 that a test wrote.
func sign1(_ value: CBORValue) throws -> COSESign1 {
  try COSESign1(CBORReader.read(value.encoded, leniency: .received))
}

/// Reads a COSE_Mac0 that a test wrote.
func mac0(_ value: CBORValue) throws -> COSEMac0 {
  try COSEMac0(CBORReader.read(value.encoded, leniency: .received))
}

/// Returns the code of the error that a body throws, or nil.
func refusal(_ body: () throws -> Void) -> COSEError.Code? { refusal(COSEError.self, body) }
