import type { Address, BlockContext, Hex, Message, TracedRun } from '@understudy/evm'
import { l1Block, l1Slots } from '../../ethereum/chains/l1Fees.ts'
import { blobGasPerBlob } from '../../ethereum/fees.ts'
import type { CallRequest } from '../../execution/execution.ts'
import { bytesFromHex } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { type LoadingView, loadSlots } from '../../state/view.ts'
import { simulatedTransaction } from '../simulatedTransaction.ts'
import type { OutcomeFee } from './outcome.ts'
import type { SequenceRun } from './run.ts'

/** What a run cost, or would have. `block` has the real base fee, also where the run paid nothing. */
export async function feeOf(
  { request, run, kind, view, block }: SequenceRun,
  suggestTip: () => bigint | Promise<bigint>,
): Promise<OutcomeFee> {
  const { message, result } = run
  const isCharged = pays(message, kind)
  const isFree = !isCharged && message.mint === undefined
  const gasPrice = isFree ? block.baseFee + (await suggestTip()) : message.gasPrice
  const gas = result.gasUsed * (message.mint === undefined ? gasPrice : 0n)
  const blobs = blobFeeOf(message, block)
  const l1 = await l1FeeOf(message, { request, block, view, gasUsed: result.gasUsed })
  return { gasPrice, baseFee: block.baseFee, gas, blobs, l1, total: gas + blobs + (l1 ?? 0n), isCharged }
}

const pays = (message: Message, kind: SequenceRun['kind']) =>
  message.mint === undefined && (kind === 'transaction' || message.gasPrice > 0n)

const blobFeeOf = ({ blobVersionedHashes = [] }: Message, { blobBaseFee }: BlockContext) =>
  BigInt(blobVersionedHashes.length) * blobGasPerBlob * blobBaseFee

/** What the sender and the coinbase gained by what was paid; negative for what they lost. */
export function paidIn({ message, block, result }: TracedRun, kind: SequenceRun['kind']): Map<Address, bigint> {
  const paid = new Map<Address, bigint>()
  if (!pays(message, kind)) return paid
  const add = (address: Address, wei: bigint) => paid.set(address, (paid.get(address) ?? 0n) + wei)
  add(message.from, -(result.gasUsed * message.gasPrice + blobFeeOf(message, block) + result.surcharge))
  add(block.coinbase, result.gasUsed * (message.gasPrice - block.baseFee))
  return paid
}

type Paying = { request: CallRequest; block: BlockContext; view: LoadingView; gasUsed: bigint }

/** What a rollup takes for the data of a transaction; `undefined` where it takes nothing. */
async function l1FeeOf(message: Message, { request, block, view, gasUsed }: Paying): Promise<bigint | undefined> {
  if (!block.surcharge || message.mint !== undefined) return undefined
  const slots = await loadSlots(view, l1Block, l1Slots)
  const encoded = message.encoded ?? encodingOf(message, block.chainId, request)
  const surcharge = block.surcharge({ ...message, encoded }, (_, slot) => slots.get(slot) ?? 0n)
  return surcharge?.final(gasUsed)
}

/** The encoding of the transaction that a call would be, with bytes instead of its signature: only its size matters. */
export function encodingOf(message: Message, chainId: bigint, request: CallRequest): Hex {
  const { raw } = simulatedTransaction(message, chainId, request)
  const r = keccak(bytesFromHex(raw))
  const s = keccak(bytesFromHex(r))
  return `${raw}a0${r.slice(2)}a0${s.slice(2)}`
}
