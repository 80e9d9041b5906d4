import {
  type Anvil,
  artifacts,
  connectClient,
  type DeployableArtifact,
  deployContract,
  requireSuccess,
  startAnvil,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const supply = 1_000_000n
/** Deploys a token on the live chain, whose first test account has all of it. */
type Deploy = (live: TestClient) => Promise<Address>

const plain =
  (artifact: DeployableArtifact): Deploy =>
  (live) =>
    deployContract(live, artifact, [supply])

const layouts: Record<string, Deploy> = {
  OpenZeppelin: (live) => deployContract(live, artifacts.PlainToken, ['Plain', 'PLN', supply]),
  Solady: plain(artifacts.SoladyToken),
  'Vyper, key and slot swapped': plain(artifacts.VyperLayoutToken),
  'an EIP-1967 proxy': async (live) => {
    const implementation = await deployContract(live, artifacts.ProxiedToken)
    const args = [live.account.address, supply] as const
    const data = encodeFunctionData({ abi: artifacts.ProxiedToken.abi, functionName: 'initialize', args })
    return deployContract(live, artifacts.TokenProxy, [implementation, data])
  },
  'a diamond': plain(artifacts.DiamondToken),
  'packed with a flag': plain(artifacts.PackedToken),
  'packed in the middle of a slot': plain(artifacts.ShiftedToken),
  'storage in a separate contract': plain(artifacts.SeparateStorageToken),
}

describe('ERC-20 balances', () => {
  const [owner, holder, other] = testAccounts.map(({ address }) => address) as [Address, Address, Address]
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork

  beforeAll(async () => {
    anvil = await startAnvil()
    live = await connectClient(anvil.url)
    network = await startNetwork({ forkUrls: [anvil.url], followHead: true })
  })
  afterAll(async () => {
    await network?.stop()
    await anvil?.stop()
  })

  const balanceOf = (client: TestClient, address: Address, of: Address) =>
    client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [of] })
  const untilSeen = async (address: Address) => {
    while ((await network.client.getCode({ address })) === undefined) await network.rpc('evm_mine')
  }

  it.each(Object.entries(layouts))('are found and set: %s', async (_, deploy) => {
    const token = await deploy(live)
    await untilSeen(token)
    await network.rpc('dev_setERC20Balance', holder, token, '12345')
    await network.rpc('dev_addERC20Balance', owner, token, '11')
    expect(await balanceOf(network.client, token, holder)).toBe(12345n)
    expect(await balanceOf(network.client, token, owner)).toBe(supply + 11n)
    const { request } = await network.client.simulateContract({
      address: token,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [other, 345n],
      account: testAccounts[1],
    })
    await requireSuccess(network.client, await network.client.writeContract(request))
    expect(await balanceOf(network.client, token, holder)).toBe(12000n)
    expect(await balanceOf(network.client, token, other)).toBe(345n)
    expect(await balanceOf(live, token, holder)).toBe(0n)

    await network.rpc('dev_followTokenBalance', token, holder)
    expect(await balanceOf(network.client, token, holder)).toBe(0n)
  })

  it('add up when they are added at the same time', async () => {
    // By another account: the first one's next contract has the same address on the live chain.
    const deployer = await connectClient(network.url, testAccounts[3])
    const token = await deployContract(deployer, artifacts.PlainToken, ['Own', 'OWN', 0n])
    await Promise.all(Array.from({ length: 10 }, () => network.rpc('dev_addERC20Balance', holder, token, '7')))
    expect(await balanceOf(network.client, token, holder)).toBe(70n)
  })

  it('are set by shares, if some number of them is the amount, and not followed', async () => {
    const token = await deployContract(live, artifacts.RebasingToken, [supply])
    await untilSeen(token)
    await expect(network.rpc('dev_setERC20Balance', owner, token, '5')).rejects.toThrow(/rebases.*It can be 4 or 6/)
    expect(await balanceOf(network.client, token, owner)).toBe(supply * 2n)
    await network.rpc('dev_setERC20Balance', owner, token, '123456788')
    expect(await balanceOf(network.client, token, owner)).toBe(123456788n)
    await expect(network.rpc('dev_followTokenBalance', token, owner)).rejects.toThrow(/rebas.*It depends on 0x/)
  })

  it('are set where they are a sum, and followed by the slots that the refusal names', async () => {
    const { Sum } = compileSource(
      'Sum.sol',
      `contract Sum {
      mapping(address => uint256) a; mapping(address => uint256) b;
      constructor(address one, address both) { a[one] = 35; a[both] = 20; b[both] = 15; }
      function balanceOf(address owner) external view returns (uint256) { return a[owner] + b[owner]; }
    }`,
    )
    const token = await deployContract(live, Sum as never, [holder, other] as never)
    await untilSeen(token)
    for (const of of [holder, other]) {
      const refused = network.rpc('dev_followTokenBalance', token, of)
      await expect(refused).rejects.toThrow(/It depends on 0x[\da-f]{64} of 0x[\da-f]{40}, 0x[\da-f]{64} of/)
      for (const amount of [123456789n, 17n, 3n, 0n, 50n]) {
        await network.rpc('dev_setERC20Balance', of, token, amount.toString())
        expect(await balanceOf(network.client, token, of)).toBe(amount)
      }
    }
    await network.restart()
    const { url } = await network.rpc<{ url: string }>('dev_createBranch', {})
    for (const client of [network.client, await connectClient(url)])
      for (const of of [holder, other]) expect(await balanceOf(client, token, of)).toBe(50n)
    const { message } = await network.rpc('dev_followTokenBalance', token, holder).catch((error) => error)
    const slots = [...message.matchAll(/0x[\da-f]{64}(?= of )/g)].map(([slot]) => slot)
    await network.rpc('dev_followSlots', token, [...new Set(slots)])
    expect(await balanceOf(network.client, token, holder)).toBe(35n)
  })

  it('are refused when they do not fit', async () => {
    const token = await deployContract(live, artifacts.ShiftedToken, [supply])
    await untilSeen(token)
    await expect(network.rpc('dev_setERC20Balance', owner, token, (2n ** 100n).toString())).rejects.toThrow(
      /stores it in 96 bits/,
    )
  })
})

/** A `balanceOf` that reads 60 slots of the holder, loops 200 000 times and returns 0. */
const slowToken = '0x600435603c5b8181015450600190038060055750620300005b6001900380601857505f5f5260205ff3'

it('have the computing time of one request, however often the token is asked', async () => {
  const network = await startNetwork({ callTimeout: 1 })
  const token = '0x00000000000000000000000000000000000c0de0'
  try {
    await network.rpc('dev_setCode', token, slowToken)
    await expect(network.rpc('dev_setERC20Balance', testAccounts[1].address, token, '5')).rejects.toThrow(
      /timeout = 1s/,
    )
  } finally {
    await network.stop()
  }
}, 20_000)
