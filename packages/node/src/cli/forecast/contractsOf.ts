import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { NetworkError } from '../../shared/errors.ts'
import { pushProject } from '../push/push.ts'
import type { RemoteNetwork } from '../remote/network.ts'

/** The most contracts of a forecast, as `dev_forecast` takes them. */
export const contractLimit = 1000
/** A list of so many contracts has some hundred thousand bytes; a file of deployments may have more. */
const sizeLimit = 32_000_000

const isAddress = (text: string) => /^0x[\da-f]{40}$/i.test(text)

/**
 * The contracts of `--contracts`: those of the workspaces of the network, of a folder with a Foundry or Hardhat project, which
 * is pushed, or of a file. Throws `INVALID_PARAMS`.
 */
export async function contractsOf(network: RemoteNetwork, given: string): Promise<string[]> {
  const found = given === 'workspaces' ? await ofWorkspaces(network, () => true) : await ofPath(network, given)
  const addresses = [...new Set(found.map((address) => address.toLowerCase()))]
  if (addresses.length === 0) throw refused(`${given} has no deployed contract that the network knows`)
  if (addresses.length > contractLimit)
    throw refused(`${given} has ${addresses.length} contracts, and a forecast takes at most ${contractLimit}`)
  return addresses
}

async function ofPath(network: RemoteNetwork, given: string): Promise<string[]> {
  const path = resolve(given)
  if (!existsSync(path)) throw refused(`there is no file or folder ${given}; workspaces takes those of the network`)
  const { size } = statSync(path)
  if (statSync(path).isDirectory()) {
    const { contracts } = await pushProject(network, path)
    const ids = new Set(contracts.map(({ projectContractId }) => projectContractId))
    return ofWorkspaces(network, ({ id }) => ids.has(id))
  }
  if (size > sizeLimit) throw refused(`${given} has more than ${sizeLimit} bytes`)
  const entries = entriesOf(await readFile(path, 'utf8'))
  const names = new Set(entries.filter((entry) => !isAddress(entry)))
  const named = names.size === 0 ? [] : await ofWorkspaces(network, ({ name }) => names.delete(name) || false)
  const [unknown] = names
  if (unknown !== undefined)
    throw refused(
      `${given} names ${JSON.stringify(unknown)}, which is neither an address nor a workspace with a deployment`,
    )
  return [...entries.filter(isAddress), ...named]
}

type Listed = { id: string; name: string }

async function ofWorkspaces(network: RemoteNetwork, isWanted: (workspace: Listed) => boolean): Promise<string[]> {
  const found: string[] = []
  for (const workspace of await network.call('dev_getWorkspaces')) {
    const { id, kind, address, deployments } = workspace
    if (kind === 'wallet' || !isWanted(workspace)) continue
    if (address !== null) found.push(address)
    if (deployments <= 1 || found.length > contractLimit) continue
    const history = await network.call('dev_getWorkspaceHistory', [id, { limit: 100 }])
    found.push(...history.deployments.map((deployment) => deployment.address))
  }
  return found
}

/**
 * The entries of a file: a JSON array, the values of a JSON object (as Hardhat Ignition writes its deployments), the contracts
 * that a script of Foundry created, or lines. An artifact counts as its contract.
 */
function entriesOf(text: string): string[] {
  const trimmed = text.trim()
  const json = /^[[{]/.test(trimmed) ? parsed(trimmed) : undefined
  const listed = json === undefined ? trimmed.split('\n').map((line) => line.split('#', 1)[0] ?? '') : valuesOf(json)
  return listed
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => (entry.endsWith('.json') ? basename(entry, '.json') : entry))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('the file looks like JSON, and is not')
  }
}

function valuesOf(json: unknown): string[] {
  if (Array.isArray(json)) return json.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  const { transactions, contractName, ...others } = json as Record<string, unknown>
  if (typeof contractName === 'string') return [contractName]
  if (Array.isArray(transactions)) return transactions.flatMap(createdBy)
  return Object.values(others).filter((entry) => typeof entry === 'string')
}

/** Of a transaction in a file that `forge script --broadcast` wrote. */
function createdBy(transaction: { transactionType?: unknown; contractAddress?: unknown } | null): string[] {
  const { transactionType, contractAddress } = transaction ?? {}
  const isCreation = typeof transactionType === 'string' && /^create/i.test(transactionType)
  return isCreation && typeof contractAddress === 'string' ? [contractAddress] : []
}

const refused = (problem: string) => new NetworkError('INVALID_PARAMS', { field: '--contracts', problem })
