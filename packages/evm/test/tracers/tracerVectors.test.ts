import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEvm } from '../../src/index.ts'
import { createTracer } from '../../src/tracers/tracers.ts'
import { jsonFiles, testsDir } from '../conformance/vectors.ts'
import { forkOf, runTraceVector, type TraceVector } from './traceVector.ts'

const folder = process.env.TRACER_TESTS_DIR ?? join(testsDir, 'tracer-tests')

const zeroAddress = `0x${'0'.repeat(40)}`

const tracerOfFolder: Record<string, string> = {
  call_tracer: 'callTracer',
  call_tracer_withLog: 'callTracer',
  call_tracer_flat: 'flatCallTracer',
  erc7562_tracer: 'erc7562Tracer',
  prestate_tracer: 'prestateTracer',
  prestate_tracer_legacy: 'prestateTracer',
  prestate_tracer_with_diff_mode: 'prestateTracer',
}

const otherPrices = 'by the prices of Berlin it is out of gas before the create that the vector is about'
/** Vectors that are not run, each with its reason. Berlin and later: none. */
const exceptions: Record<string, string> = {
  'call_tracer_flat/create_oog_parity.json': otherPrices,
  'call_tracer_flat/nested_create_action_gas.json': otherPrices,
}

/** Fields that differ by right in vectors from before Berlin, beside `priced`. */
const ignoredFields: Record<string, readonly string[]> = {
  // The engine does not tell why a precompile failed, nor which of the prices of a write was too high.
  'call_tracer_flat/callcode_precompiled_throw.json': ['error'],
  // Written when creations did not say how.
  'call_tracer_flat/selfdestruct.json': ['creationMethod'],
  // Written when logs had no index yet.
  'call_tracer_withLog/frontier_create_outofstorage.json': ['index'],
  // Written when accounts had no code hash, and an empty storage was shown.
  'prestate_tracer_legacy/simple.json': ['codeHash', 'storage'],
  // Before Spurious Dragon, contracts began with nonce 0.
  'prestate_tracer_with_diff_mode/create.json': ['nonce'],
  'prestate_tracer_with_diff_mode/create_disable_storage.json': ['nonce'],
  'prestate_tracer_with_diff_mode/inner_create.json': ['nonce'],
  'prestate_tracer_with_diff_mode/inner_create_disable_code_and_storage.json': ['nonce'],
}

/** Fields of flat traces that old vectors have without a meaning: go-ethereum's own test ignores them, too. */
const meaningless: Record<string, unknown> = {
  author: zeroAddress,
  address: zeroAddress,
  refundAddress: zeroAddress,
  input: '0x',
  init: '0x',
  output: '0x',
  code: '0x',
}

/** What depends on the price of operations, which Berlin changed. */
const priced = new Set([
  'time',
  'gas',
  'gasUsed',
  'balance',
  'blockHash',
  'blockNumber',
  'transactionHash',
  'transactionPosition',
])

function comparable(value: unknown, ignored: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, ignored))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
    .filter(([name]) => !priced.has(name) && !ignored.includes(name))
    .filter(([name, field]) => !(name in meaningless && meaningless[name] === field))
    .map(([name, field]) => [name, comparable(field, ignored)] as const)
    .filter(([name, field]) => !(name === 'result' && Object.keys(field ?? {}).length === 0))
  return Object.fromEntries(fields)
}

const files = jsonFiles(folder)
if (files === undefined) {
  describe.skip(`tracer vectors: ${folder} is absent, set TRACER_TESTS_DIR to it`, () => {
    it('runs')
  })
} else {
  describe('the tracer vectors of go-ethereum', () => {
    const evm = createEvm()
    for (const file of files) {
      const name = relative(folder, file)
      const reason = exceptions[name]
      if (reason !== undefined) {
        it.skip(`${name}: ${reason}`)
        continue
      }
      const vector = JSON.parse(readFileSync(file, 'utf8')) as TraceVector
      const fork = forkOf(vector)
      it(fork ? name : `${name}, by the rules of Berlin and but for gas`, async () => {
        const tracer = createTracer(tracerOfFolder[basename(dirname(file))] ?? '', vector.tracerConfig)
        if (!tracer) throw new Error(`there is no tracer for ${name}`)
        const trace = await runTraceVector(evm, vector, fork ?? 'berlin', tracer)
        if (fork) expect(trace).toEqual(vector.result)
        else expect(comparable(trace, ignoredFields[name])).toEqual(comparable(vector.result, ignoredFields[name]))
      })
    }
  })
}
