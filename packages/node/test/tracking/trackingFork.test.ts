import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  requireSuccess,
  startAnvil,
  type TestClient,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { type Entry, trackerOf, valuesOf } from './tracker.ts'

const someone: Address = `0x${'5e'.repeat(20)}`
const holder: Address = `0x${'40'.repeat(20)}`
const followed: Address = `0x${'f0'.repeat(20)}`
const ledgerAbi = artifacts.Ledger.abi
const tokenAbi = artifacts.ProxiedToken.abi
const pairAbi = artifacts.UniswapV2Pair.abi

let anvil: Anvil
let live: TestClient
let uniswap: UniswapV2
let token: Address
let ledger: Address
beforeAll(async () => {
  anvil = await startAnvil({})
  live = await connectClient(anvil.url)
  uniswap = await deployUniswapV2(live)
  ledger = await deployContract(live, artifacts.Ledger)
  const implementation = await deployContract(live, artifacts.ProxiedToken)
  const args = [live.account.address, parseEther('1000')] as const
  const initializer = encodeFunctionData({ abi: tokenAbi, functionName: 'initialize', args })
  token = await deployContract(live, artifacts.TokenProxy, [implementation, initializer])
})
afterAll(() => anvil?.stop())

const accountSlot = (owner: Address) =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))

/** The items, and what else tells their values at a block. */
function subjects() {
  const reserves = (client: TestClient, blockNumber: bigint) =>
    client.readContract({ address: uniswap.pair, abi: pairAbi, functionName: 'getReserves', blockNumber })
  const account = (client: TestClient, blockNumber: bigint) =>
    client.readContract({ address: ledger, abi: ledgerAbi, functionName: 'accountOf', args: [holder], blockNumber })
  const getReserves = 'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 updatedAt)'
  const accountOf = 'function accountOf(address) view returns ((uint128 balance, uint64 changes, bool open) account)'
  const args = JSON.stringify([holder])
  return [
    [
      { type: 'function-result', address: uniswap.pair, functionAbi: getReserves, functionOutputPath: 'reserve0' },
      async (client: TestClient, block: bigint) => String((await reserves(client, block))[0]),
    ],
    [
      { type: 'function-result', address: uniswap.pair, functionAbi: getReserves },
      async (client: TestClient, block: bigint) => JSON.stringify((await reserves(client, block)).map(String)),
    ],
    ...[someone, followed].map(
      (address) =>
        [
          { type: 'native-token-balance', address },
          async (client: TestClient, blockNumber: bigint) => String(await client.getBalance({ address, blockNumber })),
        ] as const,
    ),
    [
      { type: 'erc20-balance', address: token, functionArgs: args },
      async (client: TestClient, blockNumber: bigint) =>
        String(
          await client.readContract({
            address: token,
            abi: tokenAbi,
            functionName: 'balanceOf',
            args: [holder],
            blockNumber,
          }),
        ),
    ],
    [
      { type: 'storage-variable', address: ledger, functionArgs: JSON.stringify([accountSlot(holder)]) },
      (client: TestClient, blockNumber: bigint) =>
        client.getStorageAt({ address: ledger, slot: accountSlot(holder), blockNumber }),
    ],
    [
      {
        type: 'function-result',
        address: ledger,
        functionAbi: accountOf,
        functionArgs: args,
        functionOutputPath: 'account.balance',
      },
      async (client: TestClient, block: bigint) => String((await account(client, block)).balance),
    ],
  ] as const
}

describe.each(['instant', 'replay'] as const)('values of a network in %s mode', (mine) => {
  let network: TestNetwork
  const { rpc, track, history } = trackerOf(() => network)
  beforeAll(async () => {
    network = await startNetwork({ forkUrls: [anvil.url], mine })
    await rpc('dev_followAccount', followed)
  })
  afterAll(() => network?.stop())

  const untilBaseIsLive = async () => {
    const head = Number(await live.getBlockNumber())
    const info = () => rpc<{ base: { number: number } }>('dev_getNetworkInfo')
    await eventually(info, ({ base }) => base.number >= head)
  }

  /** Until a transaction waits for upstream's next block. */
  const untilPending = () => {
    const count = (blockTag: 'latest' | 'pending') =>
      network.client.getTransactionCount({ address: network.client.account.address, blockTag })
    return eventually(
      async () => (await count('pending')) > (await count('latest')),
      (isPending) => isPending,
    )
  }

  /** What happens, by either network; each subject is changed by the live chain first, and here later. */
  const payFollowed = (client: TestClient) => client.sendTransaction({ to: followed, value: 1n })
  const actions: ((client: TestClient, step: number) => Promise<Hex>)[] = [
    (client, step) => uniswap.swap(parseEther('1'), step % 2 ? 'A to B' : 'B to A', client),
    (client, step) => client.sendTransaction({ to: someone, value: BigInt(step + 1) }),
    (client, step) =>
      client.writeContract({ address: token, abi: tokenAbi, functionName: 'transfer', args: [holder, BigInt(step)] }),
    (client, step) =>
      client.writeContract({
        address: ledger,
        abi: ledgerAbi,
        functionName: 'put',
        args: [holder, BigInt(step % 7)],
        gas: 300_000n,
      }),
    payFollowed,
  ]

  it('are what eth_call, eth_getBalance and eth_getStorageAt answer at the blocks of 50 steps', async () => {
    const items: {
      id: string
      perTransaction: boolean
      read: (client: TestClient, block: bigint) => Promise<unknown>
    }[] = []
    for (const [item, read] of subjects()) {
      items.push({ id: await track(item), perTransaction: true, read })
      const everyBlock = { ...item, recordTrigger: 'every-n-blocks', trackingFrequency: 1 }
      items.push({ id: await track(everyBlock), perTransaction: false, read })
    }
    const hashes: Hex[] = []
    const first = await network.client.getBlockNumber()
    for (let step = 0; step < 50; step++) {
      const act = actions[step % actions.length] as (typeof actions)[number]
      const isLocal = act !== payFollowed && step >= 10 * (step % actions.length) && step % 3 !== 0
      if (isLocal) {
        const sent = act(network.client, step)
        if (mine === 'replay') {
          await untilPending()
          await live.mine({ blocks: 1 })
        }
        hashes.push(await sent)
      } else await requireSuccess(live, await act(live, step))
      await untilBaseIsLive()
    }
    await untilBaseIsLive()
    expect(hashes.length).toBeGreaterThan(15)

    const head = await network.client.getBlockNumber()
    expect(head - first).toBeGreaterThanOrEqual(50n)
    for (const { id, perTransaction, read } of items) {
      const { values } = await history(id)
      const blocks = values.map(({ blockNumber }) => blockNumber)
      if (perTransaction) expect(values.map(({ txHash }) => txHash).slice(-hashes.length)).toEqual(hashes)
      else expect(blocks).toEqual(Array.from({ length: Number(head - first) }, (_, index) => Number(first) + 1 + index))
      expect(new Set(valuesOf({ values } as never)).size).toBeGreaterThan(5)
      const expected: Pick<Entry, 'blockNumber' | 'value'>[] = []
      for (const blockNumber of blocks)
        expected.push({ blockNumber, value: (await read(network.client, BigInt(blockNumber))) as string })
      expect(values.map(({ blockNumber, value }) => ({ blockNumber, value }))).toEqual(expected)
    }
  }, 120_000)
})

it('show a reorganisation of the live chain from its next block on', async () => {
  const network = await startNetwork({ forkUrls: [anvil.url] })
  const { rpc, track, history } = trackerOf(() => network)
  const receiver: Address = `0x${'7e'.repeat(20)}`
  const id = await track({ address: receiver, recordTrigger: 'every-n-blocks', trackingFrequency: 1 })
  const untilBaseIs = (hash: Hex | null) =>
    eventually(
      () => rpc<{ base: { hash: Hex } }>('dev_getNetworkInfo'),
      ({ base }) => base.hash === hash,
    )
  await requireSuccess(live, await live.sendTransaction({ to: receiver, value: 5n }))
  await untilBaseIs((await live.getBlock()).hash)
  expect(valuesOf(await history(id)).at(-1)).toBe('5')
  await anvil.rpc('anvil_rollback', [1])
  await live.mine({ blocks: 2 })
  await untilBaseIs((await live.getBlock()).hash)
  expect(valuesOf(await history(id)).at(-1)).toBe('0')
  await network.stop()
})
