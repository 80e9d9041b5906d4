import { RLP } from '@ethereumjs/rlp'
import { artifacts, deployContract } from '@understudy/testkit'
import {
  type Address,
  concat,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  sha256,
  slice,
} from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { withdrawals } from './requestContracts.ts'

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
  beforeEach(async () => {
    network = await startNetwork({ hardfork: 'amsterdam' })
    // The first block deploys the factory of contracts.
    await rpc('evm_mine')
  })
  afterEach(() => network?.stop())

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

  it('collects requests of builders, and lists what that reads and writes after the transactions', async () => {
    const exits = '0x000064d678505ad48f8ccb093bc65613800e8282'
    // It takes 56 bytes and gives records like those of EIP-8282's.
    await rpc('dev_setCode', exits, withdrawals.code)
    const key: Hex = `0x${'12'.repeat(48)}`
    const { blockNumber } = await sent({ to: exits, data: concat([key, '0x0102030405060708']), value: '0x1' })
    const record = concat([sender(), key, '0x0807060504030201'])
    expect((await block(blockNumber)).requestsHash).toBe(sha256(sha256(concat(['0x04', record]))))
    const list = await rpc<Access[]>('eth_getBlockAccessList', blockNumber)
    const value = (index: number, word: Hex) => ({ index: numberToHex(index), value: pad(word) })
    expect(list.find(({ address }) => address === exits)).toMatchObject({
      storageChanges: [
        { key: pad('0x1'), changes: [value(1, '0x1'), value(2, '0x0')] },
        { key: pad('0x3'), changes: [value(1, '0x1'), value(2, '0x0')] },
        { key: pad('0x4'), changes: [value(1, sender().toLowerCase() as Hex)] },
        { key: pad('0x5'), changes: [value(1, slice(key, 0, 32))] },
        { key: pad('0x6'), changes: [{ index: '0x1' }] },
      ],
      storageReads: [pad('0x0'), pad('0x2')],
      balanceChanges: [{ index: '0x1', value: '0x1' }],
      nonceChanges: [],
    })
    expect(list.map(({ address }) => address)).not.toContain(system)
    await rpc('evm_mine')
    expect((await block('latest')).requestsHash).toBe(sha256('0x'))
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
    await sent({ to: someone, value: '0x1' })
    const { transactionHash } = await sent({ to: someone, value: '0x1' })
    const trace = await rpc('debug_traceTransaction', transactionHash, {
      tracer: 'callTracer',
      tracerConfig: { withLog: true },
    })
    expect(trace).toMatchObject({ type: 'CALL', gasUsed: '0x5208', logs: [{ address: system }] })
  })
})
