import { Address as EthereumjsAddress, hexToBytes } from '@ethereumjs/util'
import { type Hex, pad } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { type MadeTransaction, maker, startMadeChain } from './madeChain.ts'
import type { ServedChain } from './servedChain.ts'

type Report = {
  transactions: number
  transactionsAgree: number
  blocks: number
  blocksAgree: number
  passed: { type: string; transactions: number }[]
  stopped: string | null
  differences: { block: number; transaction: Hex | null; field: string; cause: string; explanation: string }[]
}

const at = (number: number): Hex => `0x${number.toString(16).repeat(20)}`
const fresh = (number: number): Hex => pad(`0x77${number.toString(16).padStart(2, '0')}`, { size: 20 })
const code = {
  /** Adds one to slot 0, and logs it. */
  counter: '0x6000546001018060005560005260206000a000',
  /** Sets slot 1, and clears it: a refund. */
  clearing: '0x6001600155600060015500',
  reverting: '0x60016000556000600060006000600160aa5af160006000fd',
  invalid: '0x6001600055fe',
  /** Pays one wei to the address in its input. */
  paying: '0x6000600060006000600160003562010000f100',
  destructing: '0x73777777777777777777777777777777777777aaaaff',
  /** DUPN, SLOTNUM, CLZ, BLOCKHASH, PREVRANDAO and BLOBBASEFEE, logged. */
  news: '0x60016000808080808080808080808080808080e6804b1e6001430340444a60005260205260405260605260806000a000',
  /** CREATE of an empty contract. */
  creating: '0x600060006000f000',
  /** Stores what P256VERIFY answers to an empty input. */
  passkey: '0x60206000600060006000610100612710f15060005160005500',
  reading: '0x600354600454015000',
} satisfies Record<string, Hex>
const contracts = Object.fromEntries(Object.keys(code).map((name, index) => [name, at(0xc1 + index)])) as Record<
  keyof typeof code,
  Hex
>
const alloc = Object.fromEntries(
  Object.entries(code).map(([name, bytes]) => [
    contracts[name as keyof typeof code],
    { code: bytes, balance: '0x64', storage: { '0x03': '0x07' } },
  ]),
) as Record<Hex, { code: Hex; balance: Hex; storage: Record<Hex, Hex> }>

/** Transactions of every type, and what Amsterdam changed: state gas, transfers that are logged, opcodes, delegations. */
const blocks: MadeTransaction[][] = [
  [
    { type: 0, to: fresh(1), value: 5n },
    { type: 2, to: fresh(1), value: 5n },
    { type: 2, to: maker, value: 5n },
    { type: 2, data: '0x60018060093d393df300' },
    { type: 2, data: '0x60006000fd', value: 3n },
    { type: 2, to: contracts.counter },
  ],
  [
    { type: 1, to: contracts.counter, accessList: [{ address: contracts.counter, storageKeys: [pad('0x0')] }] },
    { type: 2, to: contracts.clearing },
    { type: 2, to: contracts.reverting },
    { type: 2, to: contracts.invalid, gasLimit: 200_000n },
    { type: 2, to: contracts.paying, data: pad(fresh(2)) },
    { type: 2, to: contracts.paying, data: pad(fresh(2)) },
    { type: 2, to: contracts.destructing },
    { type: 2, to: contracts.news },
    // 12 000 bytes of code: more gas of state than regular gas may be.
    { type: 2, data: '0x612ee06000f3', gasLimit: 30_000_000n },
    { type: 2, to: contracts.creating },
  ],
  [
    { type: 4, to: contracts.counter, delegates: contracts.counter },
    { type: 4, to: contracts.counter, delegates: contracts.news },
    { type: 3, to: fresh(1), blobVersionedHashes: [pad('0x01', { dir: 'right' })] },
    { type: 2, to: contracts.passkey },
    { type: 2, to: contracts.reading },
    { type: 2, to: fresh(1), data: `0x${'00ff'.repeat(500)}` },
    { type: 2, to: contracts.counter },
  ],
]
const sent = blocks.flat().length

let network: TestNetwork | undefined
let chain: ServedChain | undefined
afterEach(async () => {
  await network?.stop()
  await chain?.stop()
  network = undefined
  chain = undefined
})

/** A block for each of these: in a block, one that differs leaves another state to those after it. */
const apart: MadeTransaction[][] = [
  [{ type: 2, to: contracts.counter }],
  [{ type: 2, to: contracts.clearing }],
  [{ type: 2, to: contracts.reading }],
  [{ type: 2, to: contracts.news }],
  [{ type: 2, to: maker, value: 5n }],
]

async function check(
  made: Partial<Parameters<typeof startMadeChain>[0]> = {},
  hardfork = 'amsterdam',
): Promise<Report> {
  chain = await startMadeChain({ alloc, blocks, ...made })
  network = await startNetwork({ forkUrls: [chain.url], hardfork })
  return network.rpc<Report>('dev_checkFidelity', { blocks: 100 })
}

describe('dev_checkFidelity on a chain of Amsterdam that ethereumjs makes', () => {
  it('reproduces every transaction', async () => {
    const report = await check()
    expect(report.differences).toEqual([])
    expect(report).toMatchObject({ transactions: sent, transactionsAgree: sent, passed: [], stopped: null })
    expect(report).toMatchObject({ blocks: blocks.length, blocksAgree: blocks.length })
  })

  it('finds out that the network runs it by the fork before', async () => {
    const { transactions, transactionsAgree, differences } = await check({ blocks: apart }, 'osaka')
    expect({ transactions, transactionsAgree }).toEqual({ transactions: apart.length, transactionsAgree: 0 })
    for (const difference of differences.filter(({ transaction }) => transaction))
      expect(difference).toMatchObject({
        cause: 'rule',
        explanation: expect.stringContaining('by the rules of amsterdam,'),
      })
  })

  it('finds out that one price is another one', async () => {
    const { differences } = await check({ blocks: apart, params: { 8038: { coldsloadGas: 2200 } } })
    expect(differences.map(({ block }) => block)).toEqual([3, 2, 1])
    for (const difference of differences) expect(difference).toMatchObject({ field: 'gasUsed', cause: 'rule' })
  })

  it('finds out that one precompile does something else', async () => {
    const address = new EthereumjsAddress(hexToBytes(pad('0x100', { size: 20 })))
    const precompiles = [
      { address, function: () => ({ executionGasUsed: 6900n, returnValue: hexToBytes(pad('0x2')) }) },
    ]
    const { differences } = await check({ precompiles, blocks: [[{ type: 2, to: contracts.passkey }]] })
    expect(differences).toMatchObject([{ cause: 'precompile', explanation: expect.stringContaining('00100,') }])
  })
})
