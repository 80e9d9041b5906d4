import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { artifacts, foundryBinary, startAnvil, testAccounts } from '@understudy/testkit'
import { createPublicClient } from 'viem'
import { ipc } from 'viem/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const [from, to] = testAccounts.map(({ address }) => address)

let directory: string
let path: string
let networks: TestNetwork[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-ipc-'))
  path = join(directory, 'node.ipc')
  networks = []
})
afterEach(async () => {
  for (const network of networks) await network.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function start(options: Parameters<typeof startNetwork>[0] = {}): Promise<TestNetwork> {
  const network = await startNetwork({ ipc: path, ...options })
  networks.push(network)
  return network
}

/** A raw connection; `received` has what came, by lines. */
async function open(): Promise<{ socket: Socket; received: string[]; closed: Promise<unknown> }> {
  const socket = connect(path)
  const received: string[] = []
  let rest = ''
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    received.push(...lines)
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received, closed }
}
const callOf = (id: number, method: string, ...params: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const lines = (received: string[], count: number) =>
  eventually(
    async () => received,
    (all) => all.length >= count,
  )

describe.skipIf(process.platform === 'win32')('a local socket', () => {
  it('answers messages with or without space between them, batches too, and in pieces', async () => {
    await start()
    const { socket, received } = await open()
    const text = `${callOf(1, 'eth_chainId')}${callOf(2, 'web3_sha3', `0x${'7d'.repeat(3)}`)}\n [${callOf(3, 'eth_chainId')}]`
    for (const character of text) socket.write(character)
    socket.write(callOf(4, 'nothing_known'))
    const answers = (await lines(received, 4)).map((line) => JSON.parse(line))
    expect(answers.map((answer) => (Array.isArray(answer) ? answer[0].id : answer.id)).sort()).toEqual([1, 2, 3, 4])
    expect(answers.find(({ id }) => id === 4)).toMatchObject({ error: { code: -32601 } })
    socket.destroy()
  })

  it('serves viem and its subscriptions', async () => {
    await start()
    const client = createPublicClient({ transport: ipc(path) })
    expect(await client.getChainId()).toBe(31_337)
    const heads: bigint[] = []
    const unwatch = client.watchBlockNumber({ poll: false, onBlockNumber: (number) => heads.push(number) })
    const { socket, received } = await open()
    await eventually(
      async () => {
        socket.write(callOf(1, 'evm_mine'))
        return heads.length
      },
      (count) => count > 1,
    )
    await lines(received, 1)
    unwatch()
    socket.destroy()
    ;(await client.transport.getRpcClient()).close()
  })

  it('serves cast, which deploys and reads', async () => {
    await start()
    const cast = async (...args: string[]) =>
      (
        await promisify(execFile)(foundryBinary('cast'), [args[0] as string, '--rpc-url', path, ...args.slice(1)])
      ).stdout.trim()
    expect(await cast('chain-id')).toBe('31337')
    const sent = JSON.parse(
      await cast(
        'send',
        '--json',
        '--unlocked',
        '--from',
        String(from),
        '--create',
        `${artifacts.Counter.bytecode}${'7'.padStart(64, '0')}`,
      ),
    )
    expect(sent.status).toBe('0x1')
    expect(await cast('call', sent.contractAddress, 'number()(uint256)')).toBe('7')
    expect(await cast('balance', String(to))).toMatch(/^\d+$/)
  })

  it('is a live chain for anvil', async () => {
    const network = await start()
    await network.rpc('anvil_mine', '0x5')
    const anvil = await startAnvil({ args: ['--fork-url', path] })
    try {
      expect(await anvil.rpc('eth_blockNumber')).toBe('0x5')
    } finally {
      await anvil.stop()
    }
  })

  it('can be opened by the user of the process only, who needs no key and has all roles', async () => {
    await start({ apiKeys: ['a-k3y-of-somebody:read'] })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { socket, received } = await open()
    socket.write(callOf(1, 'dev_setBalance', to, '5'))
    expect(JSON.parse((await lines(received, 1))[0] as string)).toMatchObject({ result: { balance: '5' } })
    socket.destroy()
  })

  it('closes a connection that sends no JSON, or more than a body may have', async () => {
    await start({ bodyLimit: 2000 })
    for (const [sent, problem] of [
      ['GET / HTTP/1.1\r\n\r\n', 'begins with something else'],
      [`["${'a'.repeat(3000)}`, 'more than 2000 bytes'],
    ] as const) {
      const { socket, received, closed } = await open()
      socket.write(sent)
      await closed
      expect(received.join()).toContain(problem)
    }
    const { socket, received } = await open()
    socket.write(callOf(1, 'eth_chainId'))
    await lines(received, 1)
    socket.destroy()
  })

  it('bounds what waits for a client that sends and reads nothing', async () => {
    const network = await start()
    const { socket } = await open()
    socket.pause()
    const request = callOf(1, 'eth_getBlockByNumber', 'latest', true)
    const many = request.repeat(2000)
    let isStopped = false
    for (let sent = 0; sent < 200 && !isStopped; sent++) isStopped = !socket.write(many)
    expect(isStopped).toBe(true)
    expect(await network.rpc('eth_chainId')).toBe('0x7a69')
    socket.destroy()
    expect(await network.rpc('eth_chainId')).toBe('0x7a69')
  })

  it('counts with WebSockets, and ends with the network', async () => {
    const network = await start({ webSocketLimit: 1 })
    const first = await open()
    first.socket.write(callOf(1, 'eth_chainId'))
    await lines(first.received, 1)
    const second = await open()
    await second.closed
    await network.stop()
    networks.pop()
    await first.closed
    expect(existsSync(path)).toBe(false)
  })

  it('replaces what a killed process left, but no socket in use and no other file', async () => {
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`
    const child = spawn(process.execPath, ['-e', script])
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await expect(startNetwork({ ipc: path })).rejects.toThrow(`--ipc: another process listens on ${path}`)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(existsSync(path)).toBe(true)
    const network = await start()
    const { socket, received } = await open()
    socket.write(callOf(1, 'eth_chainId'))
    await lines(received, 1)
    socket.destroy()
    await network.stop()
    networks.pop()
    writeFileSync(path, 'mine')
    await expect(startNetwork({ ipc: path })).rejects.toThrow(`--ipc: ${path} is there, and is no socket`)
    await expect(startNetwork({ ipc: join(directory, 'none', 'x.ipc') })).rejects.toThrow('--ipc: cannot listen on')
    expect(readdirSync(directory)).toEqual(['node.ipc'])
    await expect(startNetwork({ ipc: `/tmp/${'x'.repeat(100)}` })).rejects.toThrow(
      'ipc: expected the path of a local socket, at most 103 bytes',
    )
  })

  it('is an option of the command, which says where it is', async () => {
    const { child, listening, ended } = runCommand(['start', '--port', '0', '--ipc', path], directory)
    await listening
    const { socket, received } = await open()
    socket.write(callOf(1, 'eth_chainId'))
    await lines(received, 1)
    socket.destroy()
    child.kill('SIGINT')
    expect((await ended).stdout).toContain(`  IPC         ${path}`)
    expect(existsSync(path)).toBe(false)
  })
})
