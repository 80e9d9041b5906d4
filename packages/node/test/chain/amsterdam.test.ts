import { RLP } from '@ethereumjs/rlp'
import { artifacts, deployContract } from '@understudy/testkit'
import { type Address, encodeFunctionData, getContractAddress, type Hex, keccak256, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const someone: Address = `0x${'5e'.repeat(20)}`
const other: Address = `0x${'5f'.repeat(20)}`
const system = '0xfffffffffffffffffffffffffffffffffffffffe'
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const newAccount = 120n * 1530n

type Access = {
  address: Address
  storageChanges: { key: Hex; changes: { index: Hex; value: Hex }[] }[]
  storageReads: Hex[]
  balanceChanges: { index: Hex; value: Hex }[]
  nonceChanges: { index: Hex; value: Hex }[]
  codeChanges: { index: Hex; code: Hex }[]
}

describe('a network on Amsterdam', () => {
  let network: TestNetwork
  const rpc = <T>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
  const sender = () => network.client.account.address
  const block = (tag: unknown) => rpc<Record<string, Hex>>('eth_getBlockByNumber', tag, false)
  const sent = async (request: object) => {
    const hash = await rpc<Hex>('eth_sendTransaction', { from: sender(), ...request })
    return rpc<Record<string, Hex> & { logs: Record<string, unknown>[] }>('eth_getTransactionReceipt', hash)
  }
  beforeAll(async () => {
    network = await startNetwork({ hardfork: 'amsterdam' })
  })
  afterAll(() => network?.stop())

  it('estimates in both dimensions, and seals what it estimates', async () => {
    const transfer = { from: sender(), to: someone, value: '0x1' }
    expect(BigInt(await rpc<Hex>('eth_estimateGas', transfer))).toBe(21_000n + newAccount)
    const first = await sent({ to: someone, value: '0x1' })
    expect(first).toMatchObject({ status: '0x1', gasUsed: numberToHex(21_000n + newAccount) })
    // The block is as full as its fuller dimension.
    expect(await block(first.blockNumber)).toMatchObject({ gasUsed: numberToHex(newAccount) })
    expect(BigInt(await rpc<Hex>('eth_estimateGas', transfer))).toBe(21_000n)
    // Two hundred new slots: more gas than regular gas may be.
    const code = '0x6100c85b80805560019003806003575000'
    await rpc('dev_setCode', other, code)
    const estimate = BigInt(await rpc<Hex>('eth_estimateGas', { from: sender(), to: other }))
    expect(estimate).toBeGreaterThan(1n << 24n)
    expect(await sent({ to: other, gas: numberToHex(estimate) })).toMatchObject({ status: '0x1' })
  })

  it('logs transfers of ether', async () => {
    const receipt = await sent({ to: someone, value: '0x7' })
    const log = {
      address: system,
      topics: [transferTopic, pad(sender()).toLowerCase(), pad(someone)],
      data: pad('0x7'),
      logIndex: '0x0',
    }
    expect(receipt.logs).toMatchObject([log])
    const { blockNumber } = receipt
    expect(await rpc('eth_getLogs', { address: system, fromBlock: blockNumber, toBlock: blockNumber })).toMatchObject([
      log,
    ])
  })

  it('numbers slots, and hashes the access lists of blocks into their headers', async () => {
    const counter = await deployContract(network.client, artifacts.Counter, [7n])
    const data = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' })
    const { blockNumber } = await sent({ to: counter, data })
    const header = await block(blockNumber)
    const parent = await block(numberToHex(BigInt(blockNumber as Hex) - 1n))
    expect(BigInt(header.slotNumber as Hex)).toBeGreaterThan(BigInt(parent.slotNumber as Hex))
    const raw = await rpc<Hex>('debug_getRawBlockAccessList', blockNumber)
    expect(header.blockAccessListHash).toBe(keccak256(raw))
    const rawHeader = await rpc<Hex>('debug_getRawHeader', blockNumber)
    expect(header.hash).toBe(keccak256(rawHeader))
    expect(RLP.decode(rawHeader)).toHaveLength(23)

    const list = await rpc<Access[]>('eth_getBlockAccessList', blockNumber)
    const addresses = list.map(({ address }) => address)
    expect(addresses).toEqual([...addresses].sort())
    const of = (address: Address) => list.find((access) => access.address === address.toLowerCase())
    const slot = pad('0x0')
    expect(of(counter)).toEqual({
      address: counter.toLowerCase(),
      storageChanges: [{ key: slot, changes: [{ index: '0x1', value: pad('0x8') }] }],
      storageReads: [],
      balanceChanges: [],
      nonceChanges: [],
      codeChanges: [],
    })
    const balance = await rpc<Hex>('eth_getBalance', sender(), blockNumber)
    const nonce = await rpc<Hex>('eth_getTransactionCount', sender(), blockNumber)
    expect(of(sender())).toMatchObject({
      balanceChanges: [{ index: '0x1', value: balance }],
      nonceChanges: [{ index: '0x1', value: nonce }],
    })
    expect(of(header.miner as Address)?.balanceChanges).toHaveLength(1)
    const created = await rpc<Access[]>('eth_getBlockAccessList', parent.number)
    expect(created.find(({ address }) => address === counter.toLowerCase())).toMatchObject({
      storageChanges: [{ key: slot, changes: [{ index: '0x1', value: pad('0x7') }] }],
      nonceChanges: [{ index: '0x1', value: '0x1' }],
      codeChanges: [{ index: '0x1', code: await rpc('eth_getCode', counter, 'latest') }],
    })
  })

  it("lists what the EIP's own example lists (EIP-7928)", async () => {
    const [alice, bob, charlie, checked, factory] = ['aa', 'bb', 'cc', '22', 'ff'].map(
      (digits): Address => `0x${digits.repeat(20)}`,
    ) as [Address, Address, Address, Address, Address]
    for (const address of [alice, charlie]) {
      await rpc('dev_setBalance', address, String(10n ** 19n))
      await rpc('dev_impersonateAccount', address)
    }
    await rpc('dev_setNonce', alice, 9)
    await rpc('dev_setNonce', charlie, 4)
    // Checks a balance; creates a contract, and keeps its address in slot 1.
    await rpc('dev_setCode', bob, `0x73${checked.slice(2)}3100`)
    await rpc('dev_setCode', factory, '0x6460016000f36000526005601b6000f060015500')
    await rpc('dev_setNonce', factory, 4)
    await rpc('dev_setMiningMode', 'manual')
    await rpc('eth_sendTransaction', { from: alice, to: bob, value: numberToHex(10n ** 18n), gas: '0x20000' })
    await rpc('eth_sendTransaction', { from: charlie, to: factory, gas: '0x100000' })
    await rpc('evm_mine')
    await rpc('dev_setMiningMode', 'instant')
    const list = await rpc<Access[]>('eth_getBlockAccessList', 'latest')
    const created = getContractAddress({ from: factory, nonce: 4n }).toLowerCase() as Address
    const { miner } = await block('latest')
    const nothing = { storageChanges: [], storageReads: [], balanceChanges: [], nonceChanges: [], codeChanges: [] }
    const wei = (address: Address) => rpc<Hex>('eth_getBalance', address, 'latest')
    const expected: Access[] = [
      { address: checked, ...nothing },
      {
        address: alice,
        ...nothing,
        balanceChanges: [{ index: '0x1', value: await wei(alice) }],
        nonceChanges: [{ index: '0x1', value: '0xa' }],
      },
      { address: bob, ...nothing, balanceChanges: [{ index: '0x1', value: numberToHex(10n ** 18n) }] },
      {
        address: charlie,
        ...nothing,
        balanceChanges: [{ index: '0x2', value: await wei(charlie) }],
        nonceChanges: [{ index: '0x2', value: '0x5' }],
      },
      {
        address: created,
        ...nothing,
        nonceChanges: [{ index: '0x2', value: '0x1' }],
        codeChanges: [{ index: '0x2', code: '0x00' }],
      },
      {
        address: factory,
        ...nothing,
        storageChanges: [{ key: pad('0x1'), changes: [{ index: '0x2', value: pad(created) }] }],
        nonceChanges: [{ index: '0x2', value: '0x5' }],
      },
    ]
    const withoutMiner = list.filter(({ address }) => address !== miner)
    expect(withoutMiner).toEqual(expected.sort((a, b) => (a.address < b.address ? -1 : 1)))
    // The tips of both.
    expect(list.find(({ address }) => address === miner)?.balanceChanges.map(({ index }) => index)).toEqual([
      '0x1',
      '0x2',
    ])
  })

  it('has the factory of contracts (EIP-7997)', async () => {
    const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
    expect(await rpc('eth_getCode', factory, 'latest')).toMatch(/^0x7fff/)
    // The init code returns one byte of code, 0x00.
    const receipt = await sent({ to: factory, data: `${pad('0x1')}60016000f3` })
    expect(receipt.status).toBe('0x1')
  })

  it('traces what it sealed', async () => {
    const { transactionHash } = await sent({ to: someone, value: '0x1' })
    const trace = await rpc('debug_traceTransaction', transactionHash, {
      tracer: 'callTracer',
      tracerConfig: { withLog: true },
    })
    expect(trace).toMatchObject({ type: 'CALL', gasUsed: '0x5208', logs: [{ address: system }] })
  })
})
