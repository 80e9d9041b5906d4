import type { Address, Done, Log, Word } from '@understudy/evm'
import { decodeAbiParameters } from 'viem'
import { transferTopic, zeroAddress } from '../ethereum/constants.ts'
import { addressFromWord, hexFromBytes } from '../shared/hex.ts'
import type { CallRecord } from '../storage/records/activity/calls.ts'
import type { TransferRecord } from '../storage/records/activity/transfers.ts'

export type Transfer = Pick<TransferRecord, 'kind' | 'token' | 'sender' | 'recipient' | 'tokenId' | 'amount'>

/** `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
/** The events with which tokens tell of transfers. */
export const tokenTopics: readonly Word[] = [transferTopic, singleTopic, batchTopic]

const native: Address = zeroAddress
/** Maximum number of stored items of one batch. */
const batchLimit = 1000

/** The transfers of a transaction: ether from its calls, tokens from their events. */
export function transfersOf({ frames, logs }: Done, outcomes: readonly CallRecord['outcome'][]): Transfer[] {
  const ether = frames.flatMap(({ type, from, to, value }, position): Transfer[] =>
    value > 0n && type !== 'DELEGATECALL' && type !== 'CALLCODE' && outcomes[position] === 'succeeded'
      ? [{ kind: 'native', token: native, sender: from, recipient: to, tokenId: undefined, amount: value }]
      : [],
  )
  return [...ether, ...logs.flatMap(transfersOfLog)]
}

/** What the event of a token tells of; empty for other events. */
export function transfersOfLog({ address: token, topics, data }: Log): Transfer[] {
  const [event, one, two, three] = topics
  if (event === transferTopic && one && two) {
    const moved = { token, sender: addressFromWord(one), recipient: addressFromWord(two) }
    if (three !== undefined)
      return data.length === 0 ? [{ kind: 'erc721', ...moved, tokenId: BigInt(three), amount: 1n }] : []
    return data.length === 32
      ? [{ kind: 'erc20', ...moved, tokenId: undefined, amount: BigInt(hexFromBytes(data)) }]
      : []
  }
  if ((event !== singleTopic && event !== batchTopic) || !two || !three) return []
  const moved = { kind: 'erc1155' as const, token, sender: addressFromWord(two), recipient: addressFromWord(three) }
  return itemsOf(event === batchTopic, data).map(([tokenId, amount]) => ({ ...moved, tokenId, amount }))
}

function itemsOf(isBatch: boolean, data: Uint8Array): (readonly [id: bigint, amount: bigint])[] {
  const encoded = hexFromBytes(data)
  try {
    if (!isBatch) return [decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], encoded)]
    const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], encoded)
    return ids.slice(0, batchLimit).map((id, index) => [id, amounts[index] ?? 0n] as const)
  } catch {
    // Another event with the same topic.
    return []
  }
}
