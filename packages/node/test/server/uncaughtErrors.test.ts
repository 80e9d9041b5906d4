import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Anvil, postJsonRpc, startAnvil, startUnderstudy } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../startNetwork.ts'

let anvil: Anvil
let directory: string
beforeAll(async () => {
  anvil = await startAnvil()
  directory = mkdtempSync(join(tmpdir(), 'understudy-'))
})
afterAll(async () => {
  await anvil.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts a network in whose process a signal runs some code, as a bug would. */
async function startWithBug(name: string, code: string) {
  const file = join(directory, `${name}.mjs`)
  writeFileSync(file, `process.on('SIGUSR2', () => { ${code} })`)
  const args = ['--fork-url', anvil.url, '--data-dir', join(directory, name)]
  return startUnderstudy(args, { environment: { NODE_OPTIONS: `--import=${pathToFileURL(file)}` } })
}

it('a rejected promise that nothing awaited is logged, and the network serves on', async () => {
  const network = await startWithBug('rejection', "Promise.reject(new Error('nothing awaited this'))")
  let log = ''
  network.process.stderr?.on('data', (chunk) => {
    log += chunk
  })
  network.process.kill('SIGUSR2')
  await eventually(
    async () => log,
    (text) => text.includes('nothing awaited this'),
  )
  expect(log).toContain('Continued after an unhandled promise rejection')
  expect(await postJsonRpc(network.url, 'eth_blockNumber', [])).toBe('0x0')
  expect((await network.end()).code).toBe(0)
})

it('an exception that nothing caught is logged, and the network stops with what it answered', async () => {
  const network = await startWithBug('exception', "throw new Error('nothing caught this')")
  await postJsonRpc(network.url, 'dev_setNonce', [`0x${'aa'.repeat(20)}`, 5])
  const ended = network.end('SIGUSR2')
  expect(await ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Stopped after an uncaught exception.*unexpected error: Error: nothing caught this/s),
  })
  const again = await startWithBug('exception', '')
  expect(await postJsonRpc(again.url, 'eth_getTransactionCount', [`0x${'aa'.repeat(20)}`])).toBe('0x5')
  await again.end()
})
