import { z } from 'zod'
import type { DecodedLog, Divergence } from '../../../shadow/divergences.ts'
import type { ShadowStatus } from '../../../shadow/shadow.ts'
import { shadowFields } from '../../../shared/shadow.ts'
import { DecimalString, HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'
import { DecodedItemObject, encodeDecoded } from '../decodedTransaction.ts'
import { encodeSourceLocation, SourceLocationObject } from './sourceLocation.ts'

const Field = z.enum(shadowFields)
const Count = z.number()

export const ShadowObject = z
  .object({
    enabled: z.boolean(),
    /** Whether it runs: it is enabled, and the mining mode is replay. */
    isActive: z.boolean(),
    from: z.number().nullable(),
    contracts: z.array(HexAddress),
    share: z.number(),
    /** At most so many times as fast as the live chain; null: as fast as can be. */
    speed: z.number().nullable(),
    rules: z.array(z.string()),
    /** Of the blocks that are kept. */
    counts: z.object({ same: Count, diverged: Count, refused: Count, unreproducible: Count }),
  })
  .meta({ title: 'Shadow' })

export const encodeShadow = ({ from, ...status }: ShadowStatus): z.output<typeof ShadowObject> => ({
  ...status,
  from: from === null ? null : Number(from),
})

export const exampleShadow = {
  enabled: true,
  isActive: true,
  from: null,
  contracts: [],
  share: 1,
  speed: null,
  rules: ['ignore gas below 2 %'],
  counts: { same: 812, diverged: 3, refused: 0, unreproducible: 0 },
}

const OutcomeObject = z
  .object({
    status: z.enum(['success', 'failed']),
    /** Null if it did not fail, or has no readable reason. */
    reason: z.string().nullable(),
    gasUsed: DecimalString,
  })
  .meta({ title: 'ShadowOutcome' })

const LogObject = z
  .object({
    address: HexAddress,
    contract: z.string().nullable(),
    event: DecodedItemObject.nullable(),
    topics: z.array(HexWord),
    /** The first 2048 bytes. */
    data: HexBytes,
  })
  .meta({ title: 'ShadowLog' })

export const DivergenceObject = z
  .object({
    block: z.number(),
    /** In the block of the live chain. */
    position: z.number(),
    hash: HexWord,
    /**
     * `diverged`: it ran here, and came out otherwise. `refused`: it cannot be in a block here. `unreproducible`: on the
     * untouched state, it does not come out here as on the live chain either, so it was not run.
     */
    kind: z.enum(['diverged', 'refused', 'unreproducible']),
    /** Whether it comes out as on the live chain without the consequences of earlier divergences. */
    isCascade: z.boolean(),
    /** Those earlier ones, at most five. */
    causedBy: z.array(HexWord),
    from: HexAddress,
    /** Null for a contract creation. */
    to: HexAddress.nullable(),
    contract: z.string().nullable(),
    /** The signature of the function, if it is known. */
    function: z.string().nullable(),
    selector: HexBytes.nullable(),
    fields: z.array(Field),
    /** Those that no rule expects to differ. */
    unexpected: z.array(Field),
    /** Why it did not run here. */
    reason: z.string().nullable(),
    live: OutcomeObject,
    shadow: OutcomeObject.nullable(),
    /** Where it failed here, with `lines` and for imported contracts. */
    line: SourceLocationObject.nullable(),
    /** Logs that differ, at most 50, as are the other lists; null on the side that has none. `changed` names arguments. */
    logs: z.array(z.object({ live: LogObject.nullable(), shadow: LogObject.nullable(), changed: z.array(z.string()) })),
    /** Changes of balances in wei, without what was paid for gas. */
    balances: z.array(z.object({ address: HexAddress, live: z.string().nullable(), shadow: z.string().nullable() })),
    /** Changes of balances of tokens in their smallest units, by the transfers that were logged. */
    tokens: z.array(
      z.object({
        token: HexAddress,
        holder: HexAddress,
        live: z.string().nullable(),
        shadow: z.string().nullable(),
        symbol: z.string().nullable(),
        decimals: z.number().nullable(),
      }),
    ),
    storage: z.array(
      z.object({
        address: HexAddress,
        slot: HexWord,
        live: HexWord.nullable(),
        shadow: HexWord.nullable(),
        /** The paths of the variables in it, if the layout of the contract is known. */
        variables: z.array(z.string()),
      }),
    ),
    /** Whether a list was cut off. */
    truncated: z.boolean(),
  })
  .meta({ title: 'Divergence' })

const encodeOutcome = ({ status, reason, gasUsed }: Divergence['live']) => ({ status, reason, gasUsed })

const encodeLog = (log: DecodedLog | undefined): z.output<typeof LogObject> | null =>
  log
    ? {
        address: log.address,
        contract: log.contract ?? null,
        event: encodeDecoded(log.event),
        topics: log.topics,
        data: log.data,
      }
    : null

export function encodeDivergence(found: Divergence): z.output<typeof DivergenceObject> {
  const { blockNumber, position, hash, isCascade, causedBy, from, truncated, balances, storage } = found
  return {
    block: Number(blockNumber),
    ...{ position, hash, isCascade, from, truncated, balances, storage },
    tokens: found.tokens.map(({ symbol, decimals, ...each }) => ({
      ...each,
      symbol: symbol ?? null,
      decimals: decimals ?? null,
    })),
    kind: found.kind as Exclude<Divergence['kind'], 'same'>,
    causedBy: [...causedBy],
    to: found.to ?? null,
    contract: found.contract ?? null,
    function: found.function ?? null,
    selector: found.selector ?? null,
    fields: found.fields,
    unexpected: found.unexpected,
    reason: found.reason ?? null,
    live: encodeOutcome(found.live),
    shadow: found.shadow ? encodeOutcome(found.shadow) : null,
    line: found.location ? encodeSourceLocation(found.location) : null,
    logs: found.logs.map(({ live, shadow, changed }) => ({
      live: encodeLog(live),
      shadow: encodeLog(shadow),
      changed,
    })),
  }
}

const word = (digit: string) => `0x${digit.repeat(64)}` as const

export const exampleDivergence = {
  block: 21000001,
  position: 4,
  hash: word('8'),
  kind: 'diverged',
  isCascade: false,
  causedBy: [],
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  contract: 'Vault',
  function: 'withdraw(uint256)',
  selector: '0x2e1a7d4d',
  fields: ['status', 'gas'],
  unexpected: ['status', 'gas'],
  reason: null,
  live: { status: 'success', reason: null, gasUsed: '51234' },
  shadow: { status: 'failed', reason: 'Error(fee above limit)', gasUsed: '29876' },
  line: null,
  logs: [],
  balances: [],
  tokens: [],
  storage: [],
  truncated: false,
}
