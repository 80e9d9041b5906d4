import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** The figures of a network at one moment. Sizes in bytes. */
export type Sample = {
  seconds: number
  transactions: number
  heads: number
  /** Processor time so far, in seconds. */
  processor: number
  resident: number
  heap: number
  upstreamCache: number
  database: number
  log: number
}

const columns = [
  'time',
  'transactions',
  'a second',
  'heads',
  'a second',
  'CPU a block',
  'resident',
  'heap',
  'cache',
  'file',
  'wal',
]
const width = 13

/** Samples of a network while it runs, printed as the rows of a table. Sizes in MB. */
export function createSamples(
  { url, directory }: { url: string; directory: string },
  counts: { transactions: number; heads: number },
  print: (line: string) => void,
) {
  const started = performance.now()
  const samples: Sample[] = []

  async function take(): Promise<void> {
    const figures = await (await fetch(`${url}/metrics`)).text()
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(figures)?.[1] ?? 0)
    const before = samples.at(-1) ?? { seconds: 0, transactions: 0, heads: 0, processor: 0 }
    const sample: Sample = {
      seconds: (performance.now() - started) / 1000,
      ...counts,
      processor: figure('process_cpu_seconds_total'),
      resident: figure('process_resident_memory_bytes'),
      heap: figure('nodejs_heap_size_used_bytes'),
      upstreamCache: figure('understudy_upstream_cache_bytes'),
      database: sizeOf(directory, ''),
      log: sizeOf(directory, '-wal'),
    }
    samples.push(sample)
    const rate = (name: 'transactions' | 'heads') => (sample[name] - before[name]) / (sample.seconds - before.seconds)
    const blocks = sample.transactions + sample.heads - before.transactions - before.heads
    const processorMs = (sample.processor - before.processor) * 1000
    const megabytes = [sample.resident, sample.heap, sample.upstreamCache, sample.database, sample.log]
    const cells = [
      `${sample.seconds.toFixed(0)} s`,
      sample.transactions,
      rate('transactions').toFixed(0),
      sample.heads,
      rate('heads').toFixed(1),
      blocks > 0 ? `${(processorMs / blocks).toFixed(2)} ms` : '',
      ...megabytes.map((bytes) => (bytes / 1e6).toFixed(1)),
    ]
    print(rowOf(cells))
  }

  return {
    samples,
    /** Takes a sample every so often while `task` runs, and one at its end. */
    async during(task: Promise<unknown>, everySeconds: number): Promise<void> {
      print(rowOf(columns))
      let isOver = false
      const over = task.finally(() => {
        isOver = true
      })
      while (!isOver) {
        await Promise.race([over, setTimeout(everySeconds * 1000)])
        await take()
      }
      await over
    },
  }
}

const rowOf = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(width)).join('')

function sizeOf(directory: string, suffix: string): number {
  return statSync(join(directory, `network.sqlite${suffix}`), { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Throws when a figure that should be flat is not: when in the last quarter of a run it is on average a quarter more than in
 * the second one, by which everything is warm, and `slack` more. `least`: the same of the least in each, which is what is
 * left when garbage was collected.
 */
export function requireFlat(
  samples: readonly Sample[],
  name: keyof Sample,
  slack: number,
  measure: 'mean' | 'least' = 'mean',
): void {
  const quarter = (index: number) => {
    const part = samples
      .slice((samples.length * index) / 4, (samples.length * (index + 1)) / 4)
      .map((each) => each[name])
    return measure === 'least' ? Math.min(...part) : part.reduce((sum, each) => sum + each, 0) / part.length
  }
  const [early, late] = [quarter(1), quarter(3)]
  if (late > early * 1.25 + slack)
    throw new Error(`${name} grew from ${early.toFixed(0)} in the second quarter to ${late.toFixed(0)} in the last`)
}
