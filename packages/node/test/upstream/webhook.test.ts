import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { upgradeSource } from './shadow/upgradeSource.ts'

type Post = { headers: IncomingHttpHeaders; text: string; report: Report }
type Report = {
  chainId: number
  block: number
  hash: Hex
  divergences: { hash: Hex; unexpected: string[] }[]
  invariants: { name: string; failures: { block: number }[] }[]
}
type Status = { url: string; isSigned: boolean; delivered: number; dropped: number; lastError: string | null }

const code = compileSource('Upgrade.sol', upgradeSource).Upgrade?.imported.deployedBytecode as Hex
const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const secret = 'a secret of sixteen or more'

let live: Anvil
let trader: TestClient
let token: Address
let network: TestNetwork
let receiver: Server
let url: string
let posts: Post[] = []
/** What the receiver answers; the last one stays. */
let answers: number[] = [200]

const status = () => network.rpc<Status | null>('dev_getWebhook')
/** A transfer on the live chain, in a block of its own; the upgrade refuses every seventh amount. */
async function transfer(value: bigint): Promise<Hex> {
  const hash = await trader.writeContract({
    ...{ address: token, abi: artifacts.PlainToken.abi, functionName: 'transfer' },
    args: [`0x${'5e'.repeat(20)}` as Address, value],
    gas: 200_000n,
  })
  const { blockNumber } = await trader.waitForTransactionReceipt({ hash })
  await eventually(
    () => network.client.getBlockNumber({ cacheTime: 0 }),
    (number) => number >= blockNumber,
  )
  return hash
}
const delivered = (count: number) =>
  eventually(
    async () => posts,
    (all) => all.length >= count,
  )

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer === 200) posts.push({ headers: request.headers, text, report: JSON.parse(text) as Report })
      response.writeHead(answer ?? 200, answer === 302 ? { location: '/elsewhere' } : {}).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  live = await startAnvil()
  trader = await connectClient(live.url)
  token = await deployContract(trader, artifacts.PlainToken, ['Token', 'TKN', 10n ** 24n])
})
afterAll(async () => {
  await live?.stop()
  receiver?.close()
})
beforeEach(async () => {
  posts = []
  answers = [200]
  network = await startNetwork({ forkUrls: [live.url], shadow: true, mnemonic })
  await network.rpc('dev_setCode', token, code)
  await network.rpc('dev_setShadow', { rules: ['only status'] })
})
afterEach(() => network?.stop())

it('posts what diverged in a block, signed', async () => {
  await transfer(7n)
  expect(await network.rpc('dev_setWebhook', { url, secret })).toMatchObject({ url, isSigned: true, delivered: 0 })
  await transfer(8n)
  const hash = await transfer(14n)
  const [post] = await delivered(1)
  const block = await trader.getBlockNumber({ cacheTime: 0 })
  expect(post?.report).toMatchObject({ chainId: 31337, block: Number(block), invariants: [] })
  expect(post?.report.divergences).toMatchObject([{ hash, unexpected: expect.arrayContaining(['status']) }])
  const { hash: blockHash } = await network.client.getBlock({ blockNumber: block })
  expect(post?.headers['x-understudy-delivery']).toBe(blockHash)
  const signature = createHmac('sha256', secret)
    .update(post?.text ?? '')
    .digest('hex')
  expect(post?.headers['x-understudy-signature']).toBe(`sha256=${signature}`)
  expect(posts).toHaveLength(1)
  expect(JSON.stringify(await network.rpc('dev_getAuditLog'))).not.toContain(secret)
})

it('tries again after failures and redirects, and after a restart', { timeout: 60_000 }, async () => {
  await network.rpc('dev_setWebhook', { url, secret })
  answers = [500, 302, 200]
  const first = await transfer(21n)
  const [post] = await delivered(1)
  expect(post?.report.divergences.map((each) => each.hash)).toEqual([first])
  answers = [503]
  const second = await transfer(28n)
  await eventually(status, (now) => now?.lastError === 'not answered with a status of 200 to 299 within 10 seconds')
  await network.restart()
  answers = [200]
  const [, other] = await delivered(2)
  expect(other?.report.divergences.map((each) => each.hash)).toEqual([second])
  const third = await transfer(35n)
  expect((await delivered(3)).at(-1)?.report.divergences.map((each) => each.hash)).toEqual([third])
  expect(posts).toHaveLength(3)
})

it('posts broken invariants, and those of a block that replaced another', async () => {
  await network.rpc('dev_setWebhook', { url, events: ['invariants'] })
  const balance = { type: 'native-token-balance', address: `0x${'77'.repeat(20)}` }
  const check = { left: balance, is: '<', right: '10' }
  await network.rpc('dev_addInvariant', { name: 'poor', check })
  const snapshot = await network.rpc('evm_snapshot')
  await network.rpc('dev_setBalance', balance.address, '11')
  await transfer(42n)
  const [post] = await delivered(1)
  expect(post?.report).toMatchObject({ divergences: [], invariants: [{ name: 'poor' }] })
  expect(post?.headers['x-understudy-signature']).toBeUndefined()
  await network.rpc('dev_setMiningMode', 'manual')
  await network.rpc('evm_revert', snapshot)
  await network.rpc('dev_setBalance', balance.address, '12')
  await network.rpc('dev_setMiningMode', 'replay')
  const [, again] = await delivered(2)
  expect(again?.report.block).toBe(post?.report.block)
  expect(await network.rpc('dev_setWebhook', null)).toBeNull()
  expect(await status()).toBeNull()
})

it('refuses what is no URL of a server, short secrets, and branches', async () => {
  for (const webhook of [{ url: 'file:///etc/passwd' }, { url: 'x' }, { url, secret: 'short' }, { url, events: [] }])
    await expect(network.rpc('dev_setWebhook', webhook)).rejects.toThrow(/invalid params/i)
  await network.rpc('dev_setWebhook', { url })
  await network.rpc('dev_createBranch', { name: 'other' })
  const branch = await connectClient(`${network.url}/n/other`)
  await expect(branch.request({ method: 'dev_setWebhook', params: [{ url }] } as never)).rejects.toThrow(/branch/)
  expect(await branch.request({ method: 'dev_getWebhook' } as never)).toBeNull()
  await network.restart({ resetToUrl: false })
  await expect(network.rpc('dev_setWebhook', { url })).rejects.toThrow(/reset-to-url/)
})
