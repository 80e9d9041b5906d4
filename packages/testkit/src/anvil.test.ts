import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startAnvil } from './anvil.ts'

test('anvil starts on a free port with the options given, answers, and is gone after stop', async () => {
  const anvil = await startAnvil({ chainId: 4321, accounts: 3, hardfork: 'cancun', args: ['--gas-limit', '12345678'] })
  expect(await anvil.rpc('eth_chainId')).toBe('0x10e1')
  expect(await anvil.rpc<string[]>('eth_accounts')).toHaveLength(3)
  expect(await anvil.rpc('eth_getBlockByNumber', ['latest', false])).toMatchObject({ gasLimit: '0xbc614e' })
  await anvil.stop()
  await expect(fetch(anvil.url)).rejects.toThrow()
})

test('an error of anvil is thrown with its code', async () => {
  const anvil = await startAnvil()
  await expect(anvil.rpc('eth_nonsense')).rejects.toMatchObject({ name: 'JsonRpcError', code: -32601 })
  await anvil.stop()
})

test('anvil that cannot start is an error that shows its output', async () => {
  await expect(startAnvil({ args: ['--no-such-flag'] })).rejects.toThrow('no-such-flag')
})

test('anvil ends when the process that started it is killed', async () => {
  const script = `
    import { startAnvil } from ${JSON.stringify(new URL('../dist/anvil.js', import.meta.url).href)}
    const anvil = await startAnvil()
    process.stdout.write(anvil.url)
    setInterval(() => {}, 1000)
  `
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [url] = (await once(parent.stdout, 'data')) as [Buffer]
  const connection = await fetch(url.toString(), { method: 'POST', body: '{}' })
  expect(connection.status).toBeLessThan(500)
  parent.kill('SIGKILL')
  const answers = () =>
    fetch(url.toString()).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 20_000 }).toBe(false)
})
