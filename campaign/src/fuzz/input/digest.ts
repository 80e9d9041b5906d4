/** Everything that a request could have changed, as read methods show it. */
const reads: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ['eth_getBlockByNumber', 'latest', false],
  ['dev_getNetworkInfo'],
  ['dev_getFollowed'],
  ['dev_getFunctionOverrides'],
  ['dev_getImpersonatedAccounts'],
  ['dev_getTrackedData'],
  ['dev_getWorkspaces'],
  ['dev_getImportedContracts'],
  ['mock_getWipeSchedule'],
  ['txpool_status'],
  ['eth_accounts'],
  ['eth_getBalance', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'pending'],
  ['eth_getTransactionCount', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'pending'],
  ['anvil_dumpState'],
]

const body = JSON.stringify(reads.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })))

/** The state of the network as text. Two texts are equal if nothing changed between them. */
export async function stateOf(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body })
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  return answers
    .map(({ id, result, error }) => `${reads[id]?.[0]} ${JSON.stringify(result ?? error, settled)}`)
    .join('\n')
}

/** Fields that change on their own, with time and background work. */
const changing: ReadonlySet<string> = new Set(['upstream', 'uptimeSeconds', 'fidelity'])
const settled = (key: string, value: unknown) => (changing.has(key) ? undefined : value)

/** The differences between two states, shortened. */
export function differenceOf(before: string, after: string): string {
  const old = before.split('\n')
  const changed = after
    .split('\n')
    .flatMap((line, index) => (line === old[index] ? [] : [`${old[index]?.slice(0, 300)}\n→ ${line.slice(0, 300)}`]))
  return changed.join('\n')
}
