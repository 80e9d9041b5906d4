import { describeRules, type Result } from '@understudy/client/methods'
import type { RemoteCommand } from './command.ts'
import { formatFields, formatTable } from './format.ts'

type Info = Result<'dev_getNetworkInfo'>

/** The hardfork, and how it was found where that is in question. */
export const rulesText = (rules: Pick<Info['rules'], 'hardfork' | 'source' | 'disagreement'>): string =>
  rules.source === 'default' ? rules.hardfork : describeRules(rules)

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
      rules: rulesText(rules),
      prices: pricesText(rules.pricing, upstream !== null),
      head: `block ${head.number} of ${head.timestamp}`,
      base: `block ${base.number} of the live chain; forked at block ${origin.number}`,
      mode,
      'live chain': upstream
        ? `${upstream.url} at block ${upstream.head} (${upstream.blocksAhead} ahead)${detachedText(upstream.detached)}`
        : 'none',
      'live chain takes': upstream ? limitsText(upstream.profiles) : undefined,
      fidelity: fidelity
        ? `${fidelity.transactionsAgree} of ${fidelity.transactions} transactions of the live chain reproduce, by ${fidelity.hardfork}, on ${fidelity.checkedAt}`
        : undefined,
      node: node ? describeNode(node) : undefined,
      data: dataDirectory,
      since: startedAt,
    }),
}

const pricesOrigins = { measured: 'as measured', profile: "by the chain's profile", fork: "the hardfork's" }

/** What differs from the prices of the hardfork, and what no price explains; `undefined` where they were measured as just those. */
function pricesText({ source, different, odd }: Info['rules']['pricing'], hasUpstream: boolean): string | undefined {
  if (different.length === 0 && odd.length === 0)
    return hasUpstream && source !== 'measured' ? "the hardfork's, not measured" : undefined
  const texts = different.map(({ name, fork, price }) =>
    typeof price === 'number' ? `${name} ${price} (hardfork: ${fork})` : `${name} ${JSON.stringify(price)}`,
  )
  return [pricesOrigins[source], ...texts, ...(odd.length > 0 ? [`no plain numbers: ${odd.join('; ')}`] : [])].join(
    ', ',
  )
}

function detachedText(detached: NonNullable<Info['upstream']>['detached']): string {
  if (detached === null) return ''
  const reason = detached === 'away' ? 'it does not answer' : 'another chain answers at its URL'
  return `; detached from it: ${reason}, and known live state is served`
}

const stateNamesText = { hash: undefined, number: 'state by block number', latest: 'state of the newest block only' }

/** What the URLs were found to take and to offer; `undefined` if that is everything. */
function limitsText(profiles: NonNullable<Info['upstream']>['profiles']): string | undefined {
  const texts = Object.entries(profiles).map(([url, found]) =>
    [
      url,
      found.batchRefusal === null ? undefined : `batches of ${found.batch}`,
      found.refusedBatchBytes === null ? undefined : `batches below ${found.refusedBatchBytes} bytes`,
      stateNamesText[found.stateNames],
      found.stateBlocks === null ? undefined : `state of ${found.stateBlocks} blocks`,
      found.logBlocks === null ? undefined : `logs of ${found.logBlocks} blocks`,
      found.logRows === null ? undefined : `logs up to ${found.logRows}`,
      found.missingMethods.length > 0 ? `no ${found.missingMethods.join(', ')}` : undefined,
      found.limitedAtRate === null
        ? undefined
        : `limited at ${found.limitedAtRate} calls (${found.limitedAtUnits} compute units) a second`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  )
  return texts.length > 0 ? texts.join('; ') : undefined
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
