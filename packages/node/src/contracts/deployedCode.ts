import type { Address, Word } from '@understudy/evm'
import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import type { LoadingView } from '../state/view.ts'
import type { Queries } from '../storage/database.ts'
import { type CreationRecord, loadCalledAddresses, loadCreations } from '../storage/records/activity/calls.ts'
import { loadTransactionAt } from '../storage/records/chain/transactions.ts'
import { loadWorkspaces } from '../storage/records/contracts/workspaces.ts'
import { loadLocalCode, loadLocalCodeHashes } from '../storage/records/state/localState.ts'
import type { CodeMatch, ContractLibrary } from './contractLibrary.ts'

/** A deployed contract, and the contract that its code matches. */
export type FoundDeployment = { address: Address; match: CodeMatch; creation: CreationRecord | undefined }

/** Number of recently called upstream addresses whose code is compared. */
const calledLimit = 1000

/** Finds local contracts whose code is in the library. Each code is compared once, however often it is deployed. */
export async function findLocalDeployments(
  queries: Queries,
  library: Pick<ContractLibrary, 'match'>,
): Promise<FoundDeployment[]> {
  const creations = new Map((await loadCreations(queries)).map((creation) => [creation.address, creation]))
  const matches = new Map<string, Promise<CodeMatch[]>>()
  const found: FoundDeployment[] = []
  for (const { address, codeHash } of await loadLocalCodeHashes(queries)) {
    const creation = creations.get(address)
    // Constructor arguments are in the init code; for a transaction, that is its data.
    const key = `${codeHash}${creation?.initHash ?? (creation ? address : '')}`
    const matching = matches.get(key) ?? matchStored(queries, library, codeHash, creation)
    matches.set(key, matching)
    for (const match of await matching) found.push({ address, match, creation })
  }
  return found
}

async function matchStored(
  queries: Queries,
  library: Pick<ContractLibrary, 'match'>,
  codeHash: Word,
  creation: CreationRecord | undefined,
): Promise<CodeMatch[]> {
  const code = await loadLocalCode(queries, codeHash)
  return code?.length ? library.match(code, creation && (await loadInitCode(queries, creation))) : []
}

async function loadInitCode(queries: Queries, creation: CreationRecord): Promise<Uint8Array | undefined> {
  const { initHash, blockNumber, transactionPosition } = creation
  if (initHash !== undefined) return loadLocalCode(queries, initHash)
  const transaction = await loadTransactionAt(queries, blockNumber, transactionPosition)
  return transaction && decodeStoredTransaction(transaction).data
}

/** Finds upstream contracts whose code is in the library, among `known` ones, and those that have a workspace or were called recently. */
export async function findUpstreamDeployments(
  queries: Queries,
  view: LoadingView,
  library: Pick<ContractLibrary, 'match'>,
  known: readonly Address[],
): Promise<FoundDeployment[]> {
  const local = new Set((await loadLocalCodeHashes(queries)).map(({ address }) => address))
  const watched = (await loadWorkspaces(queries)).map(({ address }) => address)
  const called = await loadCalledAddresses(queries, calledLimit)
  const addresses = [...new Set([...known, ...watched, ...called])].filter((address) => !local.has(address))
  if (addresses.length === 0) return []
  await view.load({ accounts: addresses, codes: addresses, slots: [], blockHashes: [] })
  const found: FoundDeployment[] = []
  for (const address of addresses) {
    const account = view.account(address)
    const code = account && view.code(address, account.codeHash)
    if (!code?.length) continue
    for (const match of await library.match(code)) found.push({ address, match, creation: undefined })
  }
  return found
}
