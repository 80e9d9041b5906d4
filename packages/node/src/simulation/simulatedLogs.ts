import { type Address, type CallFrame, type CallNode, callTree, type Done, type Log, ownLogs } from '@understudy/evm'
import { transferTopic } from '../ethereum/constants.ts'
import type { LogEntry } from '../ethereum/log.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import { bytesFromHex, hexFromBytes, wordFromBigint } from '../shared/hex.ts'

/** The address in logs of ether transfers, instead of a token's. */
const etherAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/**
 * The logs of the transactions of a block, with one for each transfer of ether if `addsTransfers`. As in geth, the logs
 * of failed calls are left out, but count in the indexes of those after them.
 */
export function simulatedLogs(
  results: readonly Done[],
  receipts: readonly Receipt[],
  addsTransfers: boolean,
): LogEntry[][] {
  let logIndex = 0
  return receipts.map(
    ({ transaction, transactionIndex, blockNumber, blockHash, blockTimestamp, blockTimestampMs }, index) => {
      const { logs, count } = countedLogs(results[index] as Done, addsTransfers)
      const first = logIndex
      logIndex += count
      return logs.map(({ log, position }) => ({
        ...log,
        data: hexFromBytes(log.data),
        blockNumber,
        blockHash,
        blockTimestamp,
        blockTimestampMs,
        transactionHash: transaction.hash,
        transactionIndex,
        logIndex: first + position,
      }))
    },
  )
}

/** The logs of a run in order, each with how many were made before it; `count`: how many were made in all. */
function countedLogs({ frames, logs }: Done, addsTransfers: boolean) {
  const all: { log: Log; position: number }[] = []
  let count = 0

  function add(node: CallNode): void {
    const { frame, children } = node
    if (frame.error !== undefined) {
      count += countMade(node)
      return
    }
    if (addsTransfers && movesEther(frame)) push(transferLog(frame.from, frame.to, frame.value))
    const own = ownLogs(node)
    for (const [position, child] of [...children, undefined].entries()) {
      for (const { index } of own.filter((log) => log.position === position))
        for (const log of logs.slice(index, index + 1)) push(log)
      if (child) add(child)
    }
  }

  function push(log: Log): void {
    all.push({ log, position: count++ })
  }

  /** How many logs a failed frame made, and the frames in it. */
  function countMade({ frame, children }: CallNode): number {
    const made = frame.undoneLogs + (addsTransfers && movesEther(frame) ? 1 : 0)
    return children.reduce((sum, child) => sum + countMade(child), made)
  }

  add(callTree(frames))
  return { logs: all, count }
}

const movesEther = ({ type, value }: CallFrame) =>
  type !== 'DELEGATECALL' && type !== 'CALLCODE' && type !== 'STATICCALL' && value > 0n

function transferLog(from: Address, to: Address, wei: bigint): Log {
  const topics = [transferTopic, wordFromBigint(BigInt(from)), wordFromBigint(BigInt(to))]
  return { address: etherAddress, topics, data: bytesFromHex(wordFromBigint(wei)) }
}
