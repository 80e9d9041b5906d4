import { type Fork, keccak256Hex } from '@understudy/evm'
import { measuredTransactions } from './measures.ts'
import type { Readings } from './readings.ts'

/** Hashes of what the measures take by the prices of each fork: of calls, and of transactions (upstream/rules/ownReadings.test.ts). */
const hashes: Record<Fork, readonly [calls: string, transactions: string]> = {
  berlin: ['c363bc9f1b06f08a', '57a663842bbdd7c9'],
  london: ['c363bc9f1b06f08a', '5d5a2ea67e087b5f'],
  paris: ['c363bc9f1b06f08a', '5d5a2ea67e087b5f'],
  shanghai: ['61d887d242284eb9', '5d5a2ea67e087b5f'],
  cancun: ['41d84b9f8108ff4c', '5d5a2ea67e087b5f'],
  prague: ['328222c0790a2fd9', 'ccae73413820a1ae'],
  osaka: ['c982801c3616a640', 'ccae73413820a1ae'],
  amsterdam: ['df433d7bd9e3525f', '069ba1fde98feb9e'],
}

/** Hashes of readings of calls and of transactions. */
export function hashReadings(readings: Readings): [calls: string, transactions: string] {
  const hash = (part: Readings) =>
    keccak256Hex(Buffer.from(JSON.stringify(part.map((reading) => reading ?? null)))).slice(2, 18)
  return [hash(readings.slice(0, -measuredTransactions.length)), hash(readings.slice(-measuredTransactions.length))]
}

/** Whether a chain takes what the fork takes: most do, and then nothing has to run here. */
export function areForkReadings(readings: Readings, fork: Fork): boolean {
  const [calls, transactions] = hashReadings(readings)
  const areOpen = readings.slice(-measuredTransactions.length).every((reading) => reading === undefined)
  return calls === hashes[fork][0] && (areOpen || transactions === hashes[fork][1])
}
