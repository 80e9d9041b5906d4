import { type Address, type CallNode, callTree, type Done, type Log, ownLogs } from '@understudy/evm'
import { transferTopic } from '../ethereum/constants.ts'
import type { LogEntry } from '../ethereum/log.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import { bytesFromHex, hexFromBytes, wordFromBigint } from '../shared/hex.ts'

/** The address in logs of ether transfers, in place of a token's. */
const etherAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The logs of the transactions of a block, with one for each transfer of ether. */
export function withTransferLogs(results: readonly Done[], receipts: readonly Receipt[]): LogEntry[][] {
  let logIndex = 0
  return receipts.map(({ transaction, transactionIndex, blockNumber, blockHash, blockTimestamp }, index) =>
    logsWithTransfers(results[index] as Done).map((log) => ({
      ...log,
      data: hexFromBytes(log.data),
      blockNumber,
      blockHash,
      blockTimestamp,
      transactionHash: transaction.hash,
      transactionIndex,
      logIndex: logIndex++,
    })),
  )
}

/** The logs of a run in order, with one for each transfer of ether. */
function logsWithTransfers({ frames, logs }: Done): Log[] {
  const all: Log[] = []

  function add(node: CallNode): void {
    const { frame, children } = node
    if (frame.error !== undefined) return
    const movesEther = frame.type !== 'DELEGATECALL' && frame.type !== 'CALLCODE' && frame.type !== 'STATICCALL'
    if (movesEther && frame.value > 0n) all.push(transferLog(frame.from, frame.to, frame.value))
    const own = ownLogs(node)
    for (const [position, child] of [...children, undefined].entries()) {
      for (const { index } of own.filter((log) => log.position === position)) all.push(...logs.slice(index, index + 1))
      if (child) add(child)
    }
  }

  add(callTree(frames))
  return all
}

function transferLog(from: Address, to: Address, wei: bigint): Log {
  const topics = [transferTopic, wordFromBigint(BigInt(from)), wordFromBigint(BigInt(to))]
  return { address: etherAddress, topics, data: bytesFromHex(wordFromBigint(wei)) }
}
