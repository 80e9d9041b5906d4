import { formatEther, type Hex } from 'viem'
import { type AccountDraft, type CallDraft, emptyAccount, emptyCall, emptyScenario, type Scenario } from './scenario.ts'

type CallFields = { from?: string | null; to?: string | null; value?: string; data?: string }

/** A call as its form holds it. Gas limits and prices are left out: a simulation finds them. */
export const callDraft = ({ from, to, value, data }: CallFields): CallDraft => ({
  ...emptyCall,
  from: from ?? '',
  to: to ?? '',
  value: formatEther(BigInt(value ?? 0)),
  data: data && data !== '0x' ? data : '',
})

type AccountFields = { balance?: string; nonce?: string; code?: string; stateDiff?: Record<string, string> }

/** What accounts have instead of their state, as its form holds it. */
export const accountDrafts = (overrides: unknown): AccountDraft[] =>
  Object.entries((overrides ?? {}) as Record<string, AccountFields>).map(
    ([address, { balance, nonce, code, stateDiff }]) => ({
      ...emptyAccount,
      address,
      balance: balance === undefined ? '' : formatEther(BigInt(balance)),
      nonce: nonce === undefined ? '' : BigInt(nonce).toString(),
      code: code ?? '',
      slots: Object.entries(stateDiff ?? {})
        .map(([slot, value]) => `${slot} = ${value}`)
        .join('\n'),
    }),
  )

/** The names that the network has for the fields of a block. */
const blockFields = {
  number: 'number',
  time: 'timestamp',
  baseFee: 'baseFee',
  feeRecipient: 'coinbase',
  gasLimit: 'gasLimit',
  prevRandao: 'prevRandao',
} as const

type Stored = { request: Record<string, unknown>; block: { number: number } }

/** The scenario that runs a saved simulation again, on the same block unless its number was replaced. */
export function scenarioOfStored({ request, block: { number } }: Stored): Scenario {
  const { call, stateOverrides, blockOverrides, onFailure } = request
  const given = (blockOverrides ?? {}) as Record<string, Hex | undefined>
  const header = Object.entries(blockFields).map(([field, name]) => {
    const value = given[name]
    return [field, value === undefined ? '' : field === 'feeRecipient' ? value : BigInt(value).toString()]
  })
  return {
    ...emptyScenario,
    calls: [callDraft((call ?? {}) as CallFields)],
    block: given.number === undefined ? String(number) : 'latest',
    accounts: accountDrafts(stateOverrides),
    header: Object.fromEntries(header) as Scenario['header'],
    onFailure: onFailure === 'revert' ? onFailure : '',
  }
}
