import type { Done, Log, Word } from '@understudy/evm'
import { encodeAbiParameters, pad, toBytes } from 'viem'
import { expect, it } from 'vitest'
import { transfersOf } from './transfers.ts'

const token = `0x${'70'.repeat(20)}` as const
const [operator, sender, recipient] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}` as const)
const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

const transfersOfLog = (event: Word, data: Uint8Array) => {
  const topics = [event, ...[operator, sender, recipient].map((address) => pad(address ?? '0x'))]
  const logs: Log[] = [{ address: token, topics, data }]
  return transfersOf({ frames: [], logs } as Partial<Done> as Done, [])
}
const moved = { kind: 'erc1155', token, sender, recipient }

it('reads a transfer of one ERC-1155 token', () => {
  const data = toBytes(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, 5n]))
  expect(transfersOfLog(single, data)).toEqual([{ ...moved, tokenId: 7n, amount: 5n }])
})

it('reads a batch of ERC-1155 tokens', () => {
  const lists = [
    [7n, 8n],
    [5n, 6n],
  ] as const
  const data = toBytes(encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], lists))
  expect(transfersOfLog(batch, data)).toEqual([
    { ...moved, tokenId: 7n, amount: 5n },
    { ...moved, tokenId: 8n, amount: 6n },
  ])
})

it('passes over an event of the same name that holds something else', () => {
  expect(transfersOfLog(batch, new Uint8Array(31))).toEqual([])
})
