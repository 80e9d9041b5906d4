import type { RemoteCommand } from './command.ts'
import { formatFields, formatTable } from './format.ts'

type Info = {
  version: string
  chainId: number
  head: { number: number; timestamp: string }
  base: { number: number }
  origin: { number: number }
  mode: string
  upstream: { url: string; head: number; blocksAhead: number; reachable: boolean } | null
  node: { role: 'sealer' | 'reader'; sealer: string | null; behind: number } | null
  dataDirectory: string
  startedAt: string
}

export const status: RemoteCommand = {
  usage: 'status',
  summary: 'tell what the network is, where it stands, and how far the live chain is',
  run: (network) => network.call('dev_getNetworkInfo'),
  show: ({ version, chainId, head, base, origin, mode, upstream, node, dataDirectory, startedAt }: Info) =>
    formatFields({
      version,
      'chain id': chainId,
      head: `block ${head.number} of ${head.timestamp}`,
      base: `block ${base.number} of the live chain; left at block ${origin.number}`,
      mode,
      'live chain': upstream
        ? `${upstream.url} at block ${upstream.head} (${upstream.blocksAhead} ahead)${upstream.reachable ? '' : ', not reachable'}`
        : 'none',
      node: node ? describeNode(node) : undefined,
      data: dataDirectory,
      since: startedAt,
    }),
}

function describeNode({ role, sealer, behind }: NonNullable<Info['node']>): string {
  if (role === 'sealer') return 'it seals'
  return `it reads, ${behind} changes behind; ${sealer === null ? 'nobody seals' : `${sealer} seals`}`
}

export const accounts: RemoteCommand = {
  usage: 'accounts',
  summary: 'list the funded accounts, for which the network signs, with balances in wei',
  async run(network) {
    const addresses = await network.call<string[]>('eth_accounts')
    return Promise.all(
      addresses.map(async (address) => ({
        address,
        balance: BigInt(await network.call<string>('eth_getBalance', [address, 'latest'])).toString(),
        nonce: Number(await network.call<string>('eth_getTransactionCount', [address, 'latest'])),
      })),
    )
  },
  show: (rows: Record<string, unknown>[]) => formatTable(rows),
}
