import { requireRules, type Word } from '@understudy/evm'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { emptyBloom, emptyRequestsHash, emptyTrieRoot, zeroWord } from './constants.ts'
import { nextBaseFee, nextExcessBlobGas } from './fees.ts'
import type { Header } from './header.ts'
import type { BlockRules } from './rules.ts'

/** A block that another one follows. */
type Parent = { hash: Word; header: Header }

/** The header of the block after `parent`, before anything was executed in it. */
export function nextHeader(parent: Parent, timestamp: bigint, { fork, blobs }: BlockRules): Header {
  const { header } = parent
  const rules = requireRules(fork)
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
    difficulty: rules.proofOfStake ? 0n : header.difficulty,
    extraData: '0x',
    mixHash: rules.proofOfStake ? keccak(bytesFromHex(parent.hash)) : zeroWord,
    baseFeePerGas: rules.baseFee ? nextBaseFee(header) : undefined,
    withdrawalsRoot: rules.withdrawals ? emptyTrieRoot : undefined,
    blobGasUsed: rules.blobs ? 0n : undefined,
    excessBlobGas: blobs && nextExcessBlobGas(header, blobs),
    parentBeaconBlockRoot: rules.blobs ? zeroWord : undefined,
    requestsHash: rules.requests ? emptyRequestsHash : undefined,
  }
}
