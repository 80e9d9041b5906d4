/** A call as its form holds it: text that is not checked yet. */
export type CallDraft = {
  from: string
  /** Empty: creates a contract. */
  to: string
  /** In the chain's currency. */
  value: string
  data: string
  /** The selector of the function that `args` are for; empty when `data` is sent. */
  fn: string
  args: readonly string[]
}
export type AccountDraft = { address: string; balance: string; nonce: string; code: string; slots: string }
export type HeaderDraft = Record<(typeof headerFields)[number], string>

/** What a simulation runs, as its form holds it. */
export type Scenario = {
  calls: readonly CallDraft[]
  block: string
  accounts: readonly AccountDraft[]
  header: HeaderDraft
  /** `revert`: all calls are undone if one fails. */
  onFailure: string
}

export const headerFields = ['number', 'time', 'baseFee', 'feeRecipient', 'gasLimit', 'prevRandao'] as const

export const emptyCall: CallDraft = { from: '', to: '', value: '0', data: '', fn: '', args: [] }
export const emptyAccount: AccountDraft = { address: '', balance: '', nonce: '', code: '', slots: '' }
const emptyHeader = Object.fromEntries(headerFields.map((field) => [field, ''])) as HeaderDraft
export const emptyScenario: Scenario = {
  calls: [emptyCall],
  block: 'latest',
  accounts: [],
  header: emptyHeader,
  onFailure: '',
}

/** Calls and accounts that a scenario can have. */
export const scenarioLimit = 50
/** Characters of a field that a link can fill in. */
const textLimit = 100_000

/** The scenario in a link. Fields that are missing or of another type are left empty. */
export function readScenario(text: string | undefined): Scenario {
  const { calls, block, accounts, header, onFailure } = fieldsOf(parsed(text))
  const drafts = listOf(calls).map((call) => filled(emptyCall, call))
  return {
    calls: drafts.length > 0 ? drafts : emptyScenario.calls,
    block: typeof block === 'string' ? block.slice(0, textLimit) : emptyScenario.block,
    accounts: listOf(accounts).map((account) => filled(emptyAccount, account)),
    header: filled(emptyHeader, header),
    onFailure: onFailure === 'revert' ? onFailure : '',
  }
}

/** A scenario as the text of a link, without what is empty. */
export function writeScenario({ calls, block, accounts, header, onFailure }: Partial<Scenario>): string {
  return JSON.stringify({
    calls: calls?.map((call) => withoutDefaults(call, emptyCall)),
    block: block === emptyScenario.block ? undefined : block,
    accounts: accounts?.length ? accounts.map((account) => withoutDefaults(account, emptyAccount)) : undefined,
    header: header && Object.values(header).some(Boolean) ? withoutDefaults(header, emptyHeader) : undefined,
    onFailure: onFailure || undefined,
  })
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, scenarioLimit) : []
}

/** The fields of `empty` with the values that `given` has for them. */
function filled<Draft extends object>(empty: Draft, given: unknown): Draft {
  const values = fieldsOf(given)
  const entries = Object.entries(empty).map(([name, before]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (Array.isArray(before))
      return [name, listOf(value).map((item) => (typeof item === 'string' ? item.slice(0, textLimit) : ''))]
    return [name, typeof value === 'string' ? value.slice(0, textLimit) : before]
  })
  return Object.fromEntries(entries) as Draft
}

function withoutDefaults<Draft extends object>(draft: Draft, empty: Draft): Partial<Draft> {
  const entries = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(empty[name as keyof Draft]),
  )
  return Object.fromEntries(entries) as Partial<Draft>
}
