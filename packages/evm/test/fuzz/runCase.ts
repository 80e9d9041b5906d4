import { hexFromBytes } from '../../src/bytes.ts'
import type { Evm } from '../../src/engine.ts'
import { requireRules } from '../../src/forks.ts'
import { intrinsicGasOf } from '../../src/gas/intrinsicGas.ts'
import type { CoverageSink } from '../../src/observers/coverageSink.ts'
import type { BlockContext, Fork, Word } from '../../src/port.ts'
import { applyDiff, MemoryState } from '../conformance/memoryState.ts'
import { coinbase, type FuzzCase, makeCase } from './cases.ts'
import { type FuzzResult, plainState, rejected, runOracle, withBlobs } from './oracle.ts'

const contexts = new Map<Fork, BlockContext>()

export function blockOf(fork: Fork): BlockContext {
  const context = contexts.get(fork) ?? contextOf(fork)
  contexts.set(fork, context)
  return context
}

function contextOf(fork: Fork): BlockContext {
  return {
    chainId: 1n,
    fork,
    number: 1000n,
    timestamp: 1_700_000_000n,
    coinbase,
    gasLimit: 30_000_000n,
    baseFee: 7n,
    prevRandao: 12345n,
    blobBaseFee: withBlobs.includes(fork) ? 1n : 0n,
    slotNumber: 77n,
  }
}

/** The oracle has no chain behind it: every block hash is zero. */
export class StateWithoutHistory extends MemoryState {
  override blockHash(): Word {
    return `0x${'00'.repeat(32)}`
  }
}

/** Coverage must change nothing: half of the cases run with it. */
const sinks = [0, 1].map((session): CoverageSink => ({ session, add() {} }))

function runEngine(evm: Evm, test: FuzzCase, block: BlockContext, coverage: CoverageSink | undefined): FuzzResult {
  const { sender, to, value, data, gasLimit, gasPrice, accessList, authorizationList } = test
  const message = { from: sender, to, value, data, gasLimit, gasPrice, accessList, authorizationList }
  const result = evm.run(message, block, new StateWithoutHistory(test.state), { kind: 'transaction', coverage })
  if (result.type === 'missing') throw new Error('state is missing')
  if (result.type === 'rejected') return rejected
  // Where the price of the data decides (EIP-7623), the oracle reports no refund at all.
  const floored = result.gasUsed === intrinsicGasOf(message, requireRules(test.fork)).floor
  return {
    status: result.status,
    gasUsed: result.gasUsed,
    // With state gas the oracle does not tell what is refunded of what it paid.
    gasRefund: floored || test.fork === 'amsterdam' ? 0n : result.gasRefund,
    blockGas: result.blockGas,
    output: hexFromBytes(result.output),
    logs: result.logs.map((log) => ({ ...log, data: hexFromBytes(log.data) })),
    state: plainState(applyDiff(test.state, result.diff)),
  }
}

/** Both outcomes of the case with this seed, of `fork` if given; the oracle has none where it is known to be wrong. */
export async function runCase(
  evm: Evm,
  seed: number,
  fork?: Fork,
): Promise<{ engine: FuzzResult; oracle: FuzzResult | undefined }> {
  const test = makeCase(seed, fork)
  const block = blockOf(test.fork)
  return { engine: runEngine(evm, test, block, sinks[seed % 2]), oracle: await runOracle(test, block) }
}
