import type { Address, Word } from '@understudy/evm'
import { bytesFromHex, wordFromBigint } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import type { Queries } from '../../storage/database.ts'
import { loadMappingsOf } from '../../storage/records/activity/mappingKeys.ts'
import { loadLogs } from '../../storage/records/chain/logs.ts'
import { loadWrittenSlots } from '../../storage/records/state/localState.ts'

/** Uniswap's Permit2, at the same address on every chain. */
export const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** The local slots of Permit2 that hold an allowance for one of these spenders. */
export async function loadLocalAllowances(
  queries: Queries,
  spenders: readonly Address[],
  head: bigint,
  /** The slots that calls have shown, for spenders as words. */
  slotsOfCalls: (spenders: readonly Word[]) => readonly Word[],
): Promise<Set<Word>> {
  if (spenders.length === 0) return new Set()
  const wanted = spenders.map((spender) => wordFromBigint(BigInt(spender)))
  const known = new Set([
    ...(await loadSlotsOfEvents(queries, wanted, head)),
    ...(await loadSlotsOfExecutions(queries, wanted)),
    ...slotsOfCalls(wanted),
  ])
  const written = known.size === 0 ? [] : await loadWrittenSlots(queries, permit2)
  return new Set(written.map(({ slot }) => slot).filter((slot) => known.has(slot)))
}

/** The slot of Permit2's mapping `allowance[owner][token][spender]`. */
const allowanceSlot = 1n
/** Number of logs that are scanned at a time. */
const pageSize = 10_000

/** From events: each Permit2 event about an allowance has owner, token and spender. Spenders are words. */
async function loadSlotsOfEvents(queries: Queries, wanted: readonly Word[], head: bigint): Promise<Set<Word>> {
  const slots = new Set<Word>()
  const topics = [undefined, undefined, undefined, wanted]
  for (let from = 0n; from <= head; ) {
    const logs = await loadLogs(queries, { from, to: head, addresses: [permit2], topics, limit: pageSize })
    for (const { topics: words } of logs) {
      const [, owner, token, spender] = words
      if (owner && token && spender) slots.add(allowanceKey(owner, token, spender))
    }
    const last = logs.at(-1)
    if (logs.length < pageSize || !last) break
    // The logs of one block never fill a page; those of the last block are read twice.
    from = last.blockNumber
  }
  return slots
}

/**
 * From the mapping keys that transactions used, or calls that read a local allowance: spending an allowance from the live
 * chain changes it here without a Permit2 event, as a direct write does.
 */
async function loadSlotsOfExecutions(queries: Queries, wanted: readonly Word[]): Promise<Set<Word>> {
  const allowances = wordFromBigint(allowanceSlot)
  const nested = async (mappings: ReadonlySet<Word>, keys?: readonly Word[]) => {
    const slots = new Set<Word>()
    for (const { base, key } of await loadMappingsOf(queries, permit2, keys))
      if (mappings.has(base)) slots.add(mappingKey(key, base))
    return slots
  }
  const ofOwners = await nested(new Set([allowances]))
  return nested(await nested(ofOwners), wanted)
}

/** The slot of one allowance; the arguments are addresses as words. */
export function allowanceKey(owner: Word, token: Word, spender: Word): Word {
  const [, , last] = allowanceKeys(owner, token, spender)
  return mappingKey(last.key, last.base)
}

/** The keys of one allowance and the slots of their mappings, from the outer one to the inner. */
export function allowanceKeys(owner: Word, token: Word, spender: Word) {
  const base = wordFromBigint(allowanceSlot)
  const ofOwner = mappingKey(owner, base)
  return [
    { base, key: owner },
    { base: ofOwner, key: token },
    { base: mappingKey(token, ofOwner), key: spender },
  ] as const
}

function mappingKey(key: Word, slot: Word): Word {
  return keccak(bytesFromHex(`${key}${slot.slice(2)}`))
}
