import type { Result } from '@understudy/client'
import type { RemoteCommand } from './command.ts'
import { formatFields, formatTable } from './format.ts'

type Info = Result<'dev_getNetworkInfo'>

/** How rules were found, by what `dev_getNetworkInfo` calls it. */
const rulesOrigins: Record<string, string> = {
  option: 'by --hardfork',
  profile: 'by --chain-profile',
  schedule: "by the chain's schedule",
  probe: 'by what upstream can run',
  eth_config: 'by what upstream says of itself',
  header: "guessed by the block's header: name them with --hardfork if they are others",
}

/** The hardfork, and how it was found where that is in question. */
export function rulesText({ hardfork, source }: { hardfork: string; source: string }, isFork: boolean): string {
  return source === 'header' && !isFork ? hardfork : `${hardfork}, ${rulesOrigins[source] ?? source}`
}

export const status: RemoteCommand = {
  usage: 'status',
  summary: 'show the state of the network and of the live chain',
  run: (network) => network.call('dev_getNetworkInfo'),
  show: ({
    version,
    chainId,
    chain,
    rules,
    head,
    base,
    origin,
    mode,
    upstream,
    fidelity,
    node,
    dataDirectory,
    startedAt,
  }: Info) =>
    formatFields({
      version,
      'chain id': chainId,
      chain: `${chain.name}, in ${chain.currency.symbol}`,
      rules: rulesText(rules, upstream !== null),
      head: `block ${head.number} of ${head.timestamp}`,
      base: `block ${base.number} of the live chain; forked at block ${origin.number}`,
      mode,
      'live chain': upstream
        ? `${upstream.url} at block ${upstream.head} (${upstream.blocksAhead} ahead)${upstream.reachable ? '' : ', not reachable'}`
        : 'none',
      fidelity: fidelity
        ? `${fidelity.transactionsAgree} of ${fidelity.transactions} transactions of the live chain reproduce, by ${fidelity.hardfork}, on ${fidelity.checkedAt}`
        : undefined,
      node: node ? describeNode(node) : undefined,
      data: dataDirectory,
      since: startedAt,
    }),
}

function describeNode({ role, sealer, behind }: NonNullable<Info['node']>): string {
  if (role === 'sealer') return 'it seals'
  return `it reads, ${behind} changes behind; ${sealer === null ? 'no node seals' : `${sealer} seals`}`
}

export const accounts: RemoteCommand = {
  usage: 'accounts',
  summary: 'list the funded accounts with their balances in wei',
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
