import {
  type Address,
  type BlockContext,
  type ContractAnswer,
  type ContractCall,
  type ContractState,
  type Hex,
  type HostedContracts,
  hostedContract,
  type Word,
} from '@understudy/evm'
import { addressFromNumber, wordFromBigint } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import type { Header } from '../header.ts'
import { type ArbitrumBlock, addressAt, answerOf, paddedBytes, selectorOf, words } from './arbitrumCall.ts'
import { arbSys } from './arbSys.ts'

/** ArbSys to ArbFilteredTransactionsManager, NodeInterface, and those of its tests. */
const numbers = [...Array.from({ length: 0x74 - 0x64 + 1 }, (_, index) => 0x64 + index), 0xc8, 0xc9]
const contracts: readonly (readonly [Address, number])[] = numbers.map((number) => [
  addressFromNumber(number),
  hostedContract,
])

const arbSysAddress = addressFromNumber(0x64)
const arbInfo = addressFromNumber(0x65)
export const nodeInterface = addressFromNumber(0xc8)

/** Where ArbOS keeps its state: https://github.com/OffchainLabs/nitro, arbos/storage/storage.go. */
const arbosState: Address = '0xa4b05fffffffffffffffffffffffffffffffffff'
/** The key of the space of hashes of L1 (`blockhashesSubspace`, arbos/arbosState/arbosstate.go). */
const hashSpace = keccak(Uint8Array.of(6))

/** The slot of ArbOS that has the hash of a block of L1 (arbos/blockhash/blockhash.go). */
function l1HashSlot(number: bigint): readonly [Address, Word] {
  const key = Buffer.from(wordFromBigint(1n + (number % 256n)).slice(2), 'hex')
  const page = keccak(Buffer.concat([Buffer.from(hashSpace.slice(2), 'hex'), key.subarray(0, 31)]))
  return [arbosState, `0x${page.slice(2, 64)}${key.subarray(31).toString('hex')}`]
}

/** What headers say in the mix hash: sends to L1 so far, the number of the block of L1, the version of ArbOS. */
function blockOf({ number, timestamp, mixHash }: Header, chainId: bigint): ArbitrumBlock {
  const part = (index: number) => BigInt(`0x${mixHash.slice(2 + 16 * index, 18 + 16 * index)}`)
  return { number, timestamp, chainId, sendCount: part(0), l1Number: part(1), arbosVersion: part(2) }
}

/**
 * What Nitro's JSON shows of a header beside what it encodes; `undefined` for headers of other chains. Only Arbitrum's have a
 * difficulty of 1 and a version of ArbOS.
 */
export function arbitrumFieldsOf(header: Header): { l1Number: bigint; sendCount: bigint; sendRoot: Hex } | undefined {
  if (header.difficulty !== 1n) return undefined
  const { l1Number, sendCount, arbosVersion } = blockOf(header, 0n)
  return l1Number > 0n && arbosVersion > 0n ? { l1Number, sendCount, sendRoot: header.extraData } : undefined
}

/** What the machine of a block has otherwise on Arbitrum. */
export function arbitrumContext(
  header: Header,
  precompiles: BlockContext['precompiles'],
  chainId: bigint,
): Pick<BlockContext, 'precompiles' | 'contracts' | 'l1'> {
  const block = blockOf(header, chainId)
  return {
    precompiles: new Map([...(precompiles ?? []), ...contracts]),
    contracts: arbitrumContracts(block),
    l1: arbitrumL1(block.l1Number),
  }
}

/** The block that contracts of ArbOS were made for. */
export const blockOfContracts = new WeakMap<HostedContracts, ArbitrumBlock>()

export function arbitrumContracts(block: ArbitrumBlock): HostedContracts {
  const contracts = hostedContracts(block)
  blockOfContracts.set(contracts, block)
  return contracts
}

export const arbitrumL1 = (number: bigint): NonNullable<BlockContext['l1']> => ({ number, hashSlot: l1HashSlot })

/** The contracts of ArbOS: what depends on the network's own blocks and state is answered here, the rest by the live chain. */
function hostedContracts(block: ArbitrumBlock): HostedContracts {
  return (call, state) => {
    const own = ownAnswer(call, state, block)
    if (own) return own
    const { output, isReverted } = state.live(call.input)
    // None of the methods that are left takes ether, or runs in another's name.
    const isRefused = isReverted === true || call.value > 0n || call.isDelegated
    return answerOf(call, { output: isRefused && !isReverted ? new Uint8Array() : output, isReverted: isRefused })
  }
}

function ownAnswer(call: ContractCall, state: ContractState, block: ArbitrumBlock): ContractAnswer | undefined {
  if (call.address === arbSysAddress) return arbSys(call, state, block)
  const selector = selectorOf(call)
  if (call.address === arbInfo) {
    // getBalance(address), getCode(address)
    if (selector === 'f8b2cb4f') return answerOf(call, { output: words(state.balance(addressAt(call.input, 0))) })
    if (selector === '7e105ce2') {
      const code = state.code(addressAt(call.input, 0))
      return answerOf(call, { output: Buffer.concat([words(32n, BigInt(code.length)), paddedBytes(code)]) })
    }
  }
  return undefined
}
