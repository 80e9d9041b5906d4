import { type Address, type BlockContext, type Done, type Fork, type Message, requireRules } from '@understudy/evm'
import type { Block, Head } from '../chain/block.ts'
import type { History } from '../chain/history/history.ts'
import { systemWrites } from '../chain/run/systemContracts.ts'
import { BlockBuilder } from '../chain/sealing/blockBuilder.ts'
import type { BlockObservation } from '../chain/sealing/blockObserver.ts'
import { collectRequests } from '../chain/sealing/blockRequests.ts'
import { zeroWord } from '../ethereum/constants.ts'
import { type Header, headerFromRpc } from '../ethereum/header.ts'
import type { LogEntry } from '../ethereum/log.ts'
import { nextHeader } from '../ethereum/nextHeader.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { Hardforks } from '../ethereum/rules.ts'
import { type Withdrawal, withdrawnWei } from '../ethereum/withdrawal.ts'
import {
  type CallRequest,
  type ExecutionOptions,
  type ExecutionPoint,
  messageFromRequest,
} from '../execution/execution.ts'
import { withMovedPrecompiles } from '../execution/movedPrecompiles.ts'
import { runToEnd } from '../execution/run.ts'
import { diffFromOverrides } from '../execution/stateOverrides.ts'
import { currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { isAnsweredError, NetworkError } from '../shared/errors.ts'
import { wordFromBigint } from '../shared/hex.ts'
import type { BlockTag } from '../state/blockTag.ts'
import { emptyDiff, nextCommitment } from '../state/diff.ts'
import { Overlay } from '../state/overlay.ts'
import { loadAccount } from '../state/view.ts'
import { type BundleRequest, type BundleResult, callBundle } from './callBundle.ts'
import { callMany, type ManyCallsRequest } from './callMany.ts'
import { type PlannedBlock, planBlocks, type SimulatedBlockRequest } from './simulatedChain.ts'
import { simulatedLogs } from './simulatedLogs.ts'
import { simulatedTransaction } from './simulatedTransaction.ts'
import { simulationError } from './simulationErrors.ts'

export type SimulationRequest = {
  blocks: readonly SimulatedBlockRequest[]
  /** Adds a log for each transfer of ether. */
  traceTransfers: boolean
  /** Applies the rules for transactions to calls: nonces, fees, balances. */
  validation: boolean
}

export type SimulatedBlock = {
  block: Block
  receipts: Receipt[]
  results: Done[]
  /** Of each call. Logs of ether transfers are only here, not in the receipts. */
  logs: LogEntry[][]
  withdrawals: readonly Withdrawal[]
}

/** Simulated blocks on top of a block; they are never stored. */
export type Simulation = {
  /** Runs each call on the state after the previous one. Throws if a call is invalid. */
  callMany(request: ManyCallsRequest, at: BlockTag | ExecutionPoint): Promise<Done[][]>
  /** Runs signed transactions in the block after `tag`'s. Throws if one is invalid. */
  callBundle(request: BundleRequest, tag: BlockTag): Promise<BundleResult>
  /** Throws if a call is invalid; a call that fails is part of the result. */
  simulate(request: SimulationRequest, tag: BlockTag): Promise<SimulatedBlock[]>
}

type Needs = {
  history: Pick<History, 'at' | 'next' | 'loadBlock'>
  engine: Engine
  hardforks: Hardforks
  systemContracts: ReadonlySet<Address>
}

/** Nothing is observed, because the blocks never become part of the network. */
const unobserved: BlockObservation = {
  changed() {},
  async afterTransaction() {},
  sealed: async () => async () => {},
  committed() {},
}

/** Limits for all calls of a simulation together: `callGasLimit`, and `callTimeout` in seconds. */
export function createSimulation({ callGasLimit, callTimeout }: ExecutionOptions, needs: Needs): Simulation {
  const { history, engine, hardforks, systemContracts } = needs
  const newTime = () => currentTime(callTimeout * 1000)

  async function startAt(tag: BlockTag): Promise<Head> {
    const found = await history.loadBlock(tag)
    if (!found) {
      const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
      throw new NetworkError('HEADER_NOT_FOUND', { block })
    }
    if (found.origin === 'local') return found.value
    const header = headerFromRpc(found.value)
    const hash = found.value.hash as Head['hash']
    return { hash, header, base: { number: header.number, hash } }
  }

  async function blockAfter(tag: BlockTag) {
    const { block, view } = await history.at(tag)
    return { block: { ...block, number: block.number + 1n, timestamp: block.timestamp + 1n }, view }
  }

  return {
    callMany: async (request, at) => {
      const point = typeof at === 'object' && 'view' in at ? at : await history.at(at)
      return callMany(request, point, { engine, gasLimit: callGasLimit, time: newTime() })
    },

    callBundle: async (request, tag) => {
      const at = tag === 'latest' ? history.next() : await blockAfter(tag)
      return callBundle(request, { at, engine, gasLimit: callGasLimit, time: newTime() })
    },

    async simulate({ blocks, traceTransfers, validation }, tag) {
      let head = await startAt(tag)
      const planned = planBlocks(blocks, head.header)
      const { block, view } = await history.at(tag)
      const { chainId, signatures } = block
      const localRules = { chainId, ...(signatures && { signatures }) }
      // State overrides of followed keys replace what is followed. They are below the writes to it, which a block discards.
      const overridden = new Overlay(view)
      const overlay = new Overlay(overridden)
      const time = newTime()
      let gasLeft = callGasLimit
      let precompiles: BlockContext['precompiles']
      const simulated: SimulatedBlock[] = []
      for (const plan of planned) {
        const header = headerOf(nextHeader(head, plan.timestamp, hardforks(plan)), plan, validation)
        const rules = hardforks(header)
        const builder = new BlockBuilder(header, rules, localRules, overlay, engine, unobserved)
        const { blobBaseFee = validation ? builder.context.blobBaseFee : 0n, withdrawals = [] } = plan.overrides
        let context: BlockContext = { ...builder.context, blobBaseFee, precompiles }
        builder.applySystem(systemWrites(header, rules.fork, systemContracts))
        if (plan.state) {
          context = withMovedPrecompiles(context, plan.state)
          precompiles = context.precompiles
          const diff = diffFromOverrides(plan.state)
          overridden.apply(diff)
          builder.apply(diff)
        }
        const results: Done[] = []
        let gasUsed = 0n
        for (const request of plan.calls) {
          const message = await messageOf(request, context, { overlay, left: header.gasLimit - gasUsed, gasLeft })
          const kind = validation ? 'transaction' : 'call'
          const result = await runToEnd(engine, message, context, overlay, { kind, time, capsGas: true })
          if (result.type === 'rejected') throw simulationError(result, message.from)
          builder.take(simulatedTransaction(message, chainId, request), result, message.gasPrice)
          results.push(result)
          gasUsed += result.gasUsed
          gasLeft -= result.gasUsed
        }
        await receive(withdrawals, builder, overlay)
        await collectRequests(builder, overlay, rules, time)
        overlay.follows?.strip(builder.diff)
        overlay.forgetFollowed()
        const root = nextCommitment(head.header.stateRoot, builder.diff)
        const { block, receipts } = builder.seal(root, head.base, undefined, withdrawals)
        overlay.blockHashes.set(header.number, block.hash)
        const addsTransfers = traceTransfers && !requireRules(rules.fork).transferLogs
        const logs = simulatedLogs(results, receipts, addsTransfers)
        simulated.push({ block, receipts, results, logs, withdrawals })
        head = block
      }
      return simulated
    },
  }
}

/** `next`: the header that the block would have without overrides. */
function headerOf(next: Header, { number, overrides }: PlannedBlock, validation: boolean): Header {
  if (overrides.withdrawals && next.withdrawalsRoot === undefined) throw beforeItsFork('withdrawals', 'shanghai')
  if (overrides.parentBeaconBlockRoot && next.parentBeaconBlockRoot === undefined)
    throw beforeItsFork('beaconRoot', 'cancun')
  const baseFee = overrides.baseFee ?? (validation ? next.baseFeePerGas : 0n)
  return {
    ...next,
    number,
    coinbase: overrides.coinbase ?? next.coinbase,
    gasLimit: overrides.gasLimit ?? next.gasLimit,
    mixHash: wordFromBigint(overrides.prevRandao ?? 0n),
    baseFeePerGas: next.baseFeePerGas === undefined ? undefined : baseFee,
    parentBeaconBlockRoot: next.parentBeaconBlockRoot && (overrides.parentBeaconBlockRoot ?? zeroWord),
  }
}

/** The message of a call. Its gas is limited by what is left of the block, and by what is left for all calls. */
async function messageOf(
  request: CallRequest,
  context: BlockContext,
  { overlay, left, gasLeft }: { overlay: Overlay; left: bigint; gasLeft: bigint },
): Promise<Message> {
  const gasLimit = request.gas ?? left
  if (gasLimit > left)
    throw new NetworkError('SIMULATED_BLOCK_FULL', {
      text: `block gas limit reached: the call needs ${gasLimit} gas, and ${left} is left`,
    })
  const message = messageFromRequest(request, context)
  const nonce = request.nonce ?? (await loadNonce(message, overlay, request.from === undefined))
  // As in geth, contracts may send, and the cap of EIP-7825 does not apply.
  return { ...message, gasLimit: min(gasLimit, gasLeft), nonce, senderMayHaveCode: true, gasMayExceedCap: true }
}

/** Without a sender, the nonce is that of the zero address, which cannot always be read; no real transaction has it. */
async function loadNonce({ from }: Message, overlay: Overlay, mayBeUnread: boolean): Promise<bigint> {
  try {
    return (await loadAccount(overlay, from)).nonce
  } catch (error) {
    if (mayBeUnread && isAnsweredError(error)) return 0n
    throw error
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)

const beforeItsFork = (name: string, fork: Fork) =>
  new NetworkError('INVALID_PARAMS', {
    field: `blockOverrides.${name}`,
    problem: `the block's hardfork is before ${fork} and has none; omit it`,
  })

/** Credits withdrawals after the calls of the block. */
async function receive(withdrawals: readonly Withdrawal[], builder: BlockBuilder, overlay: Overlay): Promise<void> {
  const diff = emptyDiff()
  for (const [address, wei] of withdrawnWei(withdrawals))
    diff.accounts.set(address, { balance: (await loadAccount(overlay, address)).balance + wei })
  builder.apply(diff)
}
