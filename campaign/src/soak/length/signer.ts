import { createRequire } from 'node:module'
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256, numberToHex, serializeTransaction } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

type Native = { ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number } }

const { ecdsaSign } = createRequire(import.meta.url)('secp256k1') as Native

/** A key that signs transactions of one chain and counts its nonces. */
export type Signer = {
  readonly address: Address
  sign(transaction: { to: Address; data?: Hex; value?: bigint; gas: bigint }): Hex
}

/** Signs natively: a soak signs a million transactions, and JavaScript takes a millisecond for each. */
export function createSigner(privateKey: Hex, chainId: number): Signer {
  const key = hexToBytes(privateKey)
  let nonce = 0
  return {
    address: privateKeyToAddress(privateKey),
    sign(transaction) {
      const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n }
      const unsigned = { type: 'eip1559', chainId, nonce: nonce++, ...transaction, ...fees } as const
      const { signature, recid } = ecdsaSign(hexToBytes(keccak256(serializeTransaction(unsigned))), key)
      const [r, s] = [bytesToHex(signature.subarray(0, 32)), bytesToHex(signature.subarray(32))]
      return serializeTransaction(unsigned, { r, s, yParity: recid })
    },
  }
}

/** The key of a number above zero. */
export const keyOf = (number: number): Hex => numberToHex(number, { size: 32 })
