import type { Address } from '@understudy/evm'
import type { Database } from '../storage/database.ts'
import { loadContracts, loadDeployments } from '../storage/records/contracts/contracts.ts'
import type { ContractAbi } from './contractAbi.ts'
import type { ContractLibrary } from './contractLibrary.ts'

/** What a contract is called, and what can be decoded of it. */
export type KnownContract = {
  name: string | undefined
  abi: ContractAbi
  /** `import` and `manual` are the user's own; others name the explorer. */
  source: string
}

/** Says what it knows of the contract at an address. What it throws fails whoever asks. */
export type ContractSource = { load(address: Address): Promise<KnownContract | undefined> }

/** The best that is known of contracts, by address. */
export type KnownContracts = {
  /** What the first source that knows each of these says; those that none knows are left out. */
  load(addresses: Iterable<Address>): Promise<Map<Address, KnownContract>>
}

/** Asks the sources in their order. */
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

/** The user's own contracts where they are deployed: of several the one that was linked last. */
export function createDeployedContracts({
  database: { queries },
  library,
}: {
  database: Pick<Database, 'queries'>
  library: Pick<ContractLibrary, 'loadAbi'>
}): ContractSource {
  return {
    async load(address) {
      const deployment = (await loadDeployments(queries, { addresses: [address] })).at(-1)
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
