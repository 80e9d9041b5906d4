import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv } from 'node:process'
import Database from 'libsql'

// Stands for a long time of recording: so many samples of an item, one a second, the last of them now.
// node recordSamples.mjs DATABASE ITEM COUNT, while no network runs on it. A process of its own, which lets go of the file.

const [path, id, count] = [argv[2], argv[3], Number(argv[4])]
const database = new Database(path)
const { number } = database.prepare('select number from tracked_items where id = ?').get(id)
const insert = database.prepare(
  "insert into tracked_samples (branch, item, block_number, position, timestamp, kind, value) values (0, ?, 1, 0, ?, 'point', ?)",
)
const now = Date.now()
database.transaction(() => {
  for (let index = 0; index < count; index++) {
    const wave = BigInt(Math.round(Math.sin(index / 900) * 1e9)) * 10n ** 10n
    insert.run(number, now - (count - index) * 1000, String(10n ** 21n + wave))
  }
})()
// The checksums of the network are of the file as it was.
rmSync(join(dirname(path), 'network.sums'), { force: true })
