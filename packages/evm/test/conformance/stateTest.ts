import { pointFromScalar } from 'tiny-secp256k1'
import { bytesFromHex, hexFromBytes } from '../../src/bytes.ts'
import type { Evm } from '../../src/engine.ts'
import { keccak256 } from '../../src/keccak.ts'
import type { BlockContext, CallFrame, Done, Fork, Hex, Log, Message, Word } from '../../src/port.ts'
import { applyDiff, isEmpty, MemoryState } from './memoryState.ts'
import { rlp, type StateAccount, stateRoot } from './trie.ts'

/** An official state test (ethereum/tests, GeneralStateTests). */
export type StateTest = {
  env: Record<string, Hex>
  pre: Record<string, { balance: Hex; nonce: Hex; code: Hex; storage: Record<Hex, Hex> }>
  transaction: {
    data: Hex[]
    gasLimit: Hex[]
    value: Hex[]
    nonce: Hex
    to: Hex | ''
    sender?: Hex
    secretKey: Hex
    gasPrice?: Hex
    maxFeePerGas?: Hex
    maxPriorityFeePerGas?: Hex
    maxFeePerBlobGas?: Hex
    blobVersionedHashes?: Word[]
    accessLists?: ({ address: Hex; storageKeys: Word[] }[] | null)[]
  }
  post: Record<string, Post[]>
}

export type Post = {
  hash: Hex
  logs: Hex
  indexes: { data: number; gas: number; value: number }
  expectException?: string
}

/** The forks that the tests name and the engine runs. */
export const forkNames: Record<string, Fork> = {
  Berlin: 'berlin',
  London: 'london',
  Paris: 'paris',
  Merge: 'paris',
  Shanghai: 'shanghai',
  Cancun: 'cancun',
  Prague: 'prague',
  Osaka: 'osaka',
}

function word(hex: Hex): Word {
  return `0x${hex.slice(2).padStart(64, '0')}`
}

export function stateFromJson(pre: StateTest['pre']): Map<string, StateAccount> {
  return new Map(
    Object.entries(pre).map(([address, { balance, nonce, code, storage }]) => [
      address.toLowerCase(),
      {
        balance: BigInt(balance),
        nonce: BigInt(nonce),
        code: bytesFromHex(code),
        storage: new Map(
          Object.entries(storage)
            .map(([key, value]) => [word(key as Hex), BigInt(value)] as const)
            .filter(([, value]) => value !== 0n),
        ),
      },
    ]),
  )
}

/** EIP-4844's fake_exponential, with the update fraction of Cancun. */
function blobBaseFee(excess: bigint): bigint {
  const denominator = 3338477n
  let [sum, term, i] = [0n, denominator, 1n]
  while (term > 0n) {
    sum += term
    term = (term * excess) / (denominator * i++)
  }
  return sum / denominator
}

function blockOf({ env }: StateTest, fork: Fork): BlockContext {
  const merged = fork !== 'berlin' && fork !== 'london'
  const number = (name: string) => BigInt(env[name] ?? '0x0')
  return {
    chainId: 1n,
    fork,
    number: number('currentNumber'),
    timestamp: number('currentTimestamp'),
    coinbase: (env.currentCoinbase as Hex).toLowerCase() as Hex,
    gasLimit: number('currentGasLimit'),
    baseFee: fork === 'berlin' ? 0n : number('currentBaseFee'),
    prevRandao: number(merged ? 'currentRandom' : 'currentDifficulty'),
    blobBaseFee: fork === 'cancun' ? blobBaseFee(number('currentExcessBlobGas')) : 0n,
  }
}

function senderOf({ transaction }: StateTest): Hex {
  if (transaction.sender !== undefined) return transaction.sender.toLowerCase() as Hex
  const publicKey = pointFromScalar(bytesFromHex(transaction.secretKey), false)
  if (publicKey === null) throw new Error('The test has no valid key')
  return hexFromBytes(keccak256(publicKey.subarray(1)).subarray(12))
}

function messageOf(test: StateTest, post: Post, block: BlockContext): Message {
  const tx = test.transaction
  const optional = (hex: Hex | undefined) => (hex === undefined ? undefined : BigInt(hex))
  const maxFeePerGas = optional(tx.maxFeePerGas)
  const maxPriorityFeePerGas = optional(tx.maxPriorityFeePerGas)
  let gasPrice = optional(tx.gasPrice) ?? 0n
  if (maxFeePerGas !== undefined) {
    const bid = block.baseFee + (maxPriorityFeePerGas ?? 0n)
    gasPrice = bid < maxFeePerGas ? bid : maxFeePerGas
  }
  return {
    from: senderOf(test),
    to: tx.to === '' ? undefined : (tx.to.toLowerCase() as Hex),
    value: BigInt(tx.value[post.indexes.value] as Hex),
    data: bytesFromHex(tx.data[post.indexes.data] as Hex),
    gasLimit: BigInt(tx.gasLimit[post.indexes.gas] as Hex),
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce: BigInt(tx.nonce),
    accessList: tx.accessLists?.[post.indexes.data]?.map(({ address, storageKeys }) => ({
      address: address.toLowerCase() as Hex,
      storageKeys: storageKeys.map(word),
    })),
    maxFeePerBlobGas: optional(tx.maxFeePerBlobGas),
    blobVersionedHashes: tx.blobVersionedHashes,
  }
}

/** RIPEMD-160: on the main chain its account stayed deleted although the frame that touched it failed, and that became the rule. */
const touchedEvenIfFailed: Hex = `0x${'3'.padStart(40, '0')}`

/** Addresses that a successful frame touched in the sense of EIP-161: empty ones among them are deleted. */
function touched(frames: readonly CallFrame[], coinbase: Hex): Set<string> {
  const addresses = new Set<string>([coinbase])
  let failedDepth = Number.POSITIVE_INFINITY
  for (const { type, depth, to, error } of frames) {
    if (depth <= failedDepth) failedDepth = Number.POSITIVE_INFINITY
    if (error !== undefined && depth < failedDepth) failedDepth = depth
    if (type === 'DELEGATECALL' || type === 'CALLCODE') continue
    if (failedDepth === Number.POSITIVE_INFINITY || to === touchedEvenIfFailed) addresses.add(to)
  }
  return addresses
}

function stateAfter(before: Map<string, StateAccount>, result: Done, coinbase: Hex): Map<string, StateAccount> {
  const after = applyDiff(before, result.diff)
  for (const address of touched(result.frames, coinbase)) if (isEmpty(after.get(address))) after.delete(address)
  return after
}

function logsHash(logs: readonly Log[]): Hex {
  const encoded = rlp(
    logs.map(({ address, topics, data }) => [bytesFromHex(address), topics.map((topic) => bytesFromHex(topic)), data]),
  )
  return hexFromBytes(keccak256(encoded))
}

/** Runs one vector; answers what is wrong, or `undefined`. */
export function runVector(evm: Evm, test: StateTest, fork: Fork, post: Post): string | undefined {
  const before = stateFromJson(test.pre)
  const block = blockOf(test, fork)
  const result = evm.run(messageOf(test, post, block), block, new MemoryState(before), { kind: 'transaction' })
  if (result.type === 'missing') return 'state is missing'
  if (result.type === 'rejected') {
    if (post.expectException === undefined) return `rejected: ${result.reason}`
    const root = hexFromBytes(stateRoot(before))
    return root === post.hash ? undefined : `rejected, but the state before has the root ${root}`
  }
  if (post.expectException !== undefined) return `not rejected: ${post.expectException}`
  const logs = logsHash(result.logs)
  if (logs !== post.logs) return `logs ${logs}, not ${post.logs}`
  const root = hexFromBytes(stateRoot(stateAfter(before, result, block.coinbase)))
  return root === post.hash
    ? undefined
    : `state root ${root}, not ${post.hash} (gas ${result.gasUsed}, ${result.halt ?? result.status})`
}
