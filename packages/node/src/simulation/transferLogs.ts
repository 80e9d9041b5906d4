import { type Address, type CallNode, callTree, type Done, type Log, ownLogs } from '@understudy/evm'
import { transferTopic } from '../ethereum/constants.ts'
import { bytesFromHex, wordFromBigint } from '../shared/hex.ts'

/** The address in logs of ether transfers, in place of a token's. */
const etherAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** keccak("Transfer(address,address,uint256)"). */

/** The logs of a run in order, with one for each transfer of ether. */
export function logsWithTransfers({ frames, logs }: Done): Log[] {
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
