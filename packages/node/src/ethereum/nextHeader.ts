import { requireRules, type Word } from '@understudy/evm'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { emptyAccessListHash, emptyBloom, emptyRequestsHash, emptyTrieRoot, zeroWord } from './constants.ts'
import { nextBaseFee, nextExcessBlobGas } from './fees.ts'
import { type Header, ownFieldsAfter } from './header.ts'
import type { BlockRules } from './rules.ts'

/** The parent of a block. `feesFrom` is the live chain block for which it was sealed: fees continue from that block. */
type Parent = { hash: Word; header: Header; feesFrom?: Header | undefined }

/** The header of the block after `parent`, before execution. */
export function nextHeader(parent: Parent, timestamp: bigint, blockRules: BlockRules): Header {
  const { header, feesFrom = header } = parent
  const { fork, blobs, fees, keepsDifficulty, arbitrum } = blockRules
  const rules = requireRules(fork)
  const shown = rules.baseFee ? requireRules(blockRules.fields ?? fork) : rules
  const proofOfStake = rules.proofOfStake && !keepsDifficulty
  const number = header.number + 1n
  return {
    number,
    parentHash: parent.hash,
    timestamp,
    coinbase: header.coinbase,
    stateRoot: zeroWord,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    gasLimit: header.gasLimit,
    gasUsed: 0n,
    difficulty: proofOfStake ? 0n : header.difficulty,
    // There, it has the parameters of the base fee, or what was sent to L1.
    extraData: fees?.type === 'optimism' || arbitrum ? feesFrom.extraData : '0x',
    // Arbitrum's has the number of the block of L1.
    mixHash: arbitrum ? feesFrom.mixHash : rules.proofOfStake ? keccak(bytesFromHex(parent.hash)) : zeroWord,
    baseFeePerGas: rules.baseFee ? nextBaseFee(feesFrom, fees) : undefined,
    withdrawalsRoot: shown.withdrawals ? emptyTrieRoot : undefined,
    blobGasUsed: shown.blobs ? 0n : undefined,
    excessBlobGas: blobs ? nextExcessBlobGas(feesFrom, blobs) : shown.blobs ? 0n : undefined,
    parentBeaconBlockRoot: shown.blobs ? zeroWord : undefined,
    requestsHash: shown.requests ? emptyRequestsHash : undefined,
    blockAccessListHash: rules.accessLists ? emptyAccessListHash : undefined,
    slotNumber: rules.accessLists ? slotAt(timestamp, feesFrom) : undefined,
    ...ownFieldsAfter(header, { number, timestamp }, header),
  }
}

/** Slots are 12 seconds. Where no block says which slot it is of, they count from the first one that asks. */
function slotAt(timestamp: bigint, { slotNumber = 0n, timestamp: before }: Header): bigint {
  const passed = (timestamp - before) / 12n
  return slotNumber + (passed > 1n ? passed : 1n)
}

/** A header with the prices, gas limit and slot of the live chain block for which it is sealed. */
export function withFeesOf(live: Header, header: Header, { arbitrum }: Pick<BlockRules, 'arbitrum'> = {}): Header {
  const { gasLimit, baseFeePerGas, excessBlobGas, extraData, slotNumber } = live
  return {
    ...header,
    gasLimit,
    baseFeePerGas: header.baseFeePerGas && (baseFeePerGas ?? header.baseFeePerGas),
    excessBlobGas: header.excessBlobGas === undefined ? undefined : (excessBlobGas ?? header.excessBlobGas),
    slotNumber: header.slotNumber === undefined ? undefined : (slotNumber ?? header.slotNumber),
    extraData: header.extraData === '0x' ? '0x' : extraData,
    mixHash: arbitrum ? live.mixHash : header.mixHash,
  }
}
