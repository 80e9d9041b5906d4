import type { Address, CallFrame, Hex } from '@understudy/evm'
import { isCreation } from '@understudy/evm'
import type { AbiParameter } from 'viem'
import { type ContractAbi, tokenAbi } from '../../contracts/contractAbi.ts'
import type { ContractDirectory } from '../../contracts/contractDirectory.ts'
import {
  type Decoded,
  type DecodedValue,
  decodeEvent,
  decodeInput,
  decodeOutput,
  decodeRevert,
} from '../../contracts/decode.ts'
import type { CreatedContracts, KnownContract } from '../../contracts/knownContracts.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { DecodedItem, DecodedParameter } from './outcome.ts'

type Needs = { knowledge: Pick<ContractDirectory, 'loadOwn'>; created: CreatedContracts }

/** Maximum number of contracts of a call that are looked up. */
const contractLimit = 200

/** What is known of the contracts of a run. The run itself shows what its proxies run, so that nothing else has to be asked. */
export class RunKnowledge {
  readonly #known: ReadonlyMap<Address, KnownContract>
  readonly #delegates: ReadonlyMap<Address, ReadonlySet<Address>>

  constructor(known: ReadonlyMap<Address, KnownContract>, delegates: ReadonlyMap<Address, ReadonlySet<Address>>) {
    this.#known = known
    this.#delegates = delegates
  }

  /** Without names and ABIs, and with those of the first contracts. */
  static async load(frames: readonly CallFrame[], more: Iterable<Address>, needs: Needs | undefined) {
    const delegates = delegatesOf(frames)
    const known = new Map<Address, KnownContract>()
    if (!needs) return { knowledge: new RunKnowledge(known, delegates), isWhole: true }
    const all = new Set([...frames.map(({ to }) => to), ...more])
    const creations = new Map(frames.filter(isCreation).map(({ to, input }) => [to, input]))
    await Promise.all(
      [...all].slice(0, contractLimit).map(async (address) => {
        const creation = creations.get(address)
        const found = creation ? await needs.created.load(creation) : await needs.knowledge.loadOwn(address)
        if (found) known.set(address, found)
      }),
    )
    return { knowledge: new RunKnowledge(known, delegates), isWhole: all.size <= contractLimit }
  }

  of(address: Address): KnownContract | undefined {
    return this.#known.get(address)
  }

  /** Its own name, or that of what it runs. */
  nameOf(address: Address): string | undefined {
    return this.of(address)?.name ?? this.implementationsOf(address).map((one) => this.of(one)?.name)[0]
  }

  /** Contracts whose code it ran with DELEGATECALL. */
  implementationsOf(address: Address): Address[] {
    return [...(this.#delegates.get(address) ?? [])]
  }

  abisOf(address: Address): ContractAbi[] {
    return [address, ...this.implementationsOf(address)].flatMap((one) => this.of(one)?.abi ?? [])
  }

  functionOf(frame: CallFrame): { item: DecodedItem | undefined; returned: DecodedParameter[] | undefined } {
    if (isCreation(frame)) return { item: this.#constructorOf(frame), returned: undefined }
    const { input, output, to } = frame
    if (input.length < 4) return { item: undefined, returned: undefined }
    const selector = hexFromBytes(input.subarray(0, 4))
    const abis = [...this.abisOf(to), tokenAbi]
    const abi = abis.find(({ functions }) => functions.has(selector))
    const item = itemOf(decodeInput(abi, hexFromBytes(input)))
    const outputs = abi?.functions.get(selector)?.outputs
    const returned = frame.error === undefined ? decodeOutput(abi, selector, hexFromBytes(output)) : undefined
    return { item, returned: returned?.map((value, index) => parameterOf(value, outputs?.[index])) }
  }

  #constructorOf({ to }: CallFrame): DecodedItem | undefined {
    const inputs = this.of(to)?.abi.constructorItem?.inputs
    return (
      inputs && { name: 'constructor', signature: `constructor(${inputs.map(({ type }) => type)})`, args: undefined }
    )
  }

  eventOf(log: { address: Address; topics: Hex[]; data: Hex }): DecodedItem | undefined {
    return itemOf(decodeEvent([...this.abisOf(log.address), tokenAbi], log))
  }

  /** An error may come from an inner call. */
  revertOf(address: Address, output: Hex): { item: DecodedItem; reason: string } | undefined {
    const others = [...this.#known.values()].map(({ abi }) => abi)
    const decoded = decodeRevert([...this.abisOf(address), ...others], output)
    const item = itemOf(decoded)
    return decoded && item && { item, reason: decoded.reason }
  }
}

function delegatesOf(frames: readonly CallFrame[]): Map<Address, Set<Address>> {
  const delegates = new Map<Address, Set<Address>>()
  for (const { type, from, to } of frames)
    if (type === 'DELEGATECALL') delegates.set(from, (delegates.get(from) ?? new Set()).add(to))
  return delegates
}

function itemOf(decoded: Decoded | undefined): DecodedItem | undefined {
  if (!decoded) return undefined
  const { name, signature, args, inputs } = decoded
  return { name, signature, args: args?.map((arg, index) => parameterOf(arg, inputs?.[index])) }
}

type Parameter = AbiParameter & { components?: readonly AbiParameter[]; indexed?: boolean }

function parameterOf({ name, type, value }: DecodedValue, parameter: Parameter | undefined): DecodedParameter {
  return { name, type, components: parameter?.components, indexed: parameter?.indexed, value }
}
