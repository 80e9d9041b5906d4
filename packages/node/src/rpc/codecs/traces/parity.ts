import { z } from 'zod'
import { BlockNumberOrTag } from '../blockTag.ts'
import { Address } from '../hex.ts'
import { Quantity64 } from '../numbers.ts'
import { optional } from '../optional.ts'
import { HexWord } from '../wire.ts'

/** What `trace_` methods return about a run. */
export const TraceTypes = z.array(z.enum(['trace', 'stateDiff', 'vmTrace'])).meta({
  title: 'TraceTypes',
  description: 'any of "trace", "stateDiff" and "vmTrace"',
})

/** Maximum number of addresses in one filter. */
const addressLimit = 1_000

export const TraceFilter = z
  .strictObject({
    fromBlock: optional(BlockNumberOrTag),
    toBlock: optional(BlockNumberOrTag),
    fromAddress: optional(z.array(Address).max(addressLimit)),
    toAddress: optional(z.array(Address).max(addressLimit)),
    mode: optional(z.enum(['union', 'intersection'])),
    after: optional(Quantity64),
    count: optional(Quantity64),
  })
  .meta({
    title: 'TraceFilter',
    description:
      'an object with any of fromBlock, toBlock, fromAddress, toAddress, mode (union or intersection), after, count',
  })

/** One trace of a call, in OpenEthereum's format. */
export const TraceObject = z.record(z.string(), z.unknown()).meta({
  title: 'Trace',
  description: 'type, action, result or error, subtraces, traceAddress; for sealed transactions also their position',
})

/** The requested traces of a run. */
export const TraceResults = z
  .object({
    output: z.string(),
    stateDiff: z.record(z.string(), z.unknown()).nullable(),
    trace: z.array(TraceObject),
    vmTrace: z.record(z.string(), z.unknown()).nullable(),
    transactionHash: z.string().optional(),
  })
  .meta({ title: 'TraceResults' })

/** The gas of a transaction by operation. */
export const TransactionOpcodeGas = z
  .object({
    transactionHash: HexWord,
    opcodeGas: z.array(z.object({ opcode: z.string(), count: z.number(), gasUsed: z.number() })),
  })
  .meta({ title: 'TransactionOpcodeGas' })
