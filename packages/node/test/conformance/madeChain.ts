import { type Block, createBlock } from '@ethereumjs/block'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTx } from '@ethereumjs/tx'
import { eoaCode7702SignAuthorization, hexToBytes, privateToAddress } from '@ethereumjs/util'
import { createVM, runBlock, type VMOpts } from '@ethereumjs/vm'
import { type Hex, pad } from 'viem'
import { hexOf, historyOf, kzg, type Sealed, type ServedChain, serveChain, stateOf } from './servedChain.ts'

const key = hexToBytes(pad('0x5e'))
/** The account that sends all transactions of a made chain, with ether. */
export const maker = hexOf(privateToAddress(key))
const authorityKey = hexToBytes(pad('0xa1'))

/** A transaction without its price, nonce and signature. `delegates`: another account delegates to this address in it. */
export type MadeTransaction = {
  type?: 0 | 1 | 2 | 3 | 4
  to?: Hex
  value?: bigint
  data?: Hex
  gasLimit?: bigint
  accessList?: { address: Hex; storageKeys: Hex[] }[]
  blobVersionedHashes?: Hex[]
  delegates?: Hex
}

type Options = {
  /** Accounts as in a genesis file, beside the maker's. */
  alloc: Record<Hex, { code?: Hex; balance?: Hex; storage?: Record<Hex, Hex> }>
  /** The transactions of each block. */
  blocks: MadeTransaction[][]
  /** What is another rule than Ethereum's. */
  params?: Record<number, Record<string, number>>
  precompiles?: NonNullable<VMOpts['evmOpts']>['customPrecompiles']
}

const chainId = 777_200
const blobGas = 131_072n
const begin = 1_790_000_000

/** Makes a chain of Amsterdam with ethereumjs, and serves it on a free port. */
export async function startMadeChain({ alloc, blocks: wanted, params, precompiles }: Options): Promise<ServedChain> {
  const common = createCustomCommon({ chainId, name: 'made' }, Mainnet, {
    hardfork: Hardfork.Amsterdam,
    customCrypto: { kzg },
  })
  const stateManager = await stateOf(common, { [maker]: { balance: `0x${(10n ** 24n).toString(16)}` }, ...alloc })
  const blocks: Sealed[] = []
  const vm = await createVM({
    common,
    stateManager,
    blockchain: historyOf(blocks),
    evmOpts: { ...(precompiles && { customPrecompiles: precompiles }) },
  })
  let root = await stateManager.getStateRoot()
  const options = { common, skipConsensusFormatValidation: true }
  const gasLimit = 120_000_000n
  const genesis = { stateRoot: root, gasLimit, timestamp: begin, baseFeePerGas: 10n ** 9n }
  let parent = createBlock({ header: genesis }, options)
  blocks.push({ block: parent, hash: hexOf(parent.hash()), root, receipts: [], created: [] })
  if (params) common.updateParams(params)
  let nonce = 0n
  let authorityNonce = 0n
  for (const [index, list] of wanted.entries()) {
    const transactions = list.map(({ delegates, ...transaction }) => {
      const fees = {
        maxFeePerGas: 5n * 10n ** 9n,
        maxPriorityFeePerGas: 10n ** 9n,
        gasPrice: 5n * 10n ** 9n,
        maxFeePerBlobGas: 1000n,
      }
      const authorization = delegates && {
        authorizationList: [
          eoaCode7702SignAuthorization(
            { chainId: `0x${chainId.toString(16)}`, address: delegates, nonce: `0x${(authorityNonce++).toString(16)}` },
            authorityKey,
          ),
        ],
      }
      const data = { gasLimit: 5_000_000n, chainId, ...fees, ...authorization, ...transaction, nonce: nonce++ }
      return createTx(data as never, { common }).sign(key)
    })
    const header = {
      number: BigInt(index + 1),
      parentHash: parent.hash(),
      timestamp: begin + 12 * (index + 1),
      coinbase: `0x${'cb'.repeat(20)}`,
      mixHash: pad('0x7a', { size: 32 }),
      gasLimit,
      baseFeePerGas: parent.header.calcNextBaseFee(),
      blobGasUsed: blobGas * BigInt(list.flatMap(({ blobVersionedHashes = [] }) => blobVersionedHashes).length),
      excessBlobGas: parent.header.calcNextExcessBlobGas(common),
      parentBeaconBlockRoot: pad('0xbe', { size: 32 }),
      slotNumber: 1000n + BigInt(index),
    } as const
    const made: Block[] = []
    vm.events.once('afterBlock', ({ block }) => {
      made.push(block)
    })
    const template = createBlock({ header, transactions, withdrawals: [] } as never, options)
    const result = await runBlock(vm, {
      block: template,
      root,
      generate: true,
      skipHeaderValidation: true,
      skipBlockValidation: true,
    })
    const block = made[0] as Block
    parent = block
    root = result.stateRoot
    const created = result.results.map(({ createdAddress }) => createdAddress?.toString() as Hex | undefined)
    blocks.push({ block, hash: hexOf(block.hash()), root, receipts: result.receipts, created })
  }
  return serveChain(blocks, stateManager, common.chainId())
}
