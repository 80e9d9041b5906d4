import type { LineTable } from '@understudy/client/artifacts'
import type { Address } from '@understudy/evm'
import type { Database } from '../storage/database.ts'
import {
  loadContracts,
  loadDeployments,
  loadSourceIds,
  loadVersionPart,
  loadVersionSource,
} from '../storage/records/contracts/contracts.ts'
import { loadExplorerContract } from '../storage/records/contracts/explorerContracts.ts'
import { loadVerification } from '../storage/records/contracts/verifications.ts'
import type { ContractDirectory } from './contractDirectory.ts'
import { type SourceFile, sourceFilesOf, sourceLimit } from './explorer/abiSource.ts'

/** The source code of a contract. */
export type ContractSources = {
  address: Address
  name: string | undefined
  /** `verified` and `import` come from the user; others name the explorer. */
  origin: string
  /** The compiler's version. */
  compiler: string | undefined
  /** The contract's own file first, if known. */
  files: SourceFile[]
}

/** The sources of contracts, from all origins. */
export type ContractSourceReader = {
  /**
   * The sources of the contract at an address and, for a proxy, of its implementations. Queries explorers, like
   * `describe`.
   */
  load(address: Address): Promise<ContractSources[]>
}

type Needs = { database: Pick<Database, 'queries'>; knowledge: Pick<ContractDirectory, 'describe'> }

export function createContractSources({ database: { queries }, knowledge }: Needs): ContractSourceReader {
  /** Sources that were verified against the code. */
  async function loadVerified(address: Address): Promise<ContractSources | undefined> {
    const verified = await loadVerification(queries, address)
    if (!verified) return undefined
    const { name, sourcePath, compilerVersion: compiler, input } = verified
    return { address, name, origin: 'verified', compiler, files: sourceFilesOf(JSON.parse(input).sources, sourcePath) }
  }

  /** The sources of other imported contracts whose code is in a contract: libraries, and contracts that it inherits. */
  async function loadOthers(path: string, versionId: string): Promise<SourceFile[]> {
    const { files = [] } = ((await loadVersionPart(queries, versionId, 'lines')) ?? {}) as Partial<LineTable>
    const ids = await loadSourceIds(
      queries,
      files.filter((file) => file !== path),
    )
    const others: SourceFile[] = []
    let left = sourceLimit
    for (const [file, id] of ids) {
      const { source = '' } = (await loadVersionSource(queries, id)) ?? {}
      left -= source.length
      if (left < 0) break
      others.push({ path: file, content: source })
    }
    return others
  }

  /** The pushed source of the contract that was linked last. */
  async function loadImported(address: Address): Promise<ContractSources | undefined> {
    const deployment = (await loadDeployments(queries, { addresses: [address] })).at(-1)
    if (!deployment) return undefined
    const version = await loadVersionSource(queries, deployment.versionId)
    if (!version) return undefined
    const [contract] = await loadContracts(queries, { id: deployment.contractId })
    const path = version.sourcePath ?? `${contract?.name}.sol`
    const files = [{ path, content: version.source }, ...(await loadOthers(path, deployment.versionId))]
    return { address, name: contract?.name, origin: 'import', compiler: undefined, files }
  }

  async function loadExplorers(address: Address): Promise<ContractSources | undefined> {
    const found = await loadExplorerContract(queries, address)
    if (found?.source === undefined || found.files.length === 0) return undefined
    const { name, source: origin, compiler, files } = found
    return { address, name, origin, compiler, files }
  }

  return {
    async load(address) {
      const { proxy } = await knowledge.describe(address)
      const addresses = [address, ...(proxy?.implementations ?? []).map((one) => one.address)]
      const loaded = addresses.map(
        async (one) => (await loadVerified(one)) ?? (await loadImported(one)) ?? (await loadExplorers(one)),
      )
      return (await Promise.all(loaded)).filter((sources) => sources !== undefined)
    },
  }
}
