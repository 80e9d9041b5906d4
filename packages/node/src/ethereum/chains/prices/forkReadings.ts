import { type Fork, keccak256Hex } from '@understudy/evm'
import { measuredAuthorizations } from './authorizations.ts'
import { measuredTransactions } from './measures.ts'
import type { Readings } from './readings.ts'

/** Hashes of what the measures take by the prices of each fork: of calls, of transactions, and of those with authorizations (upstream/rules/ownReadings.test.ts). */
type Hashes = readonly [calls: string, transactions: string, authorizations: string]

const hashes: Record<Fork, Hashes> = {
  berlin: ['c363bc9f1b06f08a', '57a663842bbdd7c9', '4c40b5ab6e5f7c7b'],
  london: ['c363bc9f1b06f08a', '5d5a2ea67e087b5f', '4c40b5ab6e5f7c7b'],
  paris: ['c363bc9f1b06f08a', '5d5a2ea67e087b5f', '4c40b5ab6e5f7c7b'],
  shanghai: ['61d887d242284eb9', '5d5a2ea67e087b5f', '4c40b5ab6e5f7c7b'],
  cancun: ['41d84b9f8108ff4c', '5d5a2ea67e087b5f', '4c40b5ab6e5f7c7b'],
  prague: ['328222c0790a2fd9', 'ccae73413820a1ae', '34539f6f31eb1784'],
  osaka: ['c982801c3616a640', 'ccae73413820a1ae', '34539f6f31eb1784'],
  amsterdam: ['a95e9038f0b504f6', '069ba1fde98feb9e', '6852f6c4112e9be2'],
}

/** Readings of calls, of transactions, and of those with authorizations. */
function partsOf(readings: Readings): readonly [Readings, Readings, Readings] {
  const authorized = readings.length - measuredAuthorizations.length
  const sent = authorized - measuredTransactions.length
  return [readings.slice(0, sent), readings.slice(sent, authorized), readings.slice(authorized)]
}

const hashOf = (part: Readings) =>
  keccak256Hex(Buffer.from(JSON.stringify(part.map((reading) => reading ?? null)))).slice(2, 18)

export function hashReadings(readings: Readings): Hashes {
  const [calls, transactions, authorizations] = partsOf(readings)
  return [hashOf(calls), hashOf(transactions), hashOf(authorizations)]
}

/** Whether a chain takes what the fork takes: most do, and then nothing has to run here. */
export function areForkReadings(readings: Readings, fork: Fork): boolean {
  return partsOf(readings).every((part, index) => {
    const isOpen = index > 0 && part.every((reading) => reading === undefined)
    return isOpen || hashOf(part) === hashes[fork][index]
  })
}
