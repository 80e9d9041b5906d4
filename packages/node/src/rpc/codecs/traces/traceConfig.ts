import { isTracerCode, tracerNames } from '@understudy/evm'
import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import type { TraceConfig as Config } from '../../../traces/traces.ts'
import { BlockOverrides, StateOverrides } from '../calls/overrides.ts'
import { Quantity64 } from '../numbers.ts'
import { optional } from '../optional.ts'

/** Maximum length of the code of a tracer. */
const codeLimit = 128 * 1024

const Tracer = z
  .string()
  .max(codeLimit, { error: `expected at most ${codeLimit} characters of code` })
  .refine((tracer) => tracer === '' || isTracerCode(tracer) || tracerNames.includes(tracer), {
    error: `expected one of ${tracerNames.join(', ')}, or the code of a tracer in JavaScript`,
  })

const unitMs: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A duration in Go's format; decoded to milliseconds. */
const Duration = codec<string, number>(
  'a duration such as "5s", "300ms" or "1m30s"',
  (input) => {
    if (typeof input !== 'string' || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,20}$/.test(input)) return undefined
    const parts = input.matchAll(/(\d{1,9}(?:\.\d{1,9})?)([a-zµ]{1,2})/g)
    return [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0), 0)
  },
  { title: 'Duration', type: 'string' },
)

const fields = {
  tracer: optional(Tracer),
  tracerConfig: optional(z.record(z.string(), z.unknown())),
  disableStack: optional(z.boolean()),
  disableStorage: optional(z.boolean()),
  enableMemory: optional(z.boolean()),
  enableReturnData: optional(z.boolean()),
  limit: optional(z.int().min(0)),
  timeout: optional(Duration),
}

const allFields = {
  ...fields,
  /** What older nodes and other clients take for the opposite of `enableMemory` and `enableReturnData`. */
  disableMemory: optional(z.boolean()),
  disableReturnData: optional(z.boolean()),
  /** What they take and have no meaning here: how far a node goes back for a state, and how it prints. */
  reexec: optional(Quantity64),
  debug: optional(z.boolean()),
  fullStorage: optional(z.boolean()),
}

type Fields = z.output<z.ZodObject<typeof allFields>>

/** Omits missing fields; an empty name counts as missing. */
function configOf({ disableMemory, disableReturnData, ...given }: Fields): Config {
  const known = Object.keys(fields) as (keyof typeof fields)[]
  const all = {
    ...given,
    enableMemory: given.enableMemory ?? (disableMemory === undefined ? undefined : !disableMemory),
    enableReturnData: given.enableReturnData ?? (disableReturnData === undefined ? undefined : !disableReturnData),
  }
  const entries = known.map((name) => [name, all[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== '')) as Config
}

const settings =
  'an object with any of tracer (a name, or code in JavaScript with the interface of geth), tracerConfig (besides those of geth: withStorage of the callTracer, which adds to each call what it wrote), disableStack, disableStorage, enableMemory (or disableMemory), enableReturnData (or disableReturnData), limit, timeout (at most --call-timeout)'

/** How to trace a transaction. */
export const TraceConfig = z
  .strictObject(allFields)
  .transform(configOf)
  .meta({ title: 'TraceConfig', description: `${settings}; without tracer, returns every operation` })

/** `TraceConfig` with state and block overrides, and the index in the block at which the call runs. */
export const TraceCallConfig = z
  .strictObject({
    ...allFields,
    stateOverrides: optional(StateOverrides),
    blockOverrides: optional(BlockOverrides),
    txIndex: optional(Quantity64),
  })
  .transform(({ stateOverrides, blockOverrides, txIndex, ...given }) => ({
    config: configOf(given),
    overrides: { state: stateOverrides, block: blockOverrides },
    transactionIndex: txIndex,
  }))
  .meta({ title: 'TraceCallConfig', description: `${settings}, stateOverrides, blockOverrides, txIndex` })
