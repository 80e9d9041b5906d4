import type { Address, Done, Log, Word } from '@understudy/evm'
import { transfersOfLog } from '../../activity/transfers.ts'
import { systemAddress, zeroAddress } from '../../ethereum/constants.ts'
import { addressFromWord, hexFromBytes } from '../../shared/hex.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import type { AssetChange } from './outcome.ts'
import type { PlacedFrame, RunEvent } from './run.ts'

/**
 * A move that was seen. `isClaim`: an event `Deposit` or `Withdrawal`, which is that of a token that wraps ether only if a
 * balance changed by as much.
 */
export type Move = Omit<AssetChange, 'formatted'> & { isClaim: boolean }

/** `Deposit(address,uint256)` and `Withdrawal(address,uint256)`, of WETH9 and its copies. */
const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/** How long finding moves may block other requests, in milliseconds. */
const sliceMs = 10

/** The moves that calls and events of a run tell of, in their order; none of a run that failed. */
export async function movesOf(
  { logs, status }: Pick<Done, 'logs' | 'status'>,
  { placed, events }: { placed: readonly PlacedFrame[]; events: readonly RunEvent[] },
): Promise<Move[]> {
  if (status !== 'success') return []
  const pace = createPace(sliceMs)
  const moves: Move[] = []
  for (const [index, event] of events.entries()) {
    if (index % 50 === 49) await pace()
    const log = event.type === 'log' ? logs[event.log] : undefined
    if (event.type === 'frame') moves.push(...etherMove(placed[event.frame], event.frame))
    else if (log) moves.push(...movesOfLog(log, event.frame))
  }
  return moves
}

const seen = { isWrap: false, inferred: false, isClaim: false, tokenId: undefined } as const

function etherMove(placed: PlacedFrame | undefined, frame: number): Move[] {
  if (placed?.status !== 'succeeded') return []
  const { type, from, to, value } = placed.frame
  if (value === 0n || type === 'DELEGATECALL' || type === 'CALLCODE' || type === 'STATICCALL') return []
  // What destroys itself in favour of itself burns its ether.
  const isBurned = type === 'SELFDESTRUCT' && from === to
  return [
    {
      ...seen,
      kind: 'native',
      type: isBurned ? 'burn' : 'transfer',
      token: undefined,
      from,
      to: isBurned ? undefined : to,
      amount: value,
      frame,
    },
  ]
}

function movesOfLog(log: Log, frame: number): Move[] {
  // Since Amsterdam, the protocol logs the moves of ether (EIP-7708), which the frames show.
  if (log.address === systemAddress) return []
  const claim = claimOf(log, frame)
  if (claim) return [claim]
  return transfersOfLog(log).map(({ kind, token, sender, recipient, tokenId, amount }): Move => {
    const ends = endsOf(sender, recipient)
    return { ...seen, kind, token, tokenId, amount, ...ends, frame }
  })
}

/** A mint comes from the zero address, and a burn goes there. */
function endsOf(sender: Address, recipient: Address): Pick<Move, 'type' | 'from' | 'to'> {
  if (sender === zeroAddress) return { type: 'mint', from: undefined, to: recipient }
  if (recipient === zeroAddress) return { type: 'burn', from: sender, to: undefined }
  return { type: 'transfer', from: sender, to: recipient }
}

function claimOf({ address: token, topics, data }: Log, frame: number): Move | undefined {
  const [topic, holder, more] = topics as [Word?, Word?, Word?]
  if ((topic !== depositTopic && topic !== withdrawalTopic) || !holder || more || data.length !== 32) return undefined
  const address = addressFromWord(holder)
  const ends =
    topic === depositTopic
      ? ({ type: 'mint', from: undefined, to: address } as const)
      : ({ type: 'burn', from: address, to: undefined } as const)
  return { ...seen, kind: 'erc20', token, amount: BigInt(hexFromBytes(data)), ...ends, frame, isClaim: true }
}

/** What a holder gained by a move; negative if it lost. */
export function gainOf({ from, to, amount, kind }: Move, holder: Address): bigint {
  const units = kind === 'erc721' ? 1n : amount
  return (to === holder ? units : 0n) - (from === holder ? units : 0n)
}
