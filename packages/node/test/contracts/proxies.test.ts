import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, type Hex, keccak256, parseEventLogs, stringToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeSelectors } from '../../src/contracts/codeSelectors.ts'
import { resolveProxy } from '../../src/contracts/proxies/resolveProxy.ts'
import { bytesFromHex } from '../../src/shared/hex.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Counter, Reverter } = artifacts
const lower = (address: Address) => address.toLowerCase() as Address
const selectorsOf = ({ abi }: { abi: readonly { type: string }[] }): Hex[] =>
  abi.flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item as never)] : []))

describe('what stands behind a proxy', () => {
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork
  let counter: Address
  let reverter: Address
  const resolve = async (address: Address) => {
    const { history, execution } = network.node.services
    return resolveProxy(lower(address), { point: await history.at('latest'), execution })
  }
  const behind = (kind: string, address = counter) => ({ kind, implementations: [{ address: lower(address) }] })

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    counter = await deployContract(live, Counter, [7n])
    reverter = await deployContract(live, Reverter)
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterAll(async () => {
    await network?.stop()
    await anvil?.stop()
  })

  it('is found in the slot of EIP-1967, also after an upgrade of the live chain', async () => {
    const proxy = await deployContract(network.client, artifacts.Eip1967Proxy, [counter])
    expect(await resolve(proxy)).toEqual(behind('eip1967'))
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    await network.rpc('dev_setStorageAt', proxy, slot, `0x${reverter.slice(2).padStart(64, '0')}`)
    expect(await resolve(proxy)).toEqual(behind('eip1967', reverter))
  })

  it('is asked of the beacon', async () => {
    const beacon = await deployContract(network.client, artifacts.Beacon, [counter])
    expect(await resolve(await deployContract(network.client, artifacts.Eip1967BeaconProxy, [beacon]))).toEqual(
      behind('eip1967-beacon'),
    )
  })

  it('stands in the code of a clone (EIP-1167)', async () => {
    const maker = await deployContract(network.client, artifacts.CloneMaker)
    const hash = await network.client.writeContract({
      address: maker,
      abi: artifacts.CloneMaker.abi,
      functionName: 'make',
      args: [counter],
    })
    const { logs } = await network.client.getTransactionReceipt({ hash })
    const [event] = parseEventLogs({ abi: artifacts.CloneMaker.abi, logs })
    expect(await resolve(event?.args.clone as Address)).toEqual(behind('eip1167'))
  })

  it.each([
    // Solady's, with PUSH0; Vyper's; and one whose address begins with zeros.
    ['5f5f365f5f37365f73', '5af43d5f5f3e6029573d5ffd5b3d5ff3', 20],
    ['366000600037611000600036600073', '5af4602c57600080fd5b6110006000f3', 20],
    ['363d3d373d3d3d363d6f', '5af43d82803e903d91602b57fd5bf3', 16],
  ])('stands in the code of the variants of clones (%s…)', async (before, after, bytes) => {
    const address = `0x${'00'.repeat(20 - bytes)}${'ab'.repeat(bytes)}` as const
    const clone = `0x${'c1'.repeat(20)}` as const
    await network.rpc('dev_setCode', clone, `0x${before}${'ab'.repeat(bytes)}${after}`)
    expect(await resolve(clone)).toEqual(behind('eip1167', address))
  })

  it.each([
    ['eip1822', keccak256(stringToHex('PROXIABLE'))],
    ['zeppelinos', keccak256(stringToHex('org.zeppelinos.proxy.implementation'))],
  ])('is found in the slot of %s', async (kind, slot) => {
    const proxy = await deployContract(network.client, artifacts.SlotProxy, [slot, counter])
    expect(await resolve(proxy)).toEqual(behind(kind))
  })

  it('is the singleton of a proxy like Safe’s', async () => {
    expect(await resolve(await deployContract(network.client, artifacts.SafeStyleProxy, [counter]))).toEqual(
      behind('safe'),
    )
  })

  it('is what the proxy itself tells (EIP-897)', async () => {
    expect(await resolve(await deployContract(network.client, artifacts.TellingProxy, [counter]))).toEqual(
      behind('eip897'),
    )
  })

  it('is several facets, each with its functions, of a diamond', async () => {
    const [first, ...others] = selectorsOf(Counter)
    const facets = [
      { facetAddress: counter, functionSelectors: [first as Hex] },
      { facetAddress: reverter, functionSelectors: selectorsOf(Reverter) },
    ]
    expect(others).not.toEqual([])
    expect(await resolve(await deployContract(network.client, artifacts.Diamond, [facets]))).toEqual({
      kind: 'diamond',
      implementations: facets.map(({ facetAddress, functionSelectors }) => ({
        address: lower(facetAddress),
        selectors: functionSelectors,
      })),
    })
  })

  it('is the contract that an account delegates to (EIP-7702)', async () => {
    const account = `0x${'77'.repeat(20)}` as const
    await network.rpc('dev_setCode', account, `0xef0100${counter.slice(2)}`)
    expect(await resolve(account)).toEqual(behind('eip7702'))
  })

  it('is not shown for a contract that is no proxy, or whose slot names no contract', async () => {
    expect(await resolve(counter)).toBeUndefined()
    expect(await resolve(network.client.account.address)).toBeUndefined()
    const slot = keccak256(stringToHex('PROXIABLE'))
    const proxy = await deployContract(network.client, artifacts.SlotProxy, [slot, `0x${'12'.repeat(20)}`])
    expect(await resolve(proxy)).toBeUndefined()
  })
})

describe('the selectors in code', () => {
  it.each(['Counter', 'UniswapV2Router02', 'UniswapV3Factory', 'NonfungiblePositionManager', 'WETH9'] as const)(
    'are all of %s’s functions',
    (name) => {
      const { deployedBytecode, abi } = artifacts[name]
      const code = bytesFromHex(deployedBytecode)
      expect(codeSelectors(code).functions.sort()).toEqual(selectorsOf({ abi }).sort())
    },
  )
})
