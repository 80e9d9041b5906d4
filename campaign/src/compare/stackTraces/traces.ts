import type { Call, Request } from './world.ts'

/** A location, as `file:line function`; parts that are unknown are left out. */
export type Location = { file: string | null; line: number | null; function: string | null }

/** Why a call failed and where, innermost first. */
export type Trace = { message: string; locations: Location[] }

type HardhatEntry = { sourceReference?: { sourceName: string; contract?: string; function?: string; line: number } }

/** What Hardhat's network says of a call. Throws if the call does not fail. */
export async function hardhatTrace(request: Request, call: Call): Promise<Trace> {
  try {
    await request('eth_call', [call, 'latest'])
  } catch (error) {
    const { message, stackTrace = [] } = error as Error & { stackTrace?: HardhatEntry[] }
    const locations = stackTrace.toReversed().map(({ sourceReference: at }) => ({
      file: at ? fileOf(at.sourceName) : null,
      line: at?.line ?? null,
      function: at ? [at.contract, at.function].filter((name) => name !== undefined).join('.') : null,
    }))
    return { message: message.replace('VM Exception while processing transaction: ', ''), locations }
  }
  throw new Error('Hardhat did not fail')
}

type OwnEntry = Location & { contract: string | null; message: string | null }

/** What our network says of a call. Throws if the call does not fail. */
export async function ownTrace(request: Request, call: Call): Promise<Trace> {
  const entries = (await request('dev_getStackTrace', [call])) as OwnEntry[]
  const [first] = entries
  if (!first) throw new Error('our network did not fail')
  return {
    message: first.message ?? '',
    locations: entries.map((entry) => ({ ...entry, file: entry.file && fileOf(entry.file) })),
  }
}

/** Without what Hardhat puts before the sources of the project and of packages. */
const fileOf = (source: string) =>
  source.replace(/^project\//, '').replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\//, '$1/')
