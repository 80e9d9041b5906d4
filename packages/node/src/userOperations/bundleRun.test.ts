import { expect, it } from 'vitest'
import { entryPoints } from '../ethereum/encodings/userOperations/entryPoints.ts'
import { decodeBundle, type UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { bundleGas, bundleRequest } from './bundleRun.ts'

const [latest, , oldest] = entryPoints as [(typeof entryPoints)[number], unknown, (typeof entryPoints)[number]]
const [account, payer, bundler] = [`0x${'a1'.repeat(20)}`, `0x${'ba'.repeat(20)}`, `0x${'bd'.repeat(20)}`] as const
const operation: UserOperation = {
  sender: account,
  nonce: 3n,
  factory: undefined,
  factoryData: '0x',
  callData: '0x1234',
  callGasLimit: 630_000n,
  verificationGasLimit: 63_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 9n,
  maxPriorityFeePerGas: 2n,
  paymaster: undefined,
  signature: '0x5678',
  authorization: undefined,
}
const paymaster = { address: payer, data: '0x', verificationGasLimit: 6_300n, postOpGasLimit: 630n } as const
/** What is held back from calls for the limits, and what the entry point needs beside them. */
const gas = (limits: bigint) => (limits * 64n) / 63n + 50_000n + 100_000n

it('gives a bundle the gas of all limits of its operation', () => {
  expect(bundleGas(operation, latest)).toBe(gas(693_000n))
  expect(bundleGas({ ...operation, paymaster }, latest)).toBe(gas(693_000n + 6_930n))
})

it('gives it what version 0.6 reserves several times by one limit', () => {
  expect(bundleGas(operation, oldest)).toBe(gas(630_000n + 2n * 63_000n))
  const without = { ...paymaster, verificationGasLimit: 0n, postOpGasLimit: 0n }
  expect(bundleGas({ ...operation, paymaster: without }, oldest)).toBe(gas(630_000n + 3n * 63_000n))
})

it('sends the operation from the bundler, with its delegation', () => {
  const authorization = { address: payer } as NonNullable<UserOperation['authorization']>
  for (const entryPoint of [latest, oldest]) {
    const request = bundleRequest({ ...operation, authorization }, entryPoint, bundler)
    expect(request).toMatchObject({
      from: bundler,
      to: entryPoint.address,
      gas: bundleGas(operation, entryPoint),
      authorizationList: [authorization],
    })
    expect(decodeBundle(hexFromBytes(request.data ?? new Uint8Array()), entryPoint)).toEqual([operation])
    expect(bundleRequest(operation, entryPoint, bundler)).not.toHaveProperty('authorizationList')
  }
})
