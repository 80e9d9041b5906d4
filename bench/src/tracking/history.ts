import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { postJsonRpc } from '@understudy/testkit'
import Libsql from 'libsql'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median } from '../times.ts'

const samples = 2_000_000
const rounds = 9
const second = 1_000

/** Writes a history of one block a second into a stopped network, as its recorder would: a new value with every transaction. */
function fill(directory: string, now: number): void {
  const sqlite = new Libsql(join(directory, 'network.sqlite'))
  const { number: item } = sqlite.prepare('select number from tracked_items').get([]) as { number: number }
  const sample = sqlite.prepare("insert into tracked_samples values (0, ?, ?, 0, ?, 'run', ?)")
  const transaction = sqlite.prepare('insert into tracked_transactions values (0, ?, 0, ?, ?)')
  const start = now - samples * second
  sqlite.transaction(() => {
    for (let block = 1; block <= samples; block++) {
      const timestamp = start + block * second
      const hash = Buffer.alloc(32)
      hash.writeUInt32BE(block)
      sample.run([item, block, timestamp, String(10n ** 21n + BigInt(block))])
      transaction.run([block, hash, timestamp])
    }
  })()
  sqlite.close()
  // The checksums of the network are of the file as it was.
  rmSync(join(directory, 'network.sums'), { force: true })
}

/** Prints the time to read parts of a long history. */
export async function measureHistory(): Promise<void> {
  const first = await startUnderstudy([])
  const item = { address: `0x${'5e'.repeat(20)}`, name: 'balance', type: 'native-token-balance' }
  const { id } = await postJsonRpc<{ id: string }>(first.url, 'dev_addTrackedData', [item])
  await first.stop({ kept: true })
  fill(first.directory, Date.now())
  const server = await startUnderstudy([], first.directory)
  try {
    console.log(`| dev_getTrackedDataValues of ${samples} entries over HTTP | entries | median |`)
    console.log('|---|---|---|')
    for (const options of [
      { limit: 1 },
      { limit: 500 },
      { period: '10min' },
      { period: '1h' },
      { period: '1w', limit: 500 },
      { maxBlockNumber: samples / 2, limit: 500 },
      { period: '1m', maxBlockNumber: samples / 2, limit: 500 },
      { limit: 100_000 },
    ]) {
      const times: number[] = []
      let count = 0
      for (let round = 0; round < rounds; round++) {
        const start = performance.now()
        const { values } = await postJsonRpc<{ values: unknown[] }>(server.url, 'dev_getTrackedDataValues', [
          id,
          options,
        ])
        times.push((performance.now() - start) * 1000)
        count = values.length
      }
      console.log(`| ${JSON.stringify(options)} | ${count} | ${formatDuration(median(times))} |`)
    }
  } finally {
    await server.stop()
  }
}
