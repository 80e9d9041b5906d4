import { type Address, forks, type Hex, type Word } from '@understudy/evm'
import { encodeFunctionData } from 'viem'
import { BatchExecutor } from '../../generated/walletContracts/index.js'
import type { History } from '../chain/history/history.ts'
import type { Submission } from '../chain/submission/submission.ts'
import { delegationTo } from '../ethereum/authorization.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { Execution } from '../execution/execution.ts'
import type { Senders } from '../senders/senders.ts'
import { createKeyedMutex } from '../shared/async/mutex.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import type { StateWrites } from '../state/stateWrites.ts'
import { loadCode } from '../state/view.ts'

/** One call of a bundle. Without `to`, it creates a contract. */
export type WalletCall = { to?: Address; value?: bigint; data?: Uint8Array }

export type CallsRequest = {
  /** Default: the first funded account. */
  from: Address | undefined
  chainId: bigint
  /** Whether all calls or none must take effect. */
  atomicRequired: boolean
  calls: readonly WalletCall[]
  /** An id that the page chose. */
  id: string | undefined
  /** The names of capabilities that it cannot do without. */
  requiredCapabilities: readonly string[]
}

/** Whether an account runs several calls as one: at once, after a delegation, or not at all. */
export type AtomicStatus = 'supported' | 'ready' | 'unsupported'

export type CallsStatus = {
  isAtomic: boolean
  /** Calls after one that failed were not sent. */
  isIncomplete: boolean
  /** In order; fewer than transactions while some are pending. */
  receipts: Receipt[]
  isPending: boolean
}

/** Bundles of calls (EIP-5792). */
export type WalletCalls = {
  /** Resolves with the id of the bundle. Throws the errors of EIP-5792, and those of sending a transaction. */
  send(request: CallsRequest): Promise<string>
  /** Throws `WALLET_CALLS_UNKNOWN`. */
  loadStatus(id: string): Promise<CallsStatus>
  atomicStatus(account: Address): Promise<AtomicStatus>
}

type Needs = {
  history: Pick<History, 'at' | 'next' | 'loadReceipt' | 'loadTransaction' | 'chainId'>
  execution: Pick<Execution, 'estimateGas'>
  submission: Pick<Submission, 'send' | 'pendingNonce'>
  senders: Pick<Senders, 'funded' | 'signAuthorization'>
  state: Pick<StateWrites, 'setCode'>
}

/** Where the code is that accounts delegate to. */
export const executorAddress: Address = '0x7702000000000000000000000000000000005792'
const executorCode = bytesFromHex(BatchExecutor.deployedBytecode)
const delegation = delegationTo(executorAddress)

/** Most calls of a bundle. */
export const callsLimit = 100
/** How many ids that pages chose are remembered. */
const chosenIdLimit = 1000

const delegationFork = forks.indexOf('prague')

export function createWalletCalls({ history, execution, submission, senders, state }: Needs): WalletCalls {
  /** Bundles of one account are sent one at a time. */
  const sends = createKeyedMutex<Address>()
  /** The ids of bundles by those that pages chose, the oldest first. */
  const chosenIds = new Map<string, string>()

  async function atomicStatus(account: Address): Promise<AtomicStatus> {
    const { view, block } = await history.at('pending')
    const code = await loadCode(view, account)
    if (hexFromBytes(code) === hexFromBytes(delegation)) return 'supported'
    return code.length === 0 && forks.indexOf(block.fork) >= delegationFork ? 'ready' : 'unsupported'
  }

  async function sendAtomically(from: Address, calls: readonly WalletCall[], isDelegated: boolean): Promise<string> {
    const encoded = calls.map(({ to, value = 0n, data = new Uint8Array() }, index) => {
      if (to) return { to, value, data: hexFromBytes(data) }
      throw new NetworkError('INVALID_PARAMS', {
        field: `params[0].calls[${index}].to`,
        problem: 'is missing: a contract cannot be created in a bundle that is atomic',
      })
    })
    const data = encodeFunctionData({ abi: BatchExecutor.abi, functionName: 'execute', args: [encoded] })
    const request = { from, to: from, data: bytesFromHex(data) }
    if (isDelegated) return idOf('atomic', [await submission.send(request)])
    // The transaction delegates the account, and then calls it: both take effect, or neither. With its nonce given, no
    // other transaction of the account comes between.
    const nonce = await submission.pendingNonce(from)
    const { chainId } = history
    const authorization = senders.signAuthorization(from, { chainId, address: executorAddress, nonce: nonce + 1n })
    const delegating = { ...request, nonce, authorizationList: [authorization] }
    const at = await history.at('pending')
    const gas = await execution.estimateGas(delegating, at, {
      state: new Map([[executorAddress, { code: executorCode }]]),
    })
    if (hexFromBytes(await loadCode(at.view, executorAddress)) !== BatchExecutor.deployedBytecode)
      await state.setCode(executorAddress, executorCode)
    return idOf('atomic', [await submission.send({ ...delegating, gas })])
  }

  async function sendOneByOne(from: Address, calls: readonly WalletCall[]): Promise<string> {
    const hashes: Word[] = []
    for (const call of calls)
      try {
        const hash = await submission.send({ from, ...call })
        hashes.push(hash)
        const receipt = await history.loadReceipt(hash)
        if (receipt?.origin === 'local' && receipt.value.status === 'failed') break
      } catch (error) {
        if (hashes.length === 0) throw error
        break
      }
    return idOf(hashes.length === calls.length ? 'whole' : 'cut short', hashes)
  }

  async function sendNow(from: Address, { calls, atomicRequired }: CallsRequest): Promise<string> {
    const [only, ...others] = calls
    if (only && others.length === 0) return idOf('atomic', [await submission.send({ from, ...only })])
    const status = await atomicStatus(from)
    if (!atomicRequired && status !== 'supported') return sendOneByOne(from, calls)
    if (status === 'unsupported') throw new NetworkError('WALLET_ATOMICITY_UNSUPPORTED', { address: from })
    return sendAtomically(from, calls, status === 'supported')
  }

  return {
    atomicStatus,
    async send(request) {
      const { chainId, calls, id, requiredCapabilities } = request
      const [unknown] = requiredCapabilities
      if (unknown !== undefined) throw new NetworkError('WALLET_CAPABILITY_UNSUPPORTED', { capability: unknown })
      if (chainId !== history.chainId)
        throw new NetworkError('WALLET_CHAIN_UNSUPPORTED', { chainId, own: history.chainId })
      if (calls.length > callsLimit)
        throw new NetworkError('WALLET_CALLS_TOO_LARGE', { count: calls.length, limit: callsLimit })
      if (id !== undefined && (chosenIds.has(id) || readId(id)))
        throw new NetworkError('WALLET_CALLS_DUPLICATE', { id })
      const from = request.from ?? senders.funded()[0]
      if (!from) throw new NetworkError('INVALID_PARAMS', { field: 'params[0].from', problem: 'is missing' })
      if (id === undefined) return sends.run(from, () => sendNow(from, request))
      chosenIds.set(id, '')
      for (const oldest of chosenIds.keys()) if (chosenIds.size > chosenIdLimit) chosenIds.delete(oldest)
      try {
        chosenIds.set(id, await sends.run(from, () => sendNow(from, request)))
      } catch (error) {
        chosenIds.delete(id)
        throw error
      }
      return id
    },
    async loadStatus(id) {
      const read = readId(chosenIds.get(id) ?? id)
      const unknown = () => new NetworkError('WALLET_CALLS_UNKNOWN', { id: id.slice(0, 100) })
      if (!read) throw unknown()
      const { kind, hashes } = read
      const found = await Promise.all(hashes.map((hash) => history.loadReceipt(hash)))
      const receipts = found.flatMap((receipt) => (receipt?.origin === 'local' ? [receipt.value] : []))
      const isPending = receipts.length < hashes.length
      if (receipts.length === 0 && !(await history.loadTransaction(hashes[0] as Word))) throw unknown()
      return { isAtomic: kind === 'atomic', isIncomplete: kind === 'cut short', receipts, isPending }
    },
  }
}

/** `whole` and `cut short` are bundles whose calls are transactions of their own. */
const kinds = ['atomic', 'whole', 'cut short'] as const
type Kind = (typeof kinds)[number]

/** The id of a bundle holds the hashes of its transactions, so that nothing has to be stored. */
function idOf(kind: Kind, hashes: readonly Word[]): Hex {
  return `0x0${kinds.indexOf(kind)}${hashes.map((hash) => hash.slice(2)).join('')}`
}

function readId(id: string): { kind: Kind; hashes: Word[] } | undefined {
  const kind = kinds[Number(id[3])]
  const count = (id.length - 4) / 64
  if (!kind || !/^0x0[0-2][\da-f]+$/.test(id) || !Number.isInteger(count) || count < 1 || count > callsLimit)
    return undefined
  const hashes = Array.from({ length: count }, (_, index): Word => `0x${id.slice(4 + 64 * index, 68 + 64 * index)}`)
  return { kind, hashes }
}
