import type { Address, Hex } from '@understudy/evm'
import type { ChainContracts } from '../ethereum/chains/contracts/chainContracts.ts'
import type { Database } from '../storage/database.ts'
import { loadContracts, loadDeployments } from '../storage/records/contracts/contracts.ts'
import { type ContractAbi, contractAbi } from './contractAbi.ts'
import type { ContractLibrary } from './contractLibrary.ts'
import type { Recognition } from './recognition.ts'

/** The name of a contract, and its ABI. */
export type KnownContract = {
  name: string | undefined
  abi: ContractAbi
  /** `import` and `manual` come from the user, `chain` from its profile; others name the explorer, or the sample chain. */
  source: string
}

/** Returns what it knows about the contract at an address. Its errors reach the caller. */
export type ContractSource = { load(address: Address): Promise<KnownContract | undefined> }

/** The best known ABIs of contracts, by address. */
export type KnownContracts = {
  /** For each address, the answer of the first source that has one; addresses without one are omitted. */
  load(addresses: Iterable<Address>): Promise<Map<Address, KnownContract>>
}

/** The user's contracts by the code that creates them. */
export type CreatedContracts = { load(initCode: Uint8Array): Promise<KnownContract | undefined> }

/** A contract of the live chain, and what is known of it without an explorer: of the sample chain. */
export type LiveContract = { address: Address; known: KnownContract | undefined }

/** What the user says of a contract goes first. */
export function withLiveContracts(own: ContractSource, contracts: readonly LiveContract[]): ContractSource {
  const byAddress = new Map(contracts.map(({ address, known }) => [address, known]))
  return { load: async (address) => (await own.load(address)) ?? byAddress.get(address) }
}

/** What the user says of a contract goes first, also where the chain has one without code. */
export function withChainContracts(own: ContractSource, contracts: ChainContracts): ContractSource {
  const abis = new Map<Hex, ContractAbi>()
  function ofChain(address: Address): KnownContract | undefined {
    const found = contracts.find(address)
    if (!found) return undefined
    const { name, at } = found.contract
    const abi = abis.get(at) ?? contractAbi(found.abi)
    abis.set(at, abi)
    return { name, abi, source: 'chain' }
  }
  return { load: async (address) => (await own.load(address)) ?? ofChain(address) }
}

/** Queries the sources in order. */
export function createKnownContracts(sources: readonly ContractSource[]): KnownContracts {
  async function loadOne(address: Address): Promise<KnownContract | undefined> {
    for (const source of sources) {
      const known = await source.load(address)
      if (known) return known
    }
    return undefined
  }
  return {
    async load(addresses) {
      const found = new Map<Address, KnownContract>()
      await Promise.all(
        [...new Set(addresses)].map(async (address) => {
          const known = await loadOne(address)
          if (known) found.set(address, known)
        }),
      )
      return found
    },
  }
}

/** The user's contracts by address, recognised when they are first asked for; if there are several, the one linked last. */
export function createDeployedContracts({
  database: { queries },
  library,
  recognition,
}: {
  database: Pick<Database, 'queries'>
  library: Pick<ContractLibrary, 'loadAbi'>
  recognition: Recognition
}): ContractSource {
  const loadLast = async (address: Address) => (await loadDeployments(queries, { addresses: [address] })).at(-1)
  return {
    async load(address) {
      const linked = await loadLast(address)
      const deployment = linked ?? ((await recognition.recognise(address)) ? await loadLast(address) : undefined)
      if (!deployment) return undefined
      const [contract] = await loadContracts(queries, { id: deployment.contractId })
      return {
        name: contract?.name,
        abi: await library.loadAbi(deployment.versionId),
        source: contract?.origin ?? 'import',
      }
    },
  }
}

export function createCreatedContracts({
  database: { queries },
  library,
}: {
  database: Pick<Database, 'queries'>
  library: Pick<ContractLibrary, 'loadAbi' | 'match'>
}): CreatedContracts {
  return {
    async load(initCode) {
      const [match] = await library.match(new Uint8Array(), initCode)
      if (!match) return undefined
      const [contract] = await loadContracts(queries, { id: match.contractId })
      const abi = await library.loadAbi(match.versionId)
      return { name: contract?.name, abi, source: contract?.origin ?? 'import' }
    },
  }
}
