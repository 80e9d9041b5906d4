/** Everything that a request could have left behind, as far as methods that read tell of it. */
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

/** What the network is now. Two texts are equal when nothing changed between them. */
export async function stateOf(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body })
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  return answers
    .map(({ id, result, error }) => `${reads[id]?.[0]} ${JSON.stringify(result ?? error, settled)}`)
    .join('\n')
}

/** Fields that change by themselves, as time passes and work in the background ends. */
const changing: ReadonlySet<string> = new Set(['upstream', 'uptimeSeconds', 'fidelity'])
const settled = (key: string, value: unknown) => (changing.has(key) ? undefined : value)

/** What differs between two states, in few words. */
export function differenceOf(before: string, after: string): string {
  const old = before.split('\n')
  const changed = after
    .split('\n')
    .flatMap((line, index) => (line === old[index] ? [] : [`${old[index]?.slice(0, 300)}\n→ ${line.slice(0, 300)}`]))
  return changed.join('\n')
}
