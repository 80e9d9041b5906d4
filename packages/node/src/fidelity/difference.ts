import type { Done, Rejected } from '@understudy/evm'
import { hexFromBytes } from '../shared/hex.ts'

type Raw = Record<string, unknown>

/** Where a run differs first from the receipt of the live chain. */
export type RunDifference = {
  field: 'validity' | 'status' | 'gasUsed' | 'logs'
  /** What came about here, and there. */
  here: string
  upstream: string
}

/** `undefined` if a run is what the receipt says. */
export function differenceOf(result: Done | Rejected, receipt: Raw): RunDifference | undefined {
  if (result.type === 'rejected') {
    const details = Object.entries(result.details).map(([name, value]) => `, ${name} ${value}`)
    return { field: 'validity', here: `refused: ${result.reason}${details.join('')}`, upstream: 'in a block' }
  }
  const isGood = receipt.status === '0x1'
  if ((result.status === 'success') !== isGood)
    return {
      field: 'status',
      here: result.halt ? `failed: ${result.halt}` : result.status,
      upstream: isGood ? 'success' : 'failed',
    }
  const gasUsed = BigInt(String(receipt.gasUsed))
  if (result.gasUsed !== gasUsed) return { field: 'gasUsed', here: String(result.gasUsed), upstream: String(gasUsed) }
  return logsDifference(result, Array.isArray(receipt.logs) ? receipt.logs : [])
}

function logsDifference({ logs }: Done, theirs: readonly Raw[]): RunDifference | undefined {
  if (logs.length !== theirs.length)
    return { field: 'logs', here: `${logs.length} logs`, upstream: `${theirs.length} logs` }
  for (const [index, log] of logs.entries()) {
    const here = logText({ ...log, data: hexFromBytes(log.data) })
    const upstream = logText(theirs[index] as Raw)
    if (here !== upstream) return { field: 'logs', here: shortened(here), upstream: shortened(upstream) }
  }
  return undefined
}

const logText = ({ address, topics, data }: Raw) => `${[address, topics, data].join(' ')}`.toLowerCase()

const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
