import { z } from 'zod'

const hash = z.string().regex(/^0x[\da-fA-F]{64}$/, 'expected the hash of a transaction: 0x and 64 hex digits')
const whole = z.number().int()
const source = z.object({ name: z.string().optional(), path: z.string().optional(), sourceReference: whole.optional() })
const inThread = z.object({ granularity: z.enum(['statement', 'line', 'instruction']).optional() })

/** What the launch configuration of an editor may say; editors add fields of their own. */
const launch = z.object({
  transaction: hash.optional(),
  /** A call instead of a transaction, as `eth_call` takes it, and its block. */
  call: z.record(z.string(), z.unknown()).optional(),
  block: z.union([z.string(), z.number()]).optional(),
  rpcUrl: z.string().optional(),
  apiKey: z.string().optional(),
  /** Where the project is; the working directory by default. */
  cwd: z.string().optional(),
  /** False goes on to the first breakpoint. */
  stopOnEntry: z.boolean().default(true),
})

export type LaunchArguments = z.output<typeof launch>

/** The arguments of the requests, by their command. */
export const requestArguments = {
  initialize: z.object({
    linesStartAt1: z.boolean().default(true),
    columnsStartAt1: z.boolean().default(true),
    pathFormat: z.literal('path', 'expected "path"').default('path'),
  }),
  launch,
  attach: launch,
  setBreakpoints: z.object({ source, breakpoints: z.array(z.object({ line: whole })).default([]) }),
  setExceptionBreakpoints: z.object({ filters: z.array(z.string()).default([]) }),
  dataBreakpointInfo: z.object({
    name: z.string(),
    variablesReference: whole.optional(),
    frameId: whole.optional(),
  }),
  setDataBreakpoints: z.object({ breakpoints: z.array(z.object({ dataId: z.string() })) }),
  configurationDone: z.unknown(),
  threads: z.unknown(),
  stackTrace: z.object({ startFrame: whole.default(0), levels: whole.default(0) }),
  scopes: z.object({ frameId: whole }),
  variables: z.object({ variablesReference: whole }),
  evaluate: z.object({ expression: z.string().max(10_000), frameId: whole.optional() }),
  source: z.object({ sourceReference: whole }),
  exceptionInfo: z.unknown(),
  disassemble: z.object({
    /** The number of an operation. */
    memoryReference: z
      .string()
      .regex(/^\d{1,10}$/, 'expected the number of an operation')
      .transform(Number),
    offset: whole.default(0),
    instructionOffset: whole.default(0),
    instructionCount: whole.min(0).max(1000),
  }),
  next: inThread,
  stepIn: inThread,
  stepOut: inThread,
  stepBack: inThread,
  continue: z.unknown(),
  reverseContinue: z.unknown(),
  pause: z.unknown(),
  restart: z.unknown(),
  terminate: z.unknown(),
  disconnect: z.unknown(),
}

export type RequestArguments = { [Name in keyof typeof requestArguments]: z.output<(typeof requestArguments)[Name]> }

export const request = z.object({
  type: z.literal('request'),
  seq: z.number(),
  command: z.string(),
  arguments: z.unknown().optional(),
})
