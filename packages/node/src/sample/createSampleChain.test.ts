import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEvm } from '@understudy/evm'
import { connectClient } from '@understudy/testkit'
import { erc20Abi } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Pool, PriceFeed } from '../../generated/sampleContracts/index.js'
import { createLogger } from '../shared/logger.ts'
import { createSampleChain, type SampleChain } from './createSampleChain.ts'
import { deployer, sampleContracts, trader } from './deployment.ts'

let directory: string
let sample: SampleChain

const open = async () => {
  sample = await createSampleChain(
    { dataDirectory: directory },
    { engine: createEvm(), logger: createLogger('silent') },
  )
  await sample.start()
}
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-sample-'))
  await open()
})
afterEach(async () => {
  await sample.stop()
  rmSync(directory, { recursive: true })
})

it('has its contracts where it says, and trades by itself', async () => {
  const client = await connectClient(sample.url())
  for (const address of Object.values(sampleContracts)) expect(await client.getCode({ address })).toBeDefined()
  const reserves = () =>
    client.readContract({ address: sampleContracts.pool, abi: Pool.abi, functionName: 'getReserves' })
  const before = await reserves()
  const block = await client.getBlockNumber()
  const feed = { address: sampleContracts.priceFeed, abi: PriceFeed.abi } as const
  expect(await client.readContract({ ...feed, functionName: 'description' })).toBe('GOLD / USD')
  while ((await client.getBlockNumber()) < block + 2n) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await reserves()).not.toEqual(before)
})

it('has traded before it is forked', async () => {
  const client = await connectClient(sample.url())
  const blocks = await Promise.all(
    [26n, 28n, 30n].map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
  )
  for (const { transactions } of blocks) expect(transactions.map(({ to }) => to)).toContain(sampleContracts.pool)
})

it('runs the newest stable fork', async () => {
  const client = await connectClient(sample.url())
  // CLZ of 1, which Prague does not have.
  const { data } = await client.call({ data: '0x60011e5f5260205ff3' })
  expect(BigInt(data ?? 0)).toBe(255n)
})

it('is the same chain after a restart', async () => {
  let client = await connectClient(sample.url())
  const block = await client.getBlock()
  await sample.stop()
  await open()
  client = await connectClient(sample.url())
  expect(await client.getBlock({ blockNumber: block.number })).toEqual(block)
  const balance = {
    address: sampleContracts.proxyToken,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [trader],
  } as const
  expect(await client.readContract(balance)).toBeGreaterThan(0n)
  expect(await client.getTransactionCount({ address: deployer })).toBeGreaterThan(10)
})

it('is closed to those who do not know its address', async () => {
  const url = new URL(sample.url())
  const ask = (path: string) =>
    fetch(url.origin + path, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' })
  expect(
    await Promise.all(['/', '/rpc/guessed-by-somebody', url.pathname].map(async (path) => (await ask(path)).status)),
  ).toEqual([401, 401, 200])
})
