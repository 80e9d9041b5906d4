import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'understudy-private-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Runs a network that forks the sample chain, and answers the rights of every file of it while it runs. */
async function modesOf(directory: string): Promise<Record<string, string>> {
  const umask = process.umask(0)
  const run = runCommand(['start', '--data-dir', directory, '--port', '0'], parent)
  process.umask(umask)
  try {
    await run.listening
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    return Object.fromEntries(['.', ...names].sort().map((name) => [name, modeOf(join(directory, name))]))
  } finally {
    run.child.kill('SIGKILL')
    await run.ended
  }
}

const ours = {
  'network.redo': '600',
  'network.sqlite': '600',
  'network.sqlite-wal': '600',
  'sample-chain': '700',
  'sample-chain/network.redo': '600',
  'sample-chain/network.sqlite': '600',
  'sample-chain/network.sqlite-wal': '600',
}

it('keeps a network to its owner, whatever the umask is, and closes what an older version left open', async () => {
  const directory = join(parent, 'made', 'data')
  expect(await modesOf(directory)).toEqual({ '.': '700', ...ours })
  chmodSync(directory, 0o755)
  for (const name of ['network.sqlite', 'network.sqlite-wal']) chmodSync(join(directory, name), 0o644)
  // A process that was killed leaves the files of its journal.
  const journals = { 'network.sqlite-shm': '600', 'sample-chain/network.sqlite-shm': '600' }
  expect(await modesOf(directory)).toEqual({ '.': '700', ...ours, ...journals })
})

it('leaves the rights of a directory in which others have files', async () => {
  const directory = join(parent, 'shared')
  mkdirSync(directory)
  chmodSync(directory, 0o755)
  writeFileSync(join(directory, 'package.json'), '{}')
  chmodSync(join(directory, 'package.json'), 0o644)
  expect(await modesOf(directory)).toEqual({ '.': '755', 'package.json': '644', ...ours })
})
