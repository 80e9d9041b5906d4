import { wellKnownNames } from './wellKnown.ts'

type Workspace = { id: string; name: string; address: string | null }
type Import = { projectContractId: string; name: string; deployments: readonly { address: string }[] }

/** Keys are lowercase addresses. */
export type GivenNames = {
  /** Accounts, workspaces and well-known contracts. */
  own: ReadonlyMap<string, string>
  /** Imported contracts with several deployments, which one name does not tell apart. */
  shared: ReadonlyMap<string, string>
}

/** A workspace, and the deployment that it is looked at for. */
export type Deployed = { id: string; name: string; address: string }

let last: { inputs: readonly unknown[]; names: GivenNames } | undefined

/** The names that users gave. Every address on a page asks, so the last answer is kept. */
export function givenNames(
  accounts: readonly string[],
  workspaces: readonly Workspace[],
  imports: readonly Import[],
): GivenNames {
  const inputs = [accounts, workspaces, imports]
  if (last?.inputs.every((input, index) => input === inputs[index])) return last.names
  const own = new Map<string, string>(Object.entries(wellKnownNames))
  const shared = new Map<string, string>()
  for (const [index, account] of accounts.entries()) own.set(account.toLowerCase(), `Account ${index}`)
  const many = new Set(imports.filter(({ deployments }) => deployments.length > 1).map((one) => one.projectContractId))
  for (const { id, address, name } of workspaces) if (address && !many.has(id)) own.set(address.toLowerCase(), name)
  for (const { projectContractId: id, name, deployments } of imports)
    for (const { address } of deployments) {
      const key = address.toLowerCase()
      if (many.has(id)) shared.set(key, name)
      else if (!own.has(key)) own.set(key, name)
    }
  const names = { own, shared }
  last = { inputs, names }
  return names
}

/** The workspace that shows an address. An imported contract has one for all its deployments. */
export function deployedAt(
  address: string,
  workspaces: readonly Workspace[],
  imports: readonly Import[],
): Deployed | undefined {
  const isIt = (other: string | null) => other?.toLowerCase() === address.toLowerCase()
  const imported = imports.find(({ deployments }) => deployments.some((one) => isIt(one.address)))
  if (imported) return { id: imported.projectContractId, name: imported.name, address }
  const own = workspaces.find((one) => isIt(one.address))
  return own && { id: own.id, name: own.name, address }
}
