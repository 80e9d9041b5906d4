import type { Address, Hex, Word } from '@understudy/evm'
import { type Abi, type AbiEvent, type AbiFunction, parseAbi } from 'viem'
import { signatureOf } from '../../ethereum/abi/signature.ts'
import { createMutex } from '../../shared/async/mutex.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadVersionSummaries } from '../../storage/records/contracts/contracts.ts'
import { loadExplorerContract, loadVerifiedAddresses } from '../../storage/records/contracts/explorerContracts.ts'
import { type ContractAbi, contractAbi, tokenAbi } from '../contractAbi.ts'
import type { ContractLibrary } from '../contractLibrary.ts'
import { type Decoded, decodeEvent, decodeInput } from '../decode.ts'
import { knownErrors } from './knownErrors.ts'
import { knownFunctions } from './knownFunctions.ts'

type AbiError = Extract<Abi[number], { type: 'error' }>

/** A reading of data whose contract is not known. */
export type Reading<Item> = Omit<Decoded, 'args'> & {
  args: NonNullable<Decoded['args']>
  item: Item
  /** 1 if no other known signature reads the data, too; otherwise divided by their number. */
  confidence: number
}

/** What is behind selectors and topics, by all ABIs that the network knows: of the user, of explorers, of libraries. */
export type Signatures = {
  functions(selector: Hex): Promise<AbiFunction[]>
  errors(selector: Hex): Promise<AbiError[]>
  events(topic: Word): Promise<AbiEvent[]>
  /** `undefined` if no known signature reads it; the same for errors and events. */
  readInput(input: Hex): Promise<Reading<AbiFunction> | undefined>
  readError(data: Hex): Promise<Reading<AbiError> | undefined>
  readEvent(log: { topics: readonly Word[]; data: Hex }): Promise<Reading<AbiEvent> | undefined>
}

type Needs = {
  database: Pick<Database, 'queries'>
  /** Where the answers of explorers are stored. */
  sideConnection: Pick<Database, 'queries'>
  library: Pick<ContractLibrary, 'loadAbi'>
  /** ABIs of the live chain that are known without an explorer. */
  liveAbis: readonly ContractAbi[]
}

/** Most signatures in memory, about 500 bytes each. */
const signatureLimit = 50_000
/** How long reading new ABIs may block other requests, in milliseconds. */
const sliceMs = 10

/** What Solidity itself reverts with. */
const builtIn = contractAbi(parseAbi(['error Error(string message)', 'error Panic(uint256 code)']))

/** Items by selector or topic, and by signature. */
class ItemIndex<Item extends { name: string; inputs: AbiFunction['inputs'] }> {
  readonly #items = new Map<Hex, Map<string, Item>>()
  size = 0

  /** The first of a signature remains, unless only the next one has names. */
  add(key: Hex, item: Item): void {
    const ofKey = this.#items.get(key) ?? new Map<string, Item>()
    this.#items.set(key, ofKey)
    const signature = signatureOf(item)
    const before = ofKey.get(signature)
    if (before === undefined) this.size++
    if (before === undefined || (namesOf(item) > namesOf(before) && isLike(item, before))) ofKey.set(signature, item)
  }

  get(key: Hex): Item[] {
    return [...(this.#items.get(key)?.values() ?? [])]
  }
}

const namesOf = ({ inputs }: { inputs: AbiFunction['inputs'] }) => inputs.filter(({ name }) => name).length

/** Whether the same parameters are indexed: events of one signature may differ in them. */
const isLike = (one: { inputs: AbiFunction['inputs'] }, other: { inputs: AbiFunction['inputs'] }) =>
  indexedOf(one) === indexedOf(other)
const indexedOf = ({ inputs }: { inputs: AbiFunction['inputs'] }) =>
  inputs.map((input) => Number('indexed' in input && input.indexed === true)).join('')

/** All items that are known, and the ABIs that they are of. */
class SignatureIndex {
  readonly functions = new ItemIndex<AbiFunction>()
  readonly errors = new ItemIndex<AbiError>()
  /** By the parameters that are indexed, too. */
  readonly events = new Map<string, ItemIndex<AbiEvent>>()
  readonly read = new Set<string>()
  #events = 0

  get isFull(): boolean {
    return this.functions.size + this.errors.size + this.#events >= signatureLimit
  }

  add({ functions, errors, events }: ContractAbi): void {
    for (const [selector, item] of functions) this.functions.add(selector, item)
    for (const [selector, item] of errors) this.errors.add(selector, item)
    for (const [topic, items] of events)
      for (const item of items) {
        const key = indexedOf(item)
        const index = this.events.get(key) ?? new ItemIndex<AbiEvent>()
        this.events.set(key, index)
        const before = index.size
        index.add(topic, item)
        this.#events += index.size - before
      }
  }

  eventsOf(topic: Word): AbiEvent[] {
    return [...this.events.values()].flatMap((index) => index.get(topic))
  }
}

/** An index of what needs no database. */
function firstIndex(liveAbis: readonly ContractAbi[]): SignatureIndex {
  const index = new SignatureIndex()
  for (const abi of [...liveAbis, builtIn, tokenAbi, knownFunctions(), knownErrors()]) index.add(abi)
  return index
}

export function createSignatures({ database, sideConnection, library, liveAbis }: Needs): Signatures {
  const mutex = createMutex()
  let index: SignatureIndex | undefined

  async function loadIndex(): Promise<SignatureIndex> {
    const versions = (await loadVersionSummaries(database.queries)).map(({ id }) => id)
    const addresses = await loadVerifiedAddresses(sideConnection.queries)
    const known = new Set<string>([...versions, ...addresses])
    // What was removed, or belongs to another chain, is not read any more.
    const isOld = index !== undefined && [...index.read].some((id) => !known.has(id))
    const current = index === undefined || isOld ? firstIndex(liveAbis) : index
    index = current
    const pace = createPace(sliceMs)
    for (const id of known) {
      if (current.isFull) break
      if (current.read.has(id)) continue
      const abi = id.startsWith('0x')
        ? await loadExplorerAbi(sideConnection.queries, id as Address)
        : await library.loadAbi(id)
      if (abi) current.add(abi)
      current.read.add(id)
      await pace()
    }
    return current
  }

  const load = () => mutex.run(loadIndex)

  return {
    functions: async (selector) => (await load()).functions.get(selector),
    errors: async (selector) => (await load()).errors.get(selector),
    events: async (topic) => (await load()).eventsOf(topic),
    async readInput(input) {
      const items = (await load()).functions.get(input.slice(0, 10) as Hex)
      return best(items, (item) => decodeInput(contractAbi([item]), input))
    },
    async readError(data) {
      const items = (await load()).errors.get(data.slice(0, 10) as Hex)
      return best(items, (item) => decodeInput(contractAbi([{ ...item, type: 'function' } as AbiFunction]), data))
    },
    async readEvent(log) {
      const [topic] = log.topics
      const items = topic === undefined ? [] : (await load()).eventsOf(topic)
      return best(items, (item) => decodeEvent([contractAbi([item])], log))
    },
  }
}

async function loadExplorerAbi(queries: Queries, address: Address): Promise<ContractAbi | undefined> {
  const stored = await loadExplorerContract(queries, address)
  return stored?.abi === undefined ? undefined : contractAbi(JSON.parse(stored.abi))
}

/** The first item that reads the data. */
function best<Item>(items: readonly Item[], read: (item: Item) => Decoded | undefined): Reading<Item> | undefined {
  const readings = items.flatMap((item) => {
    const decoded = read(item)
    return decoded?.args ? [{ ...decoded, args: decoded.args, item }] : []
  })
  const [first] = readings
  return first && { ...first, confidence: 1 / readings.length }
}
