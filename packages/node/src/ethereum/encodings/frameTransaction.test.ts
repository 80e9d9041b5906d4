import { expect, it } from 'vitest'
import { hexFromBytes } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { encodeTyped } from '../../shared/rlp/encodeRlp.ts'
import { frameItems, frameTransactionFromRpc } from './frameTransaction.ts'
import { rebuildTransaction } from './rebuilt.ts'

const sender = `0x${'dd'.repeat(20)}`
const frame = { mode: '0x2', flags: '0x0', target: sender, gasLimit: '0x5208', value: '0x0', data: '0x' }
const fields = {
  type: '0x6',
  chainId: '0x1',
  nonce: '0x0',
  sender,
  frames: [frame],
  maxPriorityFeePerGas: '0x1',
  maxFeePerGas: '0x2',
}
const hashed = (raw: Record<string, unknown>) => ({ ...raw, hash: keccak(encodeTyped(6, frameItems(raw))) })

it('reads the fields of drafts as well, with their own hash', () => {
  const draft = hashed(fields)
  const limits = { execution: '0x5208', state: '0x1' }
  const current = hashed({
    ...fields,
    frames: [{ ...frame, gasLimit: undefined, limits }],
    fees: { maxPriorityFeePerGas: '0x1', maxFeePerGas: 2, maxFeePerBlobGas: '0x0' },
  })
  expect(draft.hash).not.toBe(current.hash)
  for (const raw of [draft, current])
    expect(frameTransactionFromRpc(raw)).toMatchObject({ sender, maxFeePerGas: 2n, isProven: true })
  expect(frameTransactionFromRpc(draft)?.frames[0]).toMatchObject({ gasLimit: 21_000n, stateGasLimit: undefined })
  expect(frameTransactionFromRpc(current)?.frames[0]).toMatchObject({ gasLimit: 21_000n, stateGasLimit: 1n })
  expect(hexFromBytes(rebuildTransaction(current) ?? new Uint8Array())).toMatch(/^0x06/)
})

it('says that a hash is not that of the fields', () => {
  const other = { ...hashed(fields), nonce: '0x7' }
  expect(frameTransactionFromRpc(other)?.isProven).toBe(false)
  expect(rebuildTransaction(other)).toBeUndefined()
})

it.each([
  ['another type', { type: '0x2' }],
  ['no frames', { frames: undefined }],
  ['frames that are no objects', { frames: ['0x'] }],
  ['more frames than any draft allows', { frames: Array.from({ length: 257 }, () => frame) }],
  ['an unknown mode', { frames: [{ ...frame, mode: '0x3' }] }],
  ['a target of another length', { frames: [{ ...frame, target: '0x12' }] }],
  ['data that are no bytes', { frames: [{ ...frame, data: '0x123' }] }],
  ['a quantity that is none', { nonce: '-1' }],
  ['a number that is too large', { maxFeePerGas: `0x1${'0'.repeat(64)}` }],
  ['a signature without a scheme', { signatures: [{ signer: '0x', msg: '0x', signature: '0x' }] }],
  ['no sender', { sender: undefined }],
])('leaves a transaction with %s as it is', (_, change) => {
  const raw = { ...fields, hash: `0x${'00'.repeat(32)}`, ...change }
  expect(frameTransactionFromRpc(raw)).toBeUndefined()
  if (raw.type === '0x6') expect(rebuildTransaction(raw)).toBeUndefined()
})
