import { type FlatCallTrace, type Hex, type OpcodeGas, opcodeGasTracer, type Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { messageFrom } from '../chain/run/blockContext.ts'
import { decodeTransaction } from '../ethereum/decodeTransaction.ts'
import type { CallRequest } from '../execution/execution.ts'
import { quantity } from '../shared/hex.ts'
import type { JsonText } from '../shared/json/jsonText.ts'
import type { BlockTag } from '../state/blockTag.ts'
import { Overlay } from '../state/overlay.ts'
import { BlockTraces, type TraceFilter } from './blockTraces.ts'
import { callsOf, type ParityResults, type ParityTraceType, parityResultsOf } from './runs/parityResults.ts'
import type { Traces } from './traces.ts'

/** The `trace_` methods, in OpenEthereum's format. */
export type ParityTraces = {
  traceTransaction(hash: Word): Promise<FlatCallTrace[] | JsonText>
  /** The same, as values. */
  loadCalls(hash: Word): Promise<FlatCallTrace[]>
  traceBlock(tag: BlockTag): Promise<FlatCallTrace[]>
  filter(filter: TraceFilter): Promise<FlatCallTrace[]>
  call(request: CallRequest, types: readonly ParityTraceType[], block: BlockTag): Promise<ParityResults | JsonText>
  /** Each runs on the state after the previous one. */
  callMany(
    calls: readonly (readonly [CallRequest, readonly ParityTraceType[]])[],
    block: BlockTag,
  ): Promise<ParityResults[]>
  /** Runs a signed transaction on the newest state without sending it. Throws if it is invalid. */
  rawTransaction(encoded: Hex, types: readonly ParityTraceType[]): Promise<ParityResults>
  loadOpcodeGas(hash: Word): Promise<TransactionOpcodeGas>
  loadBlockOpcodeGas(tag: BlockTag): Promise<BlockOpcodeGas>
  replayTransaction(hash: Word, types: readonly ParityTraceType[]): Promise<ParityResults | JsonText>
  replayBlock(tag: BlockTag, types: readonly ParityTraceType[]): Promise<ParityResults[]>
}

/** The gas of a transaction by operation. */
export type TransactionOpcodeGas = { transactionHash: Word; opcodeGas: OpcodeGas[] }
export type BlockOpcodeGas = { blockHash: Word; blockNumber: number; transactions: TransactionOpcodeGas[] }

type Needs = { history: Pick<History, 'at' | 'head' | 'origin' | 'resolve'>; traces: Traces }

export function createParityTraces({ history, traces }: Needs): ParityTraces {
  const blocks = new BlockTraces(history, traces)

  /** Upstream's calls of its own transaction, if it supports them. */
  async function loadCallsThere(hash: Word): Promise<FlatCallTrace[] | undefined> {
    const ask = () => traces.ask('trace_transaction', [hash], { hasFallback: true })
    const there = (await traces.isOwn(hash)) ? undefined : await ask()
    return Array.isArray(there) ? (there as FlatCallTrace[]) : undefined
  }

  return {
    async traceTransaction(hash) {
      const there = await loadCallsThere(hash)
      return there ?? (traces.makeOfTransaction(hash, { type: 'calls' }) as Promise<FlatCallTrace[] | JsonText>)
    },
    loadCalls: async (hash) => (await loadCallsThere(hash)) ?? callsOf(await traces.runTransaction(hash)),
    traceBlock: (tag) => blocks.load(tag),
    filter: (filter) => blocks.filter(filter),
    async call(request, types, block) {
      return traces.makeOfCall(request, { block }, { type: 'parity', types }) as Promise<ParityResults | JsonText>
    },
    async callMany(calls, block) {
      const { view, block: context } = await history.at(block)
      const overlay = new Overlay(view)
      const results: ParityResults[] = []
      for (const [request, types] of calls) {
        const run = await traces.runCallAt(request, { block: context, view: overlay })
        results.push(await parityResultsOf(run, types))
        overlay.apply(run.result.diff)
      }
      return results
    },
    async rawTransaction(encoded, types) {
      const { block, view } = await history.at('pending')
      const message = messageFrom(decodeTransaction(encoded), block)
      return parityResultsOf(await traces.runMessage({ message, block, view, kind: 'transaction' }), types)
    },
    loadOpcodeGas: async (transactionHash) => ({
      transactionHash,
      opcodeGas: await opcodeGasTracer(await traces.runTransaction(transactionHash)),
    }),
    async loadBlockOpcodeGas(tag) {
      const { hash: blockHash, number } = await history.resolve(tag)
      const transactions: TransactionOpcodeGas[] = []
      for await (const { hash: transactionHash, run } of traces.runBlock({ hash: blockHash }))
        transactions.push({ transactionHash, opcodeGas: await opcodeGasTracer(run) })
      return { blockHash, blockNumber: Number(number), transactions }
    },
    async replayTransaction(hash, types) {
      const ask = () => traces.ask('trace_replayTransaction', [hash, types], { hasFallback: true })
      const there = (await traces.isOwn(hash)) ? undefined : await ask()
      return (there ?? traces.makeOfTransaction(hash, { type: 'parity', types })) as Promise<ParityResults | JsonText>
    },
    async replayBlock(tag, types) {
      const { origin, number, hash } = await history.resolve(tag)
      const ask = () => traces.ask('trace_replayBlockTransactions', [quantity(number), types], { hasFallback: true })
      const there = origin === 'upstream' ? await ask() : undefined
      if (Array.isArray(there)) return there as ParityResults[]
      const results: ParityResults[] = []
      for await (const { hash: transactionHash, run } of traces.runBlock({ hash }))
        results.push({ ...(await parityResultsOf(run, types)), transactionHash })
      return results
    },
  }
}
