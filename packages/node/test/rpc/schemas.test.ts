import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { Ajv } from 'ajv'
import { type Address, encodeFunctionData, type Hex, pad, parseEther, parseGwei, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { methods as ownMethods } from '../../src/rpc/methods/index.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const shared = fileURLToPath(new URL('../../../../../shared/execution-apis', import.meta.url))
/** The folder of the published schemas: a checkout of ethereum/execution-apis' `src`. */
const folder = process.env.EXECUTION_APIS_DIR ?? shared

type Json = Record<string, unknown>
type PublishedMethod = { name: string; result: { schema: Json } }

function yamlFiles(name: string): string[] | undefined {
  try {
    return readdirSync(join(folder, name)).filter((file) => file.endsWith('.yaml'))
  } catch {
    return undefined
  }
}

const kinds = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702', 'creation', 'failure'] as const
type Kind = (typeof kinds)[number] | 'waiting'

/** They pass through what upstream says of blocks whose fork has them; no block of a network has them yet. */
const ofLaterForks = ['eth_getBlockAccessList', 'debug_getRawBlockAccessList']

const load = <T>(name: string, files: readonly string[]) =>
  files.map((file) => parse(readFileSync(join(folder, name, file), 'utf8')) as T)

const schemaFiles = yamlFiles('schemas')

if (schemaFiles === undefined) {
  describe.skip(`the published schemas: ${folder} is absent, set EXECUTION_APIS_DIR to it`, () => {
    it('are kept')
  })
} else {
  describe('the published schemas are kept by', () => {
    const schemas = Object.assign({}, ...load<Json>('schemas', schemaFiles)) as Json
    const methods = ['eth', 'debug'].flatMap((name) => load<PublishedMethod[]>(name, yamlFiles(name) ?? []).flat())
    const ajv = new Ajv({ strict: false, allErrors: false })
    const validatorOf = (name: string) => {
      const method = methods.find((each) => each.name === name)
      if (!method) throw new Error(`no schema is published for ${name}`)
      return ajv.compile({ ...method.result.schema, components: { schemas } })
    }

    let anvil: Anvil
    let network: TestNetwork
    let counter: Address
    let deployed: Hex
    let hash: Hex
    let rawTransaction: Hex
    let own: { hash: Hex; number: Hex }
    const sent = {} as Record<Kind, Hex>
    const filters = {} as Record<'logs' | 'blocks' | 'pending' | 'ended', Hex>
    const [alice, bob] = [testAccounts[0].address.toLowerCase() as Address, testAccounts[1].address]
    const { abi } = artifacts.Counter
    const increment = encodeFunctionData({ abi, functionName: 'increment' })
    const slot: Hex = `0x${'0'.repeat(64)}`

    beforeAll(async () => {
      anvil = await startAnvil()
      const live = await connectClient(anvil.url)
      counter = await deployContract(live, artifacts.Counter, [7n])
      deployed = (await live.getBlock({ blockNumber: 1n })).transactions[0] as Hex
      network = await startNetwork({ forkUrls: [anvil.url] })
      await network.client.sendTransaction({ to: bob, value: parseEther('1') })
      hash = await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
      const block = await network.client.getBlock()
      own = { hash: block.hash, number: toHex(block.number) }
      await makeTransactions()
      rawTransaction = await network.client.signTransaction({
        account: testAccounts[3],
        to: bob,
        ...{ type: 'eip1559', gas: 21_000n, maxFeePerGas: parseGwei('5'), nonce: 0 },
      })
    })
    afterAll(async () => {
      await network?.stop()
      await anvil?.stop()
    })

    /** One of each type, a creation and a failure, all sealed; then one that waits, and a filter of each kind with something in it. */
    async function makeTransactions() {
      filters.logs = await network.rpc('eth_newFilter', { fromBlock: '0x0' })
      filters.blocks = await network.rpc('eth_newBlockFilter')
      filters.ended = await network.rpc('eth_newBlockFilter')
      filters.pending = await network.rpc('eth_newPendingTransactionFilter')
      const authorization = await network.client.signAuthorization({
        contractAddress: counter,
        account: testAccounts[2],
      })
      const fields = (({ address, chainId, nonce, r, s, yParity }) => ({
        ...{ address, r, s },
        ...{ chainId: toHex(chainId), nonce: toHex(nonce), yParity: toHex(yParity ?? 0) },
      }))(authorization)
      const requests: Record<Kind, Json> = {
        legacy: { gasPrice: toHex(parseGwei('5')) },
        eip2930: { gasPrice: toHex(parseGwei('5')), accessList: [{ address: counter, storageKeys: [slot] }] },
        eip1559: { maxFeePerGas: toHex(parseGwei('5')), maxPriorityFeePerGas: '0x1' },
        eip4844: { to: bob, data: '0x', blobVersionedHashes: [`0x01${'ab'.repeat(31)}`] },
        eip7702: { authorizationList: [fields] },
        creation: { to: undefined, data: `${artifacts.Counter.bytecode}${pad('0x5').slice(2)}` },
        failure: { data: '0xdeadbeef', gas: '0x186a0' },
        waiting: { from: bob },
      }
      for (const [kind, request] of Object.entries(requests)) {
        if (kind === 'waiting') await network.rpc('evm_setAutomine', false)
        sent[kind as Kind] = await network.rpc('eth_sendTransaction', { ...call(), ...request })
      }
    }

    const withdrawals = [{ index: '0x1', validatorIndex: '0x2', address: alice, amount: '0x3' }]
    const call = () => ({ from: alice, to: counter, data: increment })
    /** What is asked; receipts of upstream's pass through as it shows them, and anvil adds a field to them. */
    const calls: readonly (readonly [method: string, params: () => unknown[]])[] = [
      ['eth_chainId', () => []],
      ['eth_syncing', () => []],
      ['eth_accounts', () => []],
      ['eth_blockNumber', () => []],
      ['eth_coinbase', () => []],
      ['net_version', () => []],
      ['eth_gasPrice', () => []],
      ['eth_blobBaseFee', () => []],
      ['eth_maxPriorityFeePerGas', () => []],
      ['eth_feeHistory', () => ['0x2', 'latest', [25, 75]]],
      ['eth_getBlockByHash', () => [own.hash, true]],
      ['eth_getBlockByHash', () => [own.hash, false]],
      ['eth_getBlockByNumber', () => [own.number, true]],
      ['eth_getBlockByNumber', () => ['0x1', false]],
      ...['earliest', 'latest', 'pending', 'safe', 'finalized', '0xffffff'].flatMap(
        (tag) =>
          [
            ['eth_getBlockByNumber', () => [tag, true]],
            ['eth_getBlockTransactionCountByNumber', () => [tag]],
            ['eth_getTransactionByBlockNumberAndIndex', () => [tag, '0x0']],
            ['eth_getBlockReceipts', () => [tag]],
          ] as const,
      ),
      ['eth_getBlockByHash', () => [slot, true]],
      ['eth_getBlockTransactionCountByHash', () => [own.hash]],
      ['eth_getBlockTransactionCountByHash', () => [slot]],
      ['eth_getBlockTransactionCountByNumber', () => [own.number]],
      ['eth_getBlockReceipts', () => [own.number]],
      ['eth_getTransactionByHash', () => [hash]],
      ['eth_getTransactionByHash', () => [slot]],
      ['eth_getTransactionReceipt', () => [slot]],
      ['eth_getTransactionReceipt', () => [sent.waiting]],
      ...kinds.flatMap(
        (kind) =>
          [
            ['eth_getTransactionByHash', () => [sent[kind]]],
            ['eth_getTransactionReceipt', () => [sent[kind]]],
            ['debug_getRawTransaction', () => [sent[kind]]],
            ['debug_traceTransaction', () => [sent[kind], {}]],
          ] as const,
      ),
      ['eth_getTransactionByHash', () => [deployed]],
      ['eth_getTransactionByBlockHashAndIndex', () => [own.hash, '0x0']],
      ['eth_getTransactionByBlockNumberAndIndex', () => [own.number, '0x0']],
      ['eth_getTransactionByBlockHashAndIndex', () => [own.hash, '0x7']],
      ['eth_getTransactionReceipt', () => [hash]],
      ['eth_getBalance', () => [alice, 'latest']],
      ['eth_getStorageAt', () => [counter, '0x0', 'latest']],
      ['eth_getStorageValues', () => [{ [counter]: [slot] }, 'latest']],
      ['eth_getTransactionCount', () => [alice, 'latest']],
      ['eth_getCode', () => [counter, 'latest']],
      ['eth_getProof', () => [counter, [slot], '0x1']],
      ['eth_getLogs', () => [{ fromBlock: '0x1', toBlock: 'latest' }]],
      ['eth_newFilter', () => [{ address: counter, topics: [null, [slot]] }]],
      ['eth_newBlockFilter', () => []],
      ['eth_newPendingTransactionFilter', () => []],
      ['eth_getFilterLogs', () => [filters.logs]],
      ['eth_getFilterChanges', () => [filters.logs]],
      ['eth_getFilterChanges', () => [filters.blocks]],
      ['eth_getFilterChanges', () => [filters.pending]],
      ['eth_uninstallFilter', () => [filters.ended]],
      ['eth_uninstallFilter', () => ['0xffff']],
      ['eth_sign', () => [alice, '0xabcd']],
      ['eth_sendTransaction', () => [{ ...call(), from: bob }]],
      ['eth_sendRawTransaction', () => [rawTransaction]],
      ['eth_call', () => [call(), 'latest']],
      ['eth_estimateGas', () => [call(), 'latest']],
      ['eth_createAccessList', () => [call(), 'latest']],
      ['eth_baseFee', () => []],
      ['eth_config', () => []],
      ['eth_capabilities', () => []],
      ['debug_getBadBlocks', () => []],
      ['eth_signTransaction', () => [call()]],
      ['eth_signTransaction', () => [{ ...call(), gasPrice: '0x77359400' }]],
      ['eth_fillTransaction', () => [call()]],
      ['eth_fillTransaction', () => [{ ...call(), gasPrice: '0x77359400', accessList: [] }]],
      ['eth_simulateV1', () => [{ blockStateCalls: [{ calls: [call()] }], traceTransfers: true }, 'latest']],
      [
        'eth_simulateV1',
        () => [{ blockStateCalls: [{ calls: [call()] }, { calls: [] }], returnFullTransactions: true }, 'latest'],
      ],
      [
        'eth_simulateV1',
        () => [{ blockStateCalls: [{ calls: [{ to: counter, gas: '0x5300' }], blockOverrides: { withdrawals } }] }],
      ],
      ['debug_traceTransaction', () => [hash, {}]],
      ['debug_traceTransaction', () => [hash, { enableMemory: true, enableReturnData: true }]],
      ['debug_traceTransaction', () => [deployed, {}]],
      ['debug_traceTransaction', () => [hash, { tracer: 'callTracer' }]],
      ['debug_traceBlockByNumber', () => [own.number, {}]],
      ['debug_traceBlockByHash', () => [own.hash, { tracer: 'callTracer' }]],
      ['debug_getRawHeader', () => [own.number]],
      ['debug_getRawBlock', () => [own.number]],
      ['debug_getRawReceipts', () => [own.number]],
      ['debug_getRawTransaction', () => [hash]],
    ]

    /** The pending block or a transaction of it, with hashes where it has null. */
    const withHashes = (answer: Json): Json => ({
      ...answer,
      ...('hash' in answer && { hash: answer.hash ?? own.hash }),
      ...('nonce' in answer && { nonce: answer.nonce ?? `0x${'0'.repeat(16)}` }),
      ...('blockHash' in answer && { blockHash: answer.blockHash ?? own.hash }),
      ...(Array.isArray(answer.transactions) && { transactions: answer.transactions.map(withHashes) }),
    })

    it('are all asked for', () => {
      const asked = new Set(calls.map(([name]) => name))
      expect(methods.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual(ofLaterForks)
    })
    it('except for pending transactions, which have null where others have their block', async () => {
      const sealedFields = {
        blockHash: own.hash,
        blockNumber: own.number,
        blockTimestamp: '0x1',
        transactionIndex: '0x0',
      }
      const waiting = await network.rpc<Json>('eth_getTransactionByHash', sent.waiting)
      expect(waiting).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null })
      const validate = validatorOf('eth_getTransactionByHash')
      validate({ ...waiting, ...sealedFields })
      expect(validate.errors).toBeNull()
    })
    it('except for the pending block, whose hashes are null as in geth', async () => {
      const block = await network.rpc<Json & { transactions: Json[] }>('eth_getBlockByNumber', 'pending', true)
      expect(block).toMatchObject({ hash: null, nonce: null })
      expect(new Set(block.transactions.map(({ blockHash }) => blockHash))).toEqual(new Set([null]))
    })
    it('are of methods that are all answered', () => {
      const answered = new Set(ownMethods.flatMap(({ name, aliases }) => [name, ...aliases]))
      expect(methods.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([])
    })

    it('is told from what they do not allow', () => {
      const validate = validatorOf('eth_getBlockByHash')
      expect(validate({ number: '0x01' })).toBe(false)
    })

    it.each(calls.map(([method, params], index) => [`${method} (${index})`, method, params] as const))(
      '%s',
      async (_, method, params) => {
        const validate = validatorOf(method)
        const asked = params()
        const answer = await network.rpc<Json>(method, ...asked)
        const isBlockOrTransaction = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
        validate(asked[0] === 'pending' && isBlockOrTransaction ? withHashes(answer) : answer)
        expect(validate.errors ?? []).toEqual([])
      },
    )
  })
}
