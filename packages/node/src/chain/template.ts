import { forks } from '@understudy/evm'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { Head, Header } from './block.ts'
import { nextBaseFee, nextExcessBlobGas } from './fees.ts'
import type { Rules } from './hardfork.ts'
import { emptyBloom, emptyRequestsHash, emptyTrieRoot, zeroWord } from './header.ts'

/** The header of the block after `parent`, before anything was executed in it. */
export function nextHeader(parent: Head, timestamp: bigint, { fork, blobs }: Rules): Header {
  const { header } = parent
  const since = (first: (typeof forks)[number]) => forks.indexOf(fork) >= forks.indexOf(first)
  return {
    number: header.number + 1n,
    parentHash: parent.hash,
    timestamp,
    coinbase: header.coinbase,
    stateRoot: zeroWord,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    gasLimit: header.gasLimit,
    gasUsed: 0n,
    difficulty: since('paris') ? 0n : header.difficulty,
    extraData: '0x',
    mixHash: since('paris') ? keccak(bytesFromHex(parent.hash)) : zeroWord,
    baseFeePerGas: since('london') ? nextBaseFee(header) : undefined,
    withdrawalsRoot: since('shanghai') ? emptyTrieRoot : undefined,
    blobGasUsed: since('cancun') ? 0n : undefined,
    excessBlobGas: blobs && nextExcessBlobGas(header, blobs),
    parentBeaconBlockRoot: since('cancun') ? zeroWord : undefined,
    requestsHash: since('prague') ? emptyRequestsHash : undefined,
  }
}
