import type { Result } from './actions.ts'

/** A forecast of a range of blocks: that of `dev_forecast`, or several of them together. */
export type Forecast = Result<'dev_forecast'>
export type ForecastFunction = Forecast['functions'][number]
export type ForecastFinding = ForecastFunction['findings'][number]

/** A part of a range, as `dev_forecast` takes it. */
export type ForecastPart = { fromBlock: number; toBlock: number; blocks: number }

/** Loads the number and the time (in seconds) of a block; of the newest one, without a number. */
export type LoadBlock = (number?: bigint) => Promise<{ number: bigint; timestamp: bigint }>

/** The blocks of so many seconds before the newest one: the first is found by the times of others. */
export async function newestBlocks(seconds: number, loadBlock: LoadBlock): Promise<{ from: bigint; to: bigint }> {
  const newest = await loadBlock()
  const since = newest.timestamp - BigInt(seconds)
  let [low, high] = [1n, newest.number]
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await loadBlock(middle)
    if (timestamp > since) high = middle
    else low = middle + 1n
  }
  return { from: low, to: newest.number }
}

/** So many blocks are run by one request, so that it stays within its limits, and its progress can be shown. */
const partBlocks = 8
/** The most entries of a forecast. */
const entryLimit = 1000

/** Divides a range of which at most `sample` blocks are run, the newest part first. */
export function forecastParts(range: { from: number; to: number }, sample: number): ForecastPart[] {
  const size = range.to - range.from + 1
  const count = Math.min(sample, size)
  const parts = Math.ceil(count / partBlocks)
  return Array.from({ length: parts }, (_, index) => {
    const [first, last] = [
      range.from + Math.floor((index * size) / parts),
      range.from + Math.floor(((index + 1) * size) / parts) - 1,
    ]
    const blocks = Math.floor(((index + 1) * count) / parts) - Math.floor((index * count) / parts)
    return { fromBlock: first, toBlock: last, blocks }
  }).reverse()
}

/** Adds the forecast of another part. */
export function mergeForecasts(whole: Forecast | undefined, part: Forecast): Forecast {
  if (!whole) return part
  const functions = new Map(whole.functions.map((each) => [keyOf(each), each]))
  for (const each of part.functions) {
    const known = functions.get(keyOf(each))
    functions.set(keyOf(each), known ? mergeFunctions(known, each) : each)
  }
  return {
    ...sums(whole, part),
    hardfork: whole.hardfork,
    fromBlock: Math.min(whole.fromBlock, part.fromBlock),
    toBlock: Math.max(whole.toBlock, part.toBlock),
    blocks: whole.blocks + part.blocks,
    transferLogs: whole.transferLogs + part.transferLogs,
    refused: whole.refused + part.refused,
    passed: mergePassed([...whole.passed, ...part.passed]),
    stopped: whole.stopped ?? part.stopped,
    functions: [...functions.values()].sort(byEffects),
    entries: [...whole.entries, ...part.entries].slice(0, entryLimit),
  }
}

const keyOf = ({ address, function: name }: ForecastFunction) => `${address} ${name}`

type Counts = Pick<Forecast, 'transactions' | 'fails' | 'needsGas' | 'costsMore' | 'logsDiffer'>

const sums = (a: Counts, b: Counts): Counts => ({
  transactions: a.transactions + b.transactions,
  fails: a.fails + b.fails,
  needsGas: a.needsGas + b.needsGas,
  costsMore: a.costsMore + b.costsMore,
  logsDiffer: a.logsDiffer + b.logsDiffer,
})

function mergeFunctions(a: ForecastFunction, b: ForecastFunction): ForecastFunction {
  const add = (x: string, y: string) => (BigInt(x) + BigInt(y)).toString()
  const findings = a.findings.map((finding) => ({ ...finding }))
  for (const finding of b.findings) {
    const same = findings.find((each) => findingKey(each) === findingKey(finding))
    if (same) same.transactions += finding.transactions
    else findings.push(finding)
  }
  return {
    ...a,
    ...sums(a, b),
    contract: a.contract ?? b.contract,
    gasUsed: add(a.gasUsed, b.gasUsed),
    forecastGasUsed: add(a.forecastGasUsed, b.forecastGasUsed),
    findings,
  }
}

const findingKey = ({ effect, cause, gas, location }: ForecastFinding) =>
  JSON.stringify([
    effect,
    cause,
    cause === 'price' ? null : gas,
    location.address,
    location.file,
    location.line,
    location.function,
  ])

function mergePassed(all: Forecast['passed']): Forecast['passed'] {
  const counts = new Map<string, number>()
  for (const { type, transactions } of all) counts.set(type, (counts.get(type) ?? 0) + transactions)
  return [...counts].map(([type, transactions]) => ({ type, transactions }))
}

function byEffects(a: Counts, b: Counts): number {
  for (const effect of ['fails', 'needsGas', 'costsMore', 'logsDiffer', 'transactions'] as const)
    if (a[effect] !== b[effect]) return b[effect] - a[effect]
  return 0
}

/** What becomes of a function or a contract: the worst that becomes of its transactions. */
export type Verdict = 'breaks' | 'needs a higher gas limit' | 'costs more' | 'logs differ' | 'fine'

export function verdictOf({ fails, needsGas, costsMore, logsDiffer }: Omit<Counts, 'transactions'>): Verdict {
  if (fails > 0) return 'breaks'
  if (needsGas > 0) return 'needs a higher gas limit'
  if (costsMore > 0) return 'costs more'
  return logsDiffer > 0 ? 'logs differ' : 'fine'
}

/** Why it has its effect, as the end of a sentence that begins with a line of code. */
export function causeText({ cause, gas, reason }: Pick<ForecastFinding, 'cause' | 'gas' | 'reason'>): string {
  switch (cause) {
    case 'stipend':
      return `gives no more than the 2300 gas of a transfer (${gas} with what the protocol adds), which is too little`
    case 'fixed gas':
      return `gives a fixed amount of gas, ${gas}, which is too little`
    case '63/64':
      return 'gives all that a call may have, 63/64 of the gas that is left, which is too little by this gas limit'
    case 'gas limit':
      return `runs out of gas by this gas limit${reason && reason !== 'out of gas' ? ` (${reason})` : ''}`
    case 'price':
      return `costs ${gas} gas more`
    default:
      return reason ?? 'fails'
  }
}

/** `src/Treasury.sol:31 in Treasury.pay`, as much as is known. */
export function locationText({ file, line, function: name, contract, address }: ForecastFinding['location']): string {
  const where = name ?? contract ?? address
  return file === null || line === null ? `${contract ?? address}: ${where}` : `${file}:${line} in ${where}`
}

/**
 * What the Ethereum Foundation's study of the repricing found by running 929.7 million transactions of the live chain: the
 * shares of those that may break, and of those that need a higher gas limit, in percent.
 */
export const repricingStudy = {
  transactions: '929.7 million',
  proposals: [
    { name: 'EIP-8037', mayBreak: 0.29, needsGas: 18.8 },
    { name: 'EIP-8038', mayBreak: 0.33, needsGas: 9.1 },
  ],
} as const

/** A share of transactions in percent. */
export function percentOf(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`
}

/** What a list of contracts has that no transaction of the forecast calls. */
export function contractsNotCalled({ functions }: Forecast, addresses: readonly string[]): string[] {
  const called = new Set(functions.map(({ address }) => address.toLowerCase()))
  return addresses.filter((address) => !called.has(address.toLowerCase()))
}

/** A report in Markdown. `addresses`: the contracts that were asked about. */
export function forecastAsMarkdown(forecast: Forecast, addresses: readonly string[] = []): string {
  const { hardfork, transactions, fails, needsGas, costsMore, logsDiffer, fromBlock, toBlock, blocks } = forecast
  const row = (...cells: (string | number)[]) => `| ${cells.map((cell) => escapeText(String(cell))).join(' | ')} |`
  const table = (head: string[], rows: string[]) => [row(...head), row(...head.map(() => '---')), ...rows, '']
  const [first, second] = repricingStudy.proposals
  const shares = [
    row('may break', fails, percentOf(fails, transactions), `${first.mayBreak} %`, `${second.mayBreak} %`),
    row(
      'need a higher gas limit',
      needsGas,
      percentOf(needsGas, transactions),
      `${first.needsGas} %`,
      `${second.needsGas} %`,
    ),
    row('cost more', costsMore, percentOf(costsMore, transactions), '', ''),
    row('have other logs', logsDiffer, percentOf(logsDiffer, transactions), '', ''),
  ]
  const functions = forecast.functions.map((each) =>
    row(
      each.contract ?? each.address,
      each.function,
      verdictOf(each),
      each.transactions,
      each.fails,
      each.needsGas,
      each.costsMore,
      each.logsDiffer,
      `${each.gasUsed} → ${each.forecastGasUsed}`,
    ),
  )
  const findings = forecast.functions.flatMap(({ contract, address, function: name, findings: found }) =>
    found.map(
      (finding) =>
        `- **${escapeText(contract ?? address)}** ${escapeText(name)}: ${escapeText(locationText(finding.location))} ${escapeText(causeText(finding))} (${finding.transactions} transactions, such as ${finding.transaction})`,
    ),
  )
  const unseen = contractsNotCalled(forecast, addresses)
  return [
    `# Forecast of ${escapeText(hardfork)}`,
    '',
    `${transactions} transactions in ${blocks} of the blocks ${fromBlock} to ${toBlock}.`,
    ...notesOf(forecast).flatMap((note) => ['', escapeText(note)]),
    '',
    ...table(['transactions that', 'here', 'share', `study: ${first.name}`, `study: ${second.name}`], shares),
    `The study is the Ethereum Foundation's, of ${repricingStudy.transactions} transactions, for each proposal alone; here, both apply together.`,
    '',
    ...(functions.length === 0
      ? []
      : [
          '## Functions',
          '',
          ...table(
            ['contract', 'function', 'verdict', 'transactions', 'fail', 'need gas', 'cost more', 'other logs', 'gas'],
            functions,
          ),
        ]),
    ...(findings.length === 0 ? [] : ['## Causes', '', ...findings, '']),
    ...(unseen.length === 0
      ? []
      : [
          '## Not called',
          '',
          'No transaction of these blocks calls them, so nothing is known of:',
          '',
          ...unseen.map((each) => `- ${escapeText(each)}`),
          '',
        ]),
  ].join('\n')
}

/** What a reader must know of a forecast besides its numbers. */
export function notesOf({ transferLogs, passed, refused, stopped }: Forecast): string[] {
  const other = passed.map(({ type, transactions }) => `${transactions} of type ${type}`).join(', ')
  return [
    ...(transferLogs > 0 ? [`${transferLogs} have additional logs of ether transfers.`] : []),
    ...(other === '' ? [] : [`Not run, because their types cannot run here: ${other}.`]),
    ...(refused > 0 ? [`Not run, because they are not valid here as on the chain: ${refused}.`] : []),
    ...(stopped === null ? [] : [`Some blocks were not run: ${stopped}`]),
  ]
}

const textLimit = 500

/** Names and paths come from others: they may not end a cell, a line or a paragraph, be read as HTML, or change the direction of text. */
const escapeText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .replace(/[\\`*_[\]<>&|#]/g, (character) => `\\${character}`)
    .slice(0, textLimit)
