import type { Address } from '@understudy/evm'
import { quantity } from '../shared/hex.ts'
import { emptyBloom, emptyRequestsHash, emptyTrieRoot, emptyUnclesHash, zeroWord } from './constants.ts'
import type { Header } from './header.ts'
import { headerHash } from './header.ts'

const defaultCoinbase: Address = '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'

type Fields = {
  /** Seconds since 1970. */
  timestamp: bigint
  coinbase?: Address | undefined
  baseFeePerGas?: bigint | undefined
}

/** The first block of a network that forks nothing, in JSON-RPC's format. */
export function genesisBlock({
  timestamp,
  coinbase = defaultCoinbase,
  baseFeePerGas = 1_000_000_000n,
}: Fields): Record<string, unknown> {
  const header: Header = {
    number: 0n,
    parentHash: zeroWord,
    timestamp,
    coinbase,
    stateRoot: zeroWord,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    difficulty: 0n,
    extraData: '0x',
    mixHash: zeroWord,
    baseFeePerGas,
    withdrawalsRoot: emptyTrieRoot,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: zeroWord,
    requestsHash: emptyRequestsHash,
    blockAccessListHash: undefined,
    slotNumber: undefined,
    timestampMs: undefined,
    settledHeight: undefined,
  }
  const { coinbase: miner, ...fields } = header
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  const shown = present.map(([name, value]) => [name, typeof value === 'bigint' ? quantity(value) : value])
  return {
    ...Object.fromEntries(shown),
    hash: headerHash(header),
    miner,
    sha3Uncles: emptyUnclesHash,
    nonce: '0x0000000000000000',
    size: '0x0',
    transactions: [],
    uncles: [],
    withdrawals: [],
  }
}
