import type { Address, ContractAnswer, ContractCall, ContractState, Word } from '@understudy/evm'
import { addressFromNumber, wordFromBigint } from '../../../shared/hex.ts'
import { keccak } from '../../../shared/keccak.ts'
import { zeroWord } from '../../constants.ts'
import {
  addressAt,
  answerOf,
  type ContractBlock,
  paddedBytes,
  revertOf,
  selectorOf,
  wordAt,
  words,
} from './contractCall.ts'

/** What the contracts of ArbOS tell of the block that they run in. */
export type ArbitrumBlock = ContractBlock & {
  /** How much was sent to L1 before it. */
  sendCount: bigint
  l1Number: bigint
  arbosVersion: bigint
}

/** What headers say in the mix hash: sends to L1 so far, the number of the block of L1, the version of ArbOS. */
export function arbitrumBlockOf(block: ContractBlock): ArbitrumBlock {
  const part = (index: number) => BigInt(`0x${block.mixHash.slice(2 + 16 * index, 18 + 16 * index)}`)
  return { ...block, sendCount: part(0), l1Number: part(1), arbosVersion: part(2) }
}

/** What is added to the address of a contract of L1 that sends to this chain. */
const aliasOffset = 0x1111000000000000000000000000000000001111n
/** keccak256('L2ToL1Tx(address,address,uint256,uint256,uint256,uint256,uint256,uint256,bytes)') */
const sentTopic: Word = '0x3e7aafa77dbf186b7fd488006beff893744caa3c4f6f299e8a709fa2087374fc'
/** InvalidBlockNumber(uint256 requested, uint256 current) */
const invalidBlockNumber = Buffer.from('d5dc642d', 'hex')
/** The version that ArbOS 0 would have had. */
const versionOffset = 55n
/** A log, a topic, and a byte of data, in gas; and what the tree of sends costs, which is not kept here. */
const logGas = { log: 375n, topic: 375n, byte: 8n }
const treeGas = 22_100n

type Method = {
  isPure?: boolean
  /** It changes state, and may take ether. */
  isPayable?: boolean
  run(call: ContractCall, state: ContractState, block: ArbitrumBlock): ContractAnswer
}

const view = (output: (call: ContractCall, block: ArbitrumBlock) => bigint): Method => ({
  run: (call, _, block) => answerOf(call, { output: words(output(call, block)) }),
})
const big = (address: Address) => BigInt(address)

/** The methods of ArbSys (nitro's precompiles/ArbSys.go), by selector. `sendMerkleTreeState` is the live chain's. */
const methods: Readonly<Record<string, Method>> = {
  // arbBlockNumber()
  a3b1b31d: view((_, { number }) => number),
  // arbBlockHash(uint256)
  '2b407a82': { run: blockHash },
  // arbChainID()
  d127f54a: view((_, { chainId }) => chainId),
  // arbOSVersion()
  '051038f2': view((_, { arbosVersion }) => versionOffset + arbosVersion),
  // getStorageGasAvailable()
  a94597ff: view(() => 0n),
  // isTopLevelCall()
  '08bd624c': view(({ depth }) => (depth <= 1 ? 1n : 0n)),
  // mapL1SenderContractAddressToL2Alias(address,address)
  '4dbbd506': {
    isPure: true,
    run: (call) => {
      const alias = addressFromNumber(big(addressAt(call.input, 0)) + aliasOffset)
      return answerOf(call, { output: words(big(alias)) }, { isPure: true })
    },
  },
  // wasMyCallersAddressAliased(): transactions of L1 cannot be sent here.
  '175a260b': view(() => 0n),
  // myCallersAddressWithoutAliasing()
  d74523b3: view(({ callersCaller }) => big(callersCaller)),
  // sendTxToL1(address,bytes)
  '928c169a': { isPayable: true, run: (call, state, block) => send(call, state, block, bytesArgument(call.input)) },
  // withdrawEth(address)
  '25e16063': { isPayable: true, run: (call, state, block) => send(call, state, block, new Uint8Array()) },
}

/** What ArbSys answers; `undefined` for what only the live chain can. */
export function arbSys(call: ContractCall, state: ContractState, block: ContractBlock): ContractAnswer | undefined {
  const method = methods[selectorOf(call)]
  if (!method) return undefined
  const { isPure = false, isPayable = false } = method
  const isRefused = (call.value > 0n && !isPayable) || (call.isStatic && isPayable) || (call.isDelegated && !isPure)
  return isRefused ? revertOf(call) : method.run(call, state, arbitrumBlockOf(block))
}

/** ArbInfo answers by the state of the network: `getBalance(address)` and `getCode(address)`. */
export function arbInfo(call: ContractCall, state: ContractState): ContractAnswer | undefined {
  const selector = selectorOf(call)
  if (selector === 'f8b2cb4f') return answerOf(call, { output: words(state.balance(addressAt(call.input, 0))) })
  if (selector !== '7e105ce2') return undefined
  const code = state.code(addressAt(call.input, 0))
  return answerOf(call, { output: Buffer.concat([words(32n, BigInt(code.length)), paddedBytes(code)]) })
}

function blockHash(call: ContractCall, state: ContractState, { number }: ArbitrumBlock): ContractAnswer {
  const wanted = wordAt(call.input, 0)
  if (wanted < number && wanted + 256n >= number) {
    return answerOf(call, { output: words(BigInt(state.blockHash(wanted))) })
  }
  return answerOf(call, { output: Buffer.concat([invalidBlockNumber, words(wanted, number)]), isReverted: true })
}

/** Records what would go to L1: its ether is gone, and its event is there. No tree of sends is kept, and nothing is proved by it. */
function send(
  call: ContractCall,
  state: ContractState,
  { number, timestamp, l1Number, sendCount }: ArbitrumBlock,
  data: Uint8Array,
): ContractAnswer {
  const { caller, value } = call
  const destination = addressAt(call.input, 0)
  const sent = state.slot(zeroWord)
  const position = sendCount + sent
  state.setSlot(zeroWord, sent + 1n)
  if (value > 0n) state.burn(value)
  const addresses = Buffer.from(caller.slice(2) + destination.slice(2), 'hex')
  const hash = keccak(Buffer.concat([addresses, words(number, l1Number, timestamp, value), data]))
  const fields = words(big(caller), number, l1Number, timestamp, value, 6n * 32n, BigInt(data.length))
  const topics: Word[] = [sentTopic, wordFromBigint(big(destination)), hash, wordFromBigint(position)]
  const log = { topics, data: Buffer.concat([fields, paddedBytes(data)]) }
  const more = treeGas + logGas.log + logGas.topic * BigInt(topics.length) + logGas.byte * BigInt(log.data.length)
  return answerOf(call, { output: words(position), logs: [log] }, { more })
}

/** The second argument, of type `bytes`; as much of it as there is. */
function bytesArgument(input: Uint8Array): Uint8Array {
  const offset = wordAt(input, 1)
  const at = offset < BigInt(input.length) ? 4 + Number(offset) : input.length
  const length = wordAt(input.subarray(at - 4), 0)
  const end = length < BigInt(input.length) ? at + 32 + Number(length) : input.length
  return input.subarray(at + 32, end)
}
