import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EndedEarly, JsonRpcError, type Random, startUnderstudy } from '@understudy/testkit'
import type { Register } from './register.ts'
import { rpcOf } from './rpc.ts'

/** The redo log is mostly empty: damage is where its newest records are. */
const usedBytes = 65_536
const pageBytes = 4096

type Damage = { file: string; what: string; apply(path: string, random: Random): void }

function change(path: string, random: Random, most: number, task: (bytes: Buffer, at: number) => void): void {
  const bytes = readFileSync(path)
  if (bytes.length > 0) task(bytes, random.below(Math.min(most, bytes.length)))
  writeFileSync(path, bytes)
}

const removed = (path: string) => rmSync(path)
const cutOff = (most: number) => (path: string, random: Random) =>
  truncateSync(path, random.below(Math.min(most, readFileSync(path).length) || 1))
const bitFlipped = (most: number) => (path: string, random: Random) =>
  change(path, random, most, (bytes, at) => {
    bytes[at] = (bytes[at] as number) ^ (1 << random.below(8))
  })
const noise = (most: number) => (path: string, random: Random) =>
  change(path, random, most, (bytes, at) => {
    for (let index = at; index < Math.min(at + pageBytes, bytes.length); index++) bytes[index] = random.below(256)
  })
const zeros = (most: number) => (path: string, random: Random) =>
  change(path, random, most, (bytes, at) => bytes.fill(0, at, at + pageBytes))

const whole = Number.MAX_SAFE_INTEGER

/** What can happen to each file. SQLite has no checksums of the values in its main file: there, only what it can see. */
const damages: readonly Damage[] = Object.entries({
  'network.sqlite': { removed, 'cut off': cutOff(whole), 'noise at its beginning': noise(1) },
  'network.sqlite-wal': { removed, 'cut off': cutOff(whole), 'bit flipped': bitFlipped(whole), noise: noise(whole) },
  'network.sqlite-shm': { removed, noise: noise(whole) },
  'network.redo': {
    removed,
    'cut off': cutOff(usedBytes),
    'bit flipped': bitFlipped(usedBytes),
    noise: noise(usedBytes),
    zeros: zeros(usedBytes),
    'bit flipped near its beginning': bitFlipped(2000),
  },
}).flatMap(([file, ways]) => Object.entries(ways).map(([what, apply]) => ({ file, what, apply })))

/**
 * Damages one file of a copy of a data directory, another one each time, and starts a network on it. It must refuse to
 * start, have everything that was answered, or refuse what it cannot read. Returns the file and which of them it did.
 */
export async function startOnDamagedCopy(
  directory: string,
  { turn, args, register, random }: { turn: number; args: readonly string[]; register: Register; random: Random },
): Promise<string | undefined> {
  const files = readdirSync(directory, { recursive: true }).map(String)
  assert.deepEqual(
    files.filter((name) => !damages.some(({ file }) => file === name)),
    [],
    'files of the directory that nothing damages',
  )
  const { file, what, apply } = damages[turn % damages.length] as Damage
  const copy = mkdtempSync(join(tmpdir(), 'understudy-damaged-'))
  try {
    cpSync(directory, copy, { recursive: true })
    const path = join(copy, file)
    if (!existsSync(path)) return undefined
    apply(path, random)
    return `${file}, ${what}: ${await outcome([...args, '--data-dir', copy], register, random)}`
  } catch (error) {
    throw new Error(`${file}, ${what}: ${(error as Error).message}`, { cause: error })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** It says once what is wrong, maybe among lines of the log. */
const refusal = /^(\{.*\}\n)*error: the (data directory|database in the data directory) .+\n(\{.*\}\n)*$/

async function outcome(args: readonly string[], register: Register, random: Random): Promise<string> {
  const started = await startUnderstudy(args).catch((error) => {
    if (error instanceof EndedEarly) return error.ended
    throw error
  })
  if ('stderr' in started) {
    if (started.code === 1 && refusal.test(started.stderr)) return 'refused'
    throw new Error(`it ended with code ${started.code}: ${started.stderr}`)
  }
  try {
    await register.check(rpcOf(started.url), random, { learns: false })
    return 'whole'
  } catch (error) {
    const { kind } = ((error as { data?: unknown }).data ?? {}) as { kind?: string }
    if (error instanceof JsonRpcError && kind?.startsWith('DATA_DIRECTORY_')) return 'refused what it reads'
    throw error
  } finally {
    await started.end('SIGKILL')
  }
}
