import { readableText } from '../../shared/readableText.ts'
import type { UpstreamReport } from '../../upstream/providers/checkUpstream.ts'
import { chainText } from '../../upstream/providers/rank.ts'
import type { EndpointReport } from '../../upstream/providers/report.ts'
import { refusalText } from '../../upstream/providers/unusable.ts'
import { formatFields } from '../remote/format.ts'

/** The width of a terminal. */
const width = 80
/** The widest name of a field, with the space after it. */
const indent = 14

type Endpoint = UpstreamReport['endpoints'][number]

/** The report for a terminal of 80 columns. */
export function reportText({ endpoints, order }: UpstreamReport): string {
  const isAlone = endpoints.length === 1
  const name = (position: number) => `${isAlone ? '' : `${position + 1}  `}${endpoints[position]?.url}`
  const parts = endpoints.map((endpoint, position) => endpointText(endpoint, name(position)))
  if (order.length > 1) {
    const lines = order.map(({ position, reason }, index) =>
      wrap(`${index + 1}. ${endpoints[position]?.url} (number ${position + 1}): ${reason}`, width - 3).join('\n   '),
    )
    parts.push(`Pass them in this order:\n${lines.join('\n')}`)
  }
  return parts.join('\n\n')
}

function endpointText(endpoint: Endpoint, name: string): string {
  const fields = formatFields(
    Object.fromEntries(
      Object.entries(fieldsOf(endpoint)).flatMap(([field, text]) =>
        text === undefined ? [] : [[field, wrap(readableText(text), width - indent)]],
      ),
    ),
  )
  const { consequences, isUsable, problem } = endpoint
  const told = isUsable ? consequences : [problem ?? '']
  const heading = isUsable ? 'What this means for a network:' : 'It cannot be used:'
  const items = told.map((text) => `- ${wrap(readableText(text), width - 2).join('\n  ')}`)
  const end = items.length > 0 ? `${heading}\n${items.join('\n')}` : 'Nothing will be slow or missing.'
  return [readableText(name), ...(fields === '' ? [] : [fields, '']), end].join('\n')
}

function fieldsOf(report: Endpoint): Record<string, string | undefined> {
  const { chainId, methods, head, latencyMs, blockHashes, announcesHeads, requests } = report
  if (chainId === null) return {}
  const known = {
    chain: chainText(chainId),
    client: methods === null ? undefined : methods.clientVersion || 'does not say',
    head: head ? `block ${head.number}, ${durationText(head.ageSeconds)} old` : undefined,
    latency: latencyMs === null ? undefined : `${latencyMs} ms`,
  }
  if (head === null || report.state === null) return known
  return {
    ...known,
    batches: batchesText(report),
    'block hashes': blockHashes ? orRefused('taken', blockHashes.areTaken, blockHashes.refusal) : unknown,
    state: stateText(report),
    logs: logsText(report),
    methods: methodsText(report),
    rate: rateText(report),
    'new heads': announcesHeads === null ? unknown : announcesHeads ? 'announced' : 'not announced',
    checked: `with ${requests} requests`,
  }
}

const unknown = 'not found out'

function orRefused(taken: string, areTaken: boolean, refusal: Parameters<typeof refusalText>[0] | null): string {
  if (areTaken) return taken
  return refusal ? `refused: ${refusalText(refusal)}` : 'refused'
}

function batchesText({ batches }: EndpointReport): string {
  if (!batches) return unknown
  const refused = batches.refusal ? `; ${batches.refused} refused: ${refusalText(batches.refusal)}` : ''
  return `${batches.largest === 1 ? 'not taken' : `up to ${batches.largest} requests`}${refused}`
}

function stateText({ state }: EndpointReport): string {
  if (!state) return unknown
  if (state.isFaked) return 'of the newest block, for whatever block is asked'
  if (state.refused === null) return 'of every block'
  const refused = state.refusal ? `: ${refusalText(state.refusal)}` : ''
  if (!state.isByNumber) return `of the newest block only, as latest; refused by number${refused}`
  return `kept for ${countText(state.deepest + 1, 'block')} or more; ${state.refused} blocks back refused${refused}`
}

function logsText({ logs }: EndpointReport): string {
  if (!logs) return unknown
  const refused = logs.refusal ? `; ${countText(logs.refused ?? 0, 'block')} refused: ${refusalText(logs.refusal)}` : ''
  return `${logs.blocks === 0 ? 'none' : `${countText(logs.blocks, 'block')} in a query`}${refused}`
}

const methodNames: Record<Exclude<keyof NonNullable<EndpointReport['methods']>, 'clientVersion'>, string> = {
  blockReceipts: 'eth_getBlockReceipts',
  proof: 'eth_getProof',
  createAccessList: 'eth_createAccessList',
  blockAccessList: 'eth_getBlockAccessList',
  prestateTracer: 'debug_traceCall',
  traceBlock: 'debug_traceBlockByNumber',
  traceBlockByHash: 'debug_traceBlockByHash',
  replayBlock: 'trace_replayBlockTransactions',
}

function methodsText({ methods }: EndpointReport): string {
  if (!methods) return unknown
  const names = Object.entries(methodNames) as [keyof typeof methodNames, string][]
  const having = (isThere: boolean) => names.filter(([key]) => methods[key] === isThere).map(([, name]) => name)
  const missing = having(false)
  return `${having(true).join(', ') || 'none'}${missing.length > 0 ? `; without ${missing.join(', ')}` : ''}`
}

function rateText({ rate }: EndpointReport): string {
  if (!rate) return unknown
  const seconds = Math.max(rate.ms, 1) / 1000
  const told = `${rate.answered} of ${rate.requests} requests answered in ${seconds.toFixed(2)} s`
  if (!rate.refusal) return told
  const { retryAfterMs } = rate.refusal
  const pause = retryAfterMs === null ? '' : `, Retry-After ${Math.ceil(retryAfterMs / 1000)} s`
  return `${told}; refused: ${refusalText(rate.refusal)}${pause}`
}

const countText = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** The lines of a text; words that are too long are broken. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((each) => partsOf(each, columns))) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function partsOf(word: string, columns: number): string[] {
  const parts: string[] = []
  for (let at = 0; at < word.length; at += columns) parts.push(word.slice(at, at + columns))
  return parts
}
