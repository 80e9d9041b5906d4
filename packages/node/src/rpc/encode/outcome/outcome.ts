import { z } from 'zod'
import { createPace } from '../../../shared/yieldToEventLoop.ts'
import type { CallOutcome, OutcomeBlock, SequenceOutcome } from '../../../simulation/outcome/outcome.ts'
import { DecimalString, HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'
import { AssetTotalObject, changeFields } from './changes.ts'

/** `value` is a string, or arrays and objects of strings: integers in decimal, checksummed addresses, bytes as 0x-hex. */
const Parameter = z
  .object({
    name: z.string(),
    type: z.string(),
    /** The members of a tuple. */
    components: z.array(z.unknown()).nullish(),
    /** Of parameters of events. */
    indexed: z.boolean().nullish(),
    value: z.unknown(),
  })
  .meta({ title: 'OutcomeParameter' })

/** A function, event or error. `args` is null if the data does not match the parameters. */
const Item = z
  .object({ name: z.string(), signature: z.string(), args: z.array(Parameter).nullable() })
  .meta({ title: 'OutcomeItem' })

const AccessList = z.array(z.object({ address: HexAddress, storageKeys: z.array(HexWord) }))

const Message = z
  .object({
    from: HexAddress,
    /** null for a contract creation. */
    to: HexAddress.nullable(),
    value: DecimalString,
    input: HexBytes,
    nonce: DecimalString,
    gas: DecimalString,
    /** Wei per gas that it paid; 0 if it named no price. */
    gasPrice: DecimalString,
    maxFeePerGas: DecimalString.nullable(),
    maxPriorityFeePerGas: DecimalString.nullable(),
    accessList: AccessList,
    /** The number of the transaction type that its fields make. */
    type: z.number(),
  })
  .meta({ title: 'OutcomeMessage' })

const Failure = z
  .object({
    /** `execution reverted`, or why it halted. */
    message: z.string(),
    reason: z.string().nullable(),
    decoded: Item.nullable(),
    data: HexBytes,
    /** The contract in which it failed first. */
    address: HexAddress,
    /** Innermost first, at most 50. */
    stack: z.array(
      z.object({
        address: HexAddress,
        contract: z.string().nullable(),
        file: z.string().nullable(),
        line: z.number().nullable(),
        function: z.string().nullable(),
        /** Why it failed; only of the innermost. */
        message: z.string().nullable(),
      }),
    ),
  })
  .meta({ title: 'OutcomeError' })

const Log = z
  .object({
    address: HexAddress,
    topics: z.array(HexWord),
    data: HexBytes,
    contract: z.string().nullable(),
    event: Item.nullable(),
    /** The frame that emitted it, an index into `frames`. */
    frame: z.number(),
  })
  .meta({ title: 'OutcomeLog' })

const Frame = z
  .object({
    type: z.string(),
    from: HexAddress,
    to: HexAddress,
    value: DecimalString,
    gas: DecimalString,
    gasUsed: DecimalString,
    input: HexBytes,
    output: HexBytes,
    error: z.string().nullable(),
    reason: z.string().nullable(),
    revert: Item.nullable(),
    /** `reverted`: it succeeded, but an outer call reverted it. */
    status: z.enum(['succeeded', 'failed', 'reverted']),
    traceAddress: z.array(z.number()),
    subtraces: z.number(),
    contract: z.string().nullable(),
    function: Item.nullable(),
    returned: z.array(Parameter).nullable(),
  })
  .meta({ title: 'OutcomeFrame' })

const Fee = z
  .object({
    gasPrice: DecimalString,
    baseFee: DecimalString,
    gas: DecimalString,
    blobs: DecimalString,
    /** null on chains without a layer below. */
    l1: DecimalString.nullable(),
    total: DecimalString,
    isCharged: z.boolean(),
  })
  .meta({ title: 'OutcomeFee' })

const Contract = z
  .object({
    address: HexAddress,
    name: z.string().nullable(),
    /** Where the name and the ABI are from: `import`, `manual`, `chain`, or the name of the explorer. */
    source: z.string().nullable(),
    isAbiKnown: z.boolean(),
    /** Only where `abis` asked for it; empty if it is not known. */
    abi: z.array(z.unknown()).optional(),
    /** What a proxy runs. */
    implementations: z.array(HexAddress),
    isCreated: z.boolean(),
    /** Set if it moved as a token, or was approved. */
    token: z
      .object({
        kind: z.enum(['erc20', 'erc721', 'erc1155']),
        name: z.string().nullable(),
        symbol: z.string().nullable(),
        decimals: z.number().nullable(),
        /** What is wrong with it, in words. */
        problems: z.array(z.string()),
      })
      .nullable(),
  })
  .meta({ title: 'OutcomeContract' })

/** What a call did. */
const CallOutcomeObject = z
  .object({
    message: Message,
    status: z.enum(['succeeded', 'failed']),
    gasUsed: DecimalString,
    gasRefund: DecimalString,
    /** The lowest gas limit with which it succeeds; only where `gasLimits` asked for it. */
    sufficientGas: DecimalString.nullable(),
    output: HexBytes,
    createdAddress: HexAddress.nullable(),
    error: Failure.nullable(),
    function: Item.nullable(),
    returned: z.array(Parameter).nullable(),
    logs: z.array(Log),
    /** Each call and creation, in the order in which they began, the call itself first. */
    frames: z.array(Frame),
    ...changeFields,
    /** By address, in the order of their first move. Fees are not part of it. */
    balanceChanges: z.array(
      z.object({
        address: HexAddress,
        /** Indexes into `assetChanges`. */
        transfers: z.array(z.number()),
        assets: z.array(AssetTotalObject),
      }),
    ),
    accessList: AccessList,
    fee: Fee,
    contracts: z.array(Contract),
    /** What is left out because it exceeds a limit, in words. */
    truncated: z.array(z.string()),
  })
  .meta({ title: 'CallOutcome' })

const Block = z
  .object({
    number: z.number(),
    hash: HexWord,
    /** Seconds since 1970. */
    timestamp: z.number(),
    coinbase: HexAddress,
    gasLimit: DecimalString,
    baseFee: DecimalString,
    prevRandao: DecimalString,
    blobBaseFee: DecimalString,
    chainId: z.number(),
    fork: z.string(),
  })
  .meta({ title: 'OutcomeBlock' })

/** What calls did, one after the other. */
export const OutcomeObject = z
  .object({
    block: Block,
    /** Of the calls that ran: fewer than there were calls if one failed and `onFailure` ended the sequence. */
    results: z.array(CallOutcomeObject),
    /** The index of the first call that failed. */
    failed: z.number().nullable(),
    /** Whether the calls before it were undone: `onFailure` was `revert`. */
    isUndone: z.boolean(),
  })
  .meta({ title: 'SimulationOutcome' })

export type EncodedOutcome = z.output<typeof OutcomeObject>

/** How long converting may block other requests, in milliseconds. */
const sliceMs = 10

/** `abis`: with those of contracts, which are longer than all the rest. */
export async function encodeOutcome(
  { block, results, failed, isUndone }: SequenceOutcome,
  { abis = false } = {},
): Promise<EncodedOutcome> {
  const pace = createPace(sliceMs)
  const calls: EncodedOutcome['results'] = []
  for (const result of results) calls.push(await encodeCall(result, abis, pace))
  return { block: encodeBlock(block), results: calls, failed: failed ?? null, isUndone }
}

function encodeBlock({ number, timestamp, chainId, ...block }: OutcomeBlock): EncodedOutcome['block'] {
  return { ...wireOf(block), number: Number(number), timestamp: Number(timestamp), chainId: Number(chainId) }
}

async function encodeCall(
  { contracts, frames, logs, assetChanges, balanceChanges, ...call }: CallOutcome,
  abis: boolean,
  pace: () => Promise<void>,
): Promise<EncodedOutcome['results'][number]> {
  const known = contracts.map(({ abi, ...contract }) => ({ ...contract, isAbiKnown: abi !== undefined }))
  const encoded = {
    ...wireOf({ ...call, contracts: known }),
    frames: await wiresOf(frames, pace),
    logs: await wiresOf(logs, pace),
    assetChanges: await wiresOf(assetChanges, pace),
    balanceChanges: await wiresOf(balanceChanges, pace),
  }
  if (!abis) return encoded
  // They are JSON as they are.
  const withAbis = encoded.contracts.map((contract, index) => ({
    ...contract,
    abi: [...(contracts[index]?.abi ?? [])],
  }))
  return { ...encoded, contracts: withAbis }
}

/** The items of a list that may be long. */
async function wiresOf<Item>(items: readonly Item[], pace: () => Promise<void>): Promise<Wire<Item>[]> {
  const wires: Wire<Item>[] = []
  for (const [index, item] of items.entries()) {
    if (index % 50 === 49) await pace()
    wires.push(wireOf(item))
  }
  return wires
}

/** A value of plain data as JSON: bigints are decimal texts, and what is not known is null. */
type Wire<Value> = Value extends bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends readonly (infer Item)[]
      ? Wire<Item>[]
      : Value extends object
        ? { [Name in keyof Value]: Wire<Value[Name]> }
        : Value

function wireOf<Value>(value: Value): Wire<Value> {
  return converted(value) as Wire<Value>
}

function converted(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(converted)
  const result: Record<string, unknown> = {}
  for (const name in value) result[name] = converted(value[name as never])
  return result
}
