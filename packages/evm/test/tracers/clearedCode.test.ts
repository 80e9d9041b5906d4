import { expect, it } from 'vitest'
import { hexFromBytes } from '../../src/bytes.ts'
import { createEvm } from '../../src/engine.ts'
import { keccak256Hex } from '../../src/keccak.ts'
import type { Address, BlockContext, Message } from '../../src/port.ts'
import { prestateTracer } from '../../src/tracers/prestateTracer.ts'
import { MemoryState } from '../conformance/memoryState.ts'
import { delegationTo } from '../fuzz/program.ts'

const block: BlockContext = {
  chainId: 1n,
  fork: 'prague',
  number: 1n,
  timestamp: 1n,
  coinbase: `0x${'00'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 0n,
  prevRandao: 0n,
  blobBaseFee: 0n,
}
const sender: Address = `0x${'5e'.repeat(20)}`
const authority: Address = `0x${'a0'.repeat(20)}`
const first: Address = `0x${'d1'.repeat(20)}`
const second: Address = `0x${'d2'.repeat(20)}`
const none: Address = `0x${'00'.repeat(20)}`

/** What the diff shows of an account that delegates to the first, and then to each of these. */
async function delegate(...targets: Address[]) {
  const account = { balance: 0n, nonce: 0n, code: new Uint8Array(0), storage: new Map<string, bigint>() }
  const view = new MemoryState(
    new Map([
      [sender, { ...account, balance: 10n ** 18n }],
      [authority, { ...account, nonce: 5n, code: delegationTo(first) }],
    ]),
  )
  const message: Message = {
    from: sender,
    to: none,
    value: 0n,
    data: new Uint8Array(0),
    gasLimit: 200_000n,
    gasPrice: 0n,
    authorizationList: targets.map((address, index) => ({
      chainId: 1n,
      address,
      nonce: 5n + BigInt(index),
      authority,
    })),
  }
  const result = createEvm().run(message, block, view, { kind: 'transaction' })
  if (result.type !== 'done') throw new Error(`It ended as ${result.type}`)
  const run = { message, block, view, result, replay: async () => {} }
  const { pre, post } = (await prestateTracer(run, { diffMode: true })) as Record<string, Record<Address, unknown>>
  return { pre: pre?.[authority], post: post?.[authority] }
}

const code = delegationTo(first)
const pre = { balance: '0x0', nonce: 5, code: hexFromBytes(code), codeHash: keccak256Hex(code) }

it('shows code that was cleared as empty', async () => {
  expect(await delegate(none)).toEqual({
    pre,
    post: { nonce: 6, code: '0x', codeHash: keccak256Hex(new Uint8Array(0)) },
  })
})

it('leaves code out that was changed and set back', async () => {
  expect(await delegate(second, first)).toEqual({ pre, post: { nonce: 7 } })
  expect(await delegate(none, first)).toEqual({ pre, post: { nonce: 7 } })
})
