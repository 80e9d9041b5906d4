import type { EngineExports } from '../wasm.ts'

/** What exports of globals that change begin with; see scripts/buildWasm.mjs. */
const mutablePrefix = 'mutable:'
const pageSize = 4096
const zeros = Buffer.alloc(pageSize)

type Instance = { readonly exports: EngineExports; readonly bytes: Buffer; readonly data: DataView }
type Region = { from: number; to: number }

/** A copy of an instance in the middle of a run. */
export type SavedInstance = {
  globals: (number | bigint)[]
  /** The parts of memory that were in use; what they do not have in `chunks` is zero. */
  regions: Region[]
  chunks: { from: number; bytes: Buffer }[]
  /** The memory that the copy needs, in bytes. */
  bytes: number
}

/** Copies a paused instance; `undefined` if the copy would need more than `limit` bytes. Only the tracing build can do it. */
export function saveInstance(instance: Instance, inputLength: number, limit: number): SavedInstance | undefined {
  const { exports } = instance
  const count = exports.listRegions(inputLength)
  const { bytes: memory, data } = instance
  const listed = exports.EXCHANGE.value
  const regions = Array.from({ length: count }, (_, index): Region => {
    const at = listed + index * 8
    return { from: data.getUint32(at, true), to: data.getUint32(at + 4, true) }
  })
  const chunks: SavedInstance['chunks'] = []
  let bytes = 0
  for (const region of regions) {
    for (const { from, to } of usedParts(memory, region)) {
      bytes += to - from
      if (bytes > limit) return undefined
      chunks.push({ from, bytes: Buffer.from(memory.subarray(from, to)) })
    }
  }
  return { globals: globalsOf(exports).map(({ value }) => value), regions, chunks, bytes }
}

/** Makes an instance what another one was. Its host must know nothing of it that is elsewhere then. */
export function restoreInstance(instance: Instance, { globals, regions, chunks }: SavedInstance): void {
  const { exports } = instance
  const lacking = Math.max(...regions.map(({ to }) => to)) + pageSize - instance.bytes.length
  if (lacking > 0) exports.memory.grow(Math.ceil(lacking / 65536))
  const memory = instance.bytes
  for (const { from, to } of regions) memory.fill(0, from, to)
  for (const { from, bytes } of chunks) memory.set(bytes, from)
  for (const [index, global] of globalsOf(exports).entries()) global.value = globals[index] as number | bigint
}

/** The pages of a region that are not zero, joined where they are side by side. */
function usedParts(memory: Buffer, { from, to }: Region): Region[] {
  const parts: Region[] = []
  for (let at = from; at < to; at += pageSize) {
    const end = Math.min(at + pageSize, to)
    if (memory.compare(zeros, 0, end - at, at, end) === 0) continue
    const last = parts.at(-1)
    if (last?.to === at) last.to = end
    else parts.push({ from: at, to: end })
  }
  return parts
}

function globalsOf(exports: EngineExports): { value: number | bigint }[] {
  return Object.entries(exports)
    .filter(([name]) => name.startsWith(mutablePrefix))
    .map(([, global]) => global as { value: number | bigint })
}
