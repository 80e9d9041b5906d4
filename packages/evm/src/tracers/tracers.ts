import { type CallTracerOptions, callTracer } from './callTracer.ts'
import { type Erc7562TracerOptions, erc7562Tracer } from './erc7562Tracer.ts'
import { type FlatCallTracerOptions, flatCallTracer } from './flatCallTracer.ts'
import { fourByteTracer } from './fourByteTracer.ts'
import { keccakPreimageTracer } from './keccakPreimageTracer.ts'
import { type PrestateTracerOptions, prestateTracer } from './prestateTracer.ts'
import type { Tracer } from './tracer.ts'

/** Settings of a tracer as a client sent them. */
export type TracerOptions = Record<string, unknown>

/** go-ethereum's built-in tracers by name. Makers answer `undefined` for settings that name no tracer. */
const makers: Record<string, (options: TracerOptions) => Tracer | undefined> = {
  callTracer: (options) => (run) => callTracer(run, options as CallTracerOptions),
  flatCallTracer: (options) => (run) => flatCallTracer(run, options as FlatCallTracerOptions),
  prestateTracer: (options) => (run) => prestateTracer(run, options as PrestateTracerOptions),
  '4byteTracer': () => fourByteTracer,
  erc7562Tracer: (options) => (run) => erc7562Tracer(run, options as Erc7562TracerOptions),
  keccak256PreimageTracer: () => keccakPreimageTracer,
  noopTracer: () => () => ({}),
  muxTracer,
}

export const tracerNames: readonly string[] = Object.keys(makers)

/** Whether it is the code of a tracer in JavaScript, and not a name. */
export function isTracerCode(tracer: string): boolean {
  return !/^\w*$/.test(tracer)
}

/** Whether it runs code of the client's, alone or within a `muxTracer`. */
export function runsTracerCode(name: string, options: TracerOptions = {}): boolean {
  if (isTracerCode(name)) return true
  const isNested = ([inner, of]: [string, unknown]) => runsTracerCode(inner, (of ?? {}) as TracerOptions)
  return name === 'muxTracer' && Object.entries(options).some(isNested)
}

/** The tracer of a name or code; `undefined` when there is none, or one within a `muxTracer` is unknown. */
export function createTracer(name: string, options: TracerOptions = {}): Tracer | undefined {
  if (isTracerCode(name)) return codeTracer(name, options)
  return Object.hasOwn(makers, name) ? makers[name]?.(options) : undefined
}

/** What runs JavaScript is loaded with the first such tracer. */
function codeTracer(code: string, options: TracerOptions): Tracer {
  return async (run) => (await import('./javascript/jsTracer.ts')).jsTracer(code, options)(run)
}

/** Several at once: the settings are those of each tracer, by its name. */
function muxTracer(options: TracerOptions): Tracer | undefined {
  const tracers: (readonly [string, Tracer])[] = []
  for (const [name, of] of Object.entries(options)) {
    const tracer = createTracer(name, (of ?? {}) as TracerOptions)
    if (!tracer) return undefined
    tracers.push([name, tracer])
  }
  return async (run) => {
    const results: Record<string, unknown> = {}
    for (const [name, tracer] of tracers) results[name] = await tracer(run)
    return results
  }
}
