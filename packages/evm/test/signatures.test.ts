import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expect, it } from 'vitest'
import { hexFromBytes } from '../src/bytes.ts'
import { keccak256 } from '../src/keccak.ts'
import { publicKeyOf, recoverAddressBytes, signHash } from '../src/signatures.ts'

const hash = keccak256(Buffer.from('a message'))
const privateKey = keccak256(Buffer.from('a key'))

it('comes from the prebuilt native module, where the package has one', () => {
  const isPrebuilt = ['linux-x64', 'darwin-arm64', 'win32-x64'].includes(`${process.platform}-${process.arch}`)
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  expect(sharedObjects.some((path) => path.includes('secp256k1'))).toBe(isPrebuilt)
})

it('signs as another library does, and recovers its signer', () => {
  const { r, s, yParity } = signHash(hash, privateKey)
  const signature = Buffer.from(r.slice(2) + s.slice(2), 'hex')
  const [recovery, ...bytes] = secp256k1.sign(hash, privateKey, { prehash: false, format: 'recovered' })
  expect([hexFromBytes(signature), yParity]).toEqual([hexFromBytes(Uint8Array.from(bytes)), recovery])
  const key = publicKeyOf(privateKey, 'whole')
  expect(key).toEqual(secp256k1.getPublicKey(privateKey, false))
  expect(publicKeyOf(privateKey, 'compressed')).toEqual(secp256k1.getPublicKey(privateKey, true))
  expect(recoverAddressBytes(hash, signature, yParity)).toEqual(keccak256(key.subarray(1)).subarray(12))
})

it('refuses private keys and signatures that are not valid', () => {
  const zero = new Uint8Array(32)
  expect(() => publicKeyOf(zero, 'whole')).toThrow('the private key is not valid')
  expect(() => signHash(hash, zero)).toThrow('the private key is not valid')
  for (const byte of [0, 255]) expect(recoverAddressBytes(hash, new Uint8Array(64).fill(byte), 0)).toBeUndefined()
})
