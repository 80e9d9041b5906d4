import type { Address, ContractAnswer, ContractCall, ContractState, Hex } from '@understudy/evm'
import { arbInfo, arbSys } from './arbSys.ts'
import { b20Token } from './b20Token.ts'
import { bnbTime } from './bnb.ts'
import { celoTransfer } from './celo.ts'
import {
  type ChainContract,
  type CompiledContract,
  compiledContract,
  gasOfInput,
  type HandlerName,
} from './chainContract.ts'
import { answerOf, type ContractBlock, revertOf, revertWith, selectorOf } from './contractCall.ts'

/** Answers a call of a contract; `undefined` for what only the live chain can. */
type Handler = (call: ContractCall, state: ContractState, block: ContractBlock) => ContractAnswer | undefined

const handlers: Record<HandlerName, Handler> = { arbSys, arbInfo, b20Token, bnbTime, celoTransfer }

/** The contracts of a chain, found by address. */
export class ChainContracts {
  /** Data: a thread makes the same of it. */
  readonly list: readonly ChainContract[]
  readonly addresses: readonly Address[]
  readonly prefixes: readonly Hex[]
  readonly #compiled = new Map<Hex, CompiledContract>()
  /** Of some contracts, in order. */
  readonly #dates: readonly number[]
  /** Those of the blocks after so many dates. */
  readonly #later = new Map<number, ChainContracts>()

  /** Of contracts at one address, the first counts. */
  constructor(list: readonly ChainContract[]) {
    this.list = list
    const locations = [...new Set(list.map(({ at }) => at))]
    this.addresses = locations.filter(isAddress)
    this.prefixes = locations.filter((at) => !isAddress(at))
    this.#dates = [...new Set(list.flatMap(({ since = 0 }) => (since > 0 ? [since] : [])))].sort((a, b) => a - b)
  }

  /** Those of a block at a time, in seconds. */
  at(timestamp: bigint): ChainContracts {
    if (this.#dates.length === 0) return this
    const passed = this.#dates.filter((date) => date <= timestamp).length
    const known =
      this.#later.get(passed) ??
      new ChainContracts(this.list.filter(({ since = 0 }) => since <= timestamp).map(undated))
    this.#later.set(passed, known)
    return known
  }

  find(address: Address): CompiledContract | undefined {
    const contract =
      this.list.find(({ at }) => at === address) ?? this.list.find(({ at }) => !isAddress(at) && address.startsWith(at))
    if (!contract) return undefined
    const known = this.#compiled.get(contract.at) ?? compiledContract(contract)
    this.#compiled.set(contract.at, known)
    return known
  }

  answer(call: ContractCall, state: ContractState, block: ContractBlock): ContractAnswer {
    const found = this.find(call.address)
    if (!found) return revertOf(call)
    const { contract, functions } = found
    if (contract.takesCallsOnly && (call.isStatic || call.isDelegated)) return revertOf(call)
    if (contract.answeredBy === 'refused')
      return revertWith(call, `The profile of the chain refuses calls of ${nameOf(found, call)}`)
    if (contract.gas) {
      const { output, isReverted } = state.live(call.input)
      return {
        gas: gasOfInput(contract.gas, call.input.length, output.length),
        output,
        ...(isReverted && { isFailed: true }),
      }
    }
    const own = contract.answeredBy !== 'liveChain' && handlers[contract.answeredBy](call, state, block)
    if (own) return own
    const selector = selectorOf(call)
    const method = functions.get(selector)
    // What STATICCALL calls cannot write, so that it may also be a function of a later version.
    if (!method && !call.isStatic)
      return revertWith(call, `${nameOf(found, call)} has no function 0x${selector} that is known here`)
    if (method && !method.isView)
      return revertWith(call, `Only the live chain can run ${method.signature} of ${nameOf(found, call)}`)
    if (call.value > 0n || call.isDelegated) return revertOf(call)
    return answerOf(call, state.live(call.input))
  }
}

const undated = ({ since: _, ...contract }: ChainContract): ChainContract => contract

const isAddress = (at: Hex): at is Address => at.length === 42

const nameOf = ({ contract: { name } }: CompiledContract, { address }: ContractCall) => `${name} (${address})`
