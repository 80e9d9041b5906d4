import { describe, expect, it } from 'vitest'
import { hexFromBytes } from '../../src/bytes.ts'
import { createEvm, type Evm } from '../../src/engine.ts'
import { requireRules } from '../../src/forks.ts'
import { intrinsicGasOf } from '../../src/intrinsicGas.ts'
import type { BlockContext, Fork, Word } from '../../src/port.ts'
import { applyDiff, MemoryState } from '../conformance/memoryState.ts'
import { coinbase, type FuzzCase, makeCase } from './cases.ts'
import { type FuzzResult, plainState, rejected, runOracle, withBlobs } from './oracle.ts'

export function blockOf(fork: Fork): BlockContext {
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

function runEngine(evm: Evm, test: FuzzCase, block: BlockContext): FuzzResult {
  const { sender, to, value, data, gasLimit, gasPrice, accessList, authorizationList } = test
  const message = { from: sender, to, value, data, gasLimit, gasPrice, accessList, authorizationList }
  const result = evm.run(message, block, new StateWithoutHistory(test.state), { kind: 'transaction' })
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

/** Both outcomes of the case with this seed; the oracle has none where it is known to be wrong. */
export async function runCase(evm: Evm, seed: number): Promise<{ engine: FuzzResult; oracle: FuzzResult | undefined }> {
  const test = makeCase(seed)
  const block = blockOf(test.fork)
  return { engine: runEngine(evm, test, block), oracle: await runOracle(test, block) }
}

const cases = Number(process.env.FUZZ_CASES ?? (process.env.SHORT_RUN === undefined ? 20_000 : 3_000))
/** Other ones each time where more cases are asked for than a test run has, which is to be repeatable. */
const seed = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_CASES ? Math.floor(Math.random() * 0x7fffffff) : 1))
const batches = 10

/** Runs one of `of` shares of the cases. A failure names the seed of its case: run that alone with FUZZ_SEED and FUZZ_CASES=1. */
export function describeFuzzing(shard: number, of: number): void {
  const share = Math.ceil(cases / of)
  const start = (seed + shard * share) >>> 0
  describe(`differential fuzzing against @ethereumjs/vm, ${share} cases from seed ${start}`, () => {
    const evm = createEvm()
    const perBatch = Math.ceil(share / batches)
    for (let first = 0; first < share; first += perBatch) {
      const count = Math.min(perBatch, share - first)
      it(`agrees on the cases ${start + first} to ${start + first + count - 1}`, { timeout: 300_000 }, async () => {
        for (let i = 0; i < count; i++) {
          const caseSeed = start + first + i
          const { engine, oracle } = await runCase(evm, caseSeed)
          if (oracle) expect({ caseSeed, ...engine }).toEqual({ caseSeed, ...oracle })
        }
      })
    }
  })
}
