import type { Address, Log, Word } from '@understudy/evm'
import { formatUnits } from 'viem'
import { permit2 } from '../../chain/rewind/permit2.ts'
import { zeroAddress } from '../../ethereum/constants.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { addressFromWord, hexFromBytes } from '../../shared/hex.ts'
import type { LoadingView } from '../../state/view.ts'
import type { ApprovalChange, TouchedToken } from './outcome.ts'
import type { PlacedFrame } from './run.ts'
import { type Answer, callData, type StateReads, wordOf } from './stateReads.ts'

/** An approval that a call set. `told`: what it was set to, where an event says so. */
export type SetApproval = Pick<ApprovalChange, 'kind' | 'type' | 'by' | 'token' | 'owner' | 'spender' | 'tokenId'> & {
  told: bigint | undefined
}

const topics = {
  /** `Approval(address,address,uint256)`, of ERC-20 and ERC-721. */
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** `ApprovalForAll(address,address,bool)`. */
  forAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  /** Permit2's `Approval(address,address,address,uint160,uint48)`. */
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  /** Permit2's `Permit(address,address,address,uint160,uint48,uint48)`. */
  permit2Permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
  /** Permit2's `Lockdown(address,address,address)`, which ends an allowance. */
  permit2Lockdown: '0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4',
} as const

const selectors = {
  /** `approve(address,uint256)`. */
  approve: '0x095ea7b3',
  /** `permit(address,address,uint256,uint256,uint8,bytes32,bytes32)` of EIP-2612. */
  permit: '0xd505accf',
  /** DAI's `permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)`. */
  daiPermit: '0x8fcbaf0c',
} as const

/** Maximum number of approvals of a call. */
export const approvalLimit = 200

/** The approvals that events and calls of a run tell of, each once. */
export function approvalsOf(logs: readonly Log[], placed: readonly PlacedFrame[]): SetApproval[] {
  const found = new Map<string, SetApproval>()
  const permitted = new Set<string>()
  const add = (approval: SetApproval) => found.set(keyOf(approval), approval)
  for (const { frame, status } of placed) {
    if (status !== 'succeeded' || frame.type !== 'CALL' || frame.input.length < 68) continue
    const selector = hexFromBytes(frame.input.subarray(0, 4))
    const [first, second] = [addressAt(frame.input, 0), addressAt(frame.input, 1)]
    const isPermit = selector === selectors.permit || selector === selectors.daiPermit
    if (!isPermit && selector !== selectors.approve) continue
    const [owner, spender] = isPermit ? [first, second] : [frame.from, first]
    const approval = { ...plain, token: frame.to, owner, spender, told: undefined } as const
    if (isPermit) permitted.add(keyOf(approval))
    add({ ...approval, by: isPermit ? 'permit' : 'call' })
  }
  for (const log of logs) {
    const approval = approvalOfLog(log)
    if (!approval) continue
    if (approval.kind === 'erc721') found.delete(keyOf({ ...approval, kind: 'erc20', tokenId: undefined }))
    add(permitted.has(keyOf(approval)) ? { ...approval, by: 'permit' } : approval)
  }
  return [...found.values()].filter(({ spender }) => spender !== zeroAddress)
}

const plain = { kind: 'erc20', type: 'approve', by: 'call', tokenId: undefined } as const

function keyOf({ kind, type, by, token, owner, spender, tokenId }: Omit<SetApproval, 'told'>): string {
  return [kind, type, by === 'permit2', token, owner, spender, tokenId].join(' ')
}

function addressAt(input: Uint8Array, index: number): Address {
  return addressFromWord(hexFromBytes(input.subarray(4 + 32 * index, 36 + 32 * index)))
}

function approvalOfLog({ address: token, topics: words, data }: Log): SetApproval | undefined {
  const [topic, one, two, three] = words as [Word?, Word?, Word?, Word?]
  if (topic === topics.permit2Lockdown && token === permit2 && one && data.length >= 64) {
    const [of, spender] = [addressFromWord(wordHex(data, 0)), addressFromWord(wordHex(data, 1))]
    return { ...plain, by: 'permit2', token: of, owner: addressFromWord(one), spender, told: 0n }
  }
  if (!one || !two) return undefined
  const [owner, spender] = [addressFromWord(one), addressFromWord(two)]
  const isOfPermit2 = topic === topics.permit2Approval || topic === topics.permit2Permit
  if (isOfPermit2 && token === permit2 && three && data.length >= 64)
    return { ...plain, by: 'permit2', token: spender, owner, spender: addressFromWord(three), told: wordIn(data) }
  if (topic === topics.forAll && data.length === 32)
    return { ...plain, kind: 'erc721', type: 'approveAll', token, owner, spender, told: wordIn(data) }
  if (topic !== topics.approval) return undefined
  if (three !== undefined)
    return data.length === 0
      ? { ...plain, kind: 'erc721', token, owner, spender, tokenId: BigInt(three), told: 1n }
      : undefined
  return data.length === 32 ? { ...plain, token, owner, spender, told: wordIn(data) } : undefined
}

const wordHex = (data: Uint8Array, index: number): Word => hexFromBytes(data.subarray(32 * index, 32 * index + 32))
const wordIn = (data: Uint8Array): bigint => BigInt(wordHex(data, 0))

/** Asks what is left of an approval. */
export function askApproval(reads: StateReads, view: LoadingView, approval: SetApproval): MaybePromise<Answer> {
  const { kind, type, by, token, owner, spender, tokenId = 0n } = approval
  if (by === 'permit2') return reads.ask(view, permit2, callData('927da105', owner, token, spender))
  if (type === 'approveAll') return reads.ask(view, token, callData('e985e9c5', owner, spender))
  if (kind === 'erc721') return reads.ask(view, token, callData('081812fc', tokenId))
  return reads.ask(view, token, callData('dd62ed3e', owner, spender))
}

/** An approval as it is before and after a run; none if nothing may be spent before or after it. */
export function approvalChange(
  { told, ...approval }: SetApproval,
  had: Answer,
  has: Answer,
  tokens: ReadonlyMap<Address, TouchedToken>,
): ApprovalChange[] {
  const { type, by, spender, tokenId, token } = approval
  const isOfOne = tokenId !== undefined
  const amountIn = (answer: Answer) => {
    const word = wordOf(answer)
    if (!isOfOne || word === undefined) return word
    return word === BigInt(spender) ? 1n : 0n
  }
  const before = amountIn(had)
  const amount = amountIn(has) ?? told ?? 0n
  if (amount === 0n && (before ?? 0n) === 0n) return []
  const { kind = approval.kind, decimals } = tokens.get(token) ?? {}
  return [
    {
      ...approval,
      kind,
      before: isOfOne ? undefined : before,
      amount,
      formatted: kind === 'erc20' && decimals !== undefined ? formatUnits(amount, decimals) : undefined,
      isUnlimited: type === 'approveAll' ? amount > 0n : amount >= (by === 'permit2' ? mostOfPermit2 : 1n << 255n),
      expiration: by === 'permit2' ? wordOf(has, 1) : undefined,
    },
  ]
}

const mostOfPermit2 = (1n << 160n) - 1n
