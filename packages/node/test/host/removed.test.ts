import { queryObjects } from 'node:v8'
import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RecentBlocks } from '../../src/chain/store/recentBlocks.ts'
import { openSocket } from '../rawSocket.ts'
import { startHost, type TestHost } from './startHost.ts'

const account = '0x00000000000000000000000000000000000000a1'
/** Loops 3000 times and stores the number of rounds. */
const counting = '0x610bb85b600190038060035750600160005500'
/** Never ends by itself: `loop: jump(loop)`. */
const endless = { [account]: { code: '0x5b600056' } }

let anvil: Anvil
let all: TestHost
beforeAll(async () => {
  anvil = await startAnvil()
  all = await startHost({
    options: { 'call-timeout': 1, 'call-gas-limit': 1e11 },
    networks: { always: { 'fork-url': anvil.url } },
  })
  await all.rpc('/n/always', 'eth_blockNumber')
})
afterAll(async () => {
  await all?.stop()
  await anvil?.stop()
})

/** How many networks and branches are in memory, after all garbage was collected. */
const inMemory = () => queryObjects(RecentBlocks, { format: 'count' })

/** Leaves what waits for minutes: a filter, a debug session, engines of long runs; and a connection that listens. */
async function use(path: string) {
  await all.rpc(path, 'dev_setCode', [account, counting])
  await all.rpc(path, 'eth_newBlockFilter')
  await all.rpc(path, 'dev_debugOpen', [{ to: account, gas: '0xfffff' }])
  await all.rpc(path, 'dev_openWalletRequest', ['http://localhost', 'eth_requestAccounts', []])
  const call = [{ to: account, gas: '0xffffffffff' }, 'latest', endless]
  await expect(all.rpc(path, 'eth_call', call)).rejects.toMatchObject({ message: expect.stringContaining('timeout') })
  const socket = await openSocket(all.url + path)
  await socket.request('eth_subscribe', 'newHeads')
  return socket
}

it.each([
  {
    what: 'a branch',
    path: '/n/always/n/used',
    make: () => all.rpc('/n/always', 'dev_createBranch', [{ name: 'used' }]),
    remove: () => all.rpc('/n/always', 'dev_removeBranch', ['used']),
  },
  {
    what: 'a network',
    path: '/n/used',
    make: () => all.rpc('/', 'dev_createNetwork', [{ name: 'used' }]),
    remove: () => all.rpc('/', 'dev_removeNetwork', ['used']),
  },
])(
  'keeps nothing of $what in memory that was removed',
  async ({ path, make, remove }) => {
    await make()
    const socket = await use(path)
    const used = inMemory()
    await remove()
    await socket.closed
    // Connections close in a moment.
    await expect.poll(inMemory, { interval: 500, timeout: 30_000 }).toBeLessThan(used)
  },
  90_000,
)
