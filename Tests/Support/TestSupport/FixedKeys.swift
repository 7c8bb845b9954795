import Crypto

/// Returns a private key for signatures that is the same in every run: 32 times a number.
public func fixedKey(_ number: UInt8 = 1) throws -> P256.Signing.PrivateKey {
  try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: number, count: 32))
}

/// Returns a private key for key agreement that is the same in every run: 32 times a number.
public func fixedAgreementKey(_ number: UInt8 = 1) throws -> P256.KeyAgreement.PrivateKey {
  try P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: number, count: 32))
}
