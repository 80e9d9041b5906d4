import { connect, type Socket } from 'node:net'
import { createFakeClock } from '@understudy/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const limit = 40

const clock = createFakeClock()
let network: TestNetwork
let open: Socket[] = []
beforeEach(async () => {
  network = await startNetwork({ connectionLimit: limit }, { clock })
})
afterEach(async () => {
  for (const socket of open) socket.destroy()
  open = []
  await network.stop()
})

/** Asks over a connection of its own, and keeps that open. Resolves with the answer. */
function ask(localAddress: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname: host } = new URL(network.url)
    const socket = connect({ port: Number(port), host, localAddress })
    open.push(socket)
    socket.on('error', reject)
    socket.once('data', (data) => resolve(String(data)))
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
}

/** How many connections are served before one is refused, and how that is. */
async function askUntilRefused(localAddress: string) {
  for (let served = 0; ; served++) {
    const answer = await ask(localAddress)
    if (!answer.startsWith('HTTP/1.1 200')) return { served, answer }
  }
}

it('one address leaves connections for others, and this machine may have all that are free', async () => {
  const { served, answer } = await askUntilRefused('127.0.0.2')
  expect(served).toBeGreaterThan(limit / 4)
  expect(served).toBeLessThanOrEqual(limit / 2)
  expect(answer).toMatch(/^HTTP\/1.1 503 .*--connection-limit/s)
  const others = [await askUntilRefused('127.0.0.3'), await askUntilRefused('127.0.0.4')].map((one) => one.served)
  for (const other of others) expect(other).toBeGreaterThan(1)
  const own = await askUntilRefused('127.0.0.1')
  const all = served + own.served + others.reduce((sum, other) => sum + other)
  // The client of the test has some too.
  expect(all).toBeGreaterThan(limit - 5)
  expect(all).toBeLessThanOrEqual(limit)
})

it('without keys, each address has its own requests a second', async () => {
  await network.restart({ rateLimit: 3 })
  const statuses = async (address: string) => {
    const answers = []
    for (let asked = 0; asked < 4; asked++) answers.push((await ask(address)).slice(9, 12))
    return answers
  }
  const some = ['200', '200', '200', '429']
  expect([await statuses('127.0.0.2'), await statuses('127.0.0.3')]).toEqual([some, some])
})
