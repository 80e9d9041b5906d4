import type { Address, Hex } from '@understudy/evm'
import { quantity, wordFromBigint } from '../../../shared/hex.ts'
import { authorities, measuredAuthorizations } from './authorizations.ts'
import { collectedWords, measuredAccounts, measuredData, measuredInitcode, measuredTransactions } from './measures.ts'
import {
  collector,
  type MeasuredAccount,
  type MeasuredAuthorization,
  type MeasuredTransaction,
  reporter,
  sender,
  spender,
} from './shown.ts'

/** The gas that each measure took, in the order of `measured`; `undefined` where it is not known. */
export type Readings = readonly (number | undefined)[]

/** A call with the limit of its gas: what it begins with shows what it paid before. Without `to`, it creates a contract. */
export type MeasuredCall = { to?: Address; data: Hex; gas: number }

export const collectingCall: MeasuredCall = { to: collector, data: '0x', gas: 15_900_000 }
export const dataCall: MeasuredCall = { to: reporter, data: measuredData, gas: 200_000 }
export const creatingCall: MeasuredCall = { data: measuredInitcode, gas: 1_000_000 }
export const transactionGas = 400_000

/** What a transaction pays before it begins is less. */
const mostBefore = 400_000

/** What was answered, as far as it was. */
export type MeasuredAnswers = {
  collected: Hex | undefined
  data: Hex | undefined
  created: Hex | undefined
  /** The gas of each of the transactions. */
  used: readonly (bigint | undefined)[] | undefined
  /** And of those with authorizations. */
  authorized: readonly (bigint | undefined)[] | undefined
}

/** Whether the chain took the code of the measures. */
export const isShown = (readings: Readings): boolean =>
  readings.slice(1, collectedWords).some((reading) => reading !== undefined)

export function readingsOf({ collected, data, created, used, authorized }: MeasuredAnswers): Readings {
  const [start, ...words] = wordsOf(collected, collectedWords)
  const [dataStart] = wordsOf(data, 1)
  const [createStart] = wordsOf(created, 1)
  return [
    gasBefore(collectingCall, start),
    ...words.map((word) => (word === 0 ? undefined : word)),
    gasBefore(dataCall, dataStart),
    gasBefore(creatingCall, createStart),
    ...measuredTransactions.map((_, index) => numberOf(used?.[index])),
    ...measuredAuthorizations.map((_, index) =>
      takesAuthorizations(authorized) ? numberOf(authorized?.[index]) : undefined,
    ),
  ]
}

const numberOf = (gas: bigint | undefined) => (gas === undefined ? undefined : Number(gas))

/** Whether an authorization costs anything: some nodes leave them out, and those of earlier forks do. */
const takesAuthorizations = ([without, ...others]: MeasuredAnswers['used'] & object = []): boolean =>
  others.some((gas) => gas !== undefined && gas !== without)

function wordsOf(answer: Hex | undefined, count: number): (number | undefined)[] {
  const digits = answer?.length === 2 + count * 64 && /^0x[\da-f]*$/i.test(answer) ? answer.slice(2) : undefined
  return Array.from({ length: count }, (_, index) => {
    if (digits === undefined) return undefined
    const word = Number(`0x${digits.slice(index * 64, (index + 1) * 64)}`)
    // A difference below zero is no price.
    return word > 1e9 ? undefined : word
  })
}

/** `undefined` where the node gives a call less gas than it asks for. */
function gasBefore({ gas }: MeasuredCall, start: number | undefined): number | undefined {
  if (start === undefined) return undefined
  const before = gas - start
  return before < 0 || before > mostBefore ? undefined : before
}

const overridesOf = (addresses: readonly Address[]) =>
  Object.fromEntries(addresses.map((address) => [address, encodeAccount(measuredAccounts.get(address) ?? {})]))

function encodeAccount({ code, balance, nonce, slots }: MeasuredAccount) {
  return {
    ...(code && { code }),
    ...(balance !== undefined && { balance: quantity(balance) }),
    ...(nonce !== undefined && { nonce: quantity(nonce) }),
    ...(slots && {
      stateDiff: Object.fromEntries([...slots].map(([slot, value]) => [wordFromBigint(slot), wordFromBigint(value)])),
    }),
  }
}

const transactionAccounts = new Set(measuredTransactions.flatMap(({ to }) => (measuredAccounts.has(to) ? to : [])))
const ofSender = overridesOf([sender])
const callOverrides = {
  ...ofSender,
  ...overridesOf([...measuredAccounts.keys()].filter((address) => !transactionAccounts.has(address))),
}
const dataOverrides = { ...ofSender, ...overridesOf([reporter]) }
const transactionOverrides = { ...ofSender, ...overridesOf([...transactionAccounts]) }
const authorizedOverrides = { ...ofSender, ...overridesOf([spender, ...authorities.keys()]) }

type Asked = readonly [method: string, params: readonly unknown[]]

/** The requests whose answers are the measures: what the node does not answer leaves its own open. */
export function priceRequests(block: Hex): Record<keyof MeasuredAnswers, Asked> {
  const request = ({ to, data, gas }: MeasuredCall) => ({ from: sender, ...(to && { to }), data, gas: quantity(gas) })
  return {
    collected: ['eth_call', [request(collectingCall), block, callOverrides]],
    data: ['eth_call', [request(dataCall), block, dataOverrides]],
    created: ['eth_call', [request(creatingCall), block, ofSender]],
    used: ['eth_simulateV1', [{ blockStateCalls: [{ stateOverrides: transactionOverrides, calls }] }, block]],
    authorized: [
      'eth_simulateV1',
      [{ blockStateCalls: [{ stateOverrides: authorizedOverrides, calls: authorizedCalls }] }, block],
    ],
  }
}

const encodeTransaction = ({ to, value, data, accessList, authorizationList }: MeasuredTransaction) => ({
  from: sender,
  to,
  ...(value !== undefined && { value: quantity(value) }),
  data: data ?? '0x',
  ...(accessList && { accessList }),
  ...(authorizationList && { authorizationList: authorizationList.map(encodeAuthorization) }),
  gas: quantity(transactionGas),
})

const encodeAuthorization = ({ chainId, address, nonce, yParity, r, s }: MeasuredAuthorization) => ({
  chainId: quantity(chainId),
  address,
  nonce: quantity(nonce),
  yParity: quantity(yParity),
  r,
  s,
})

const calls = measuredTransactions.map(encodeTransaction)
const authorizedCalls = measuredAuthorizations.map(encodeTransaction)

/** The gas of the transactions of what `eth_simulateV1` answered. */
function usedOf(answer: unknown, count: number): MeasuredAnswers['used'] {
  const results = (answer as { calls?: unknown }[] | undefined)?.[0]?.calls
  if (!Array.isArray(results) || results.length !== count) return undefined
  return results.map(({ status, gasUsed }: { status?: unknown; gasUsed?: unknown }) =>
    status === '0x1' && typeof gasUsed === 'string' && /^0x[\da-f]{1,12}$/i.test(gasUsed) ? BigInt(gasUsed) : undefined,
  )
}

/** What was answered to `priceRequests`. */
export const readingsFrom = (answers: Record<keyof MeasuredAnswers, unknown>): Readings =>
  readingsOf({
    collected: textOf(answers.collected),
    data: textOf(answers.data),
    created: textOf(answers.created),
    used: usedOf(answers.used, measuredTransactions.length),
    authorized: usedOf(answers.authorized, measuredAuthorizations.length),
  })

const textOf = (answer: unknown): Hex | undefined => (typeof answer === 'string' ? (answer as Hex) : undefined)
