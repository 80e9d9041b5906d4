import type { Currency } from '../../../ethereum/chains/profile.ts'
import { type Call, solidityType } from './decoded.ts'

type Change = Call['stateChanges'][number]
type Slot = Change['storage'][number]

const standards = { native: 'NativeCurrency', erc20: 'ERC20', erc721: 'ERC721', erc1155: 'ERC1155' } as const
const types = { native: 'Native', erc20: 'Fungible', erc721: 'NonFungible', erc1155: 'NonFungible' } as const
const moves = { transfer: 'Transfer', mint: 'Mint', burn: 'Burn' } as const

export function tokenInfos({ contracts }: Call, currency: Currency) {
  const tokens = new Map(contracts.map(({ address, token }) => [address, token]))
  return (kind: keyof typeof standards, address: string | null) => {
    const token = address === null ? currency : tokens.get(address as `0x${string}`)
    return {
      standard: standards[kind],
      type: types[kind],
      ...(address !== null && { contract_address: address }),
      symbol: token?.symbol ?? '',
      name: token?.name ?? '',
      logo: '',
      decimals: token?.decimals ?? 0,
      dollar_value: '0',
    }
  }
}

/** A move of an asset. `amount` is by the decimals of the token, `raw_amount` in its smallest unit. */
export function assetChanges(call: Call, currency: Currency) {
  const infoOf = tokenInfos(call, currency)
  return call.assetChanges.map(({ kind, type, token, from, to, amount, formatted, tokenId, inferred, isWrap }) => ({
    token_info: infoOf(kind, token),
    type: moves[type],
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    amount: formatted ?? amount,
    raw_amount: amount,
    dollar_value: '0',
    ...(tokenId !== null && { token_id: tokenId }),
    ...(inferred && { inferred }),
    ...(isWrap && { is_wrap: isWrap }),
  }))
}

/** What others may spend after the call. */
export function exposureChanges(call: Call, currency: Currency) {
  const infoOf = tokenInfos(call, currency)
  return call.approvals.map(({ kind, type, token, owner, spender, amount, formatted, ...more }) => ({
    token_info: infoOf(kind, token),
    type: type === 'approveAll' ? 'ApproveAll' : 'Approve',
    ...{ owner, spender, amount: formatted ?? amount, raw_amount: amount, dollar_value: '0' },
    ...{ by: more.by, is_unlimited: more.isUnlimited },
    ...(more.tokenId !== null && { token_id: more.tokenId }),
    ...(more.expiration !== null && { expiration: more.expiration }),
  }))
}

export function balanceDiff({ stateChanges }: Call, coinbase: string) {
  return stateChanges.flatMap(({ address, balance }) =>
    balance ? [{ address, original: balance.before, dirty: balance.after, is_miner: address === coinbase }] : [],
  )
}

export function nonceDiff({ stateChanges }: Call) {
  return stateChanges.flatMap(({ address, nonce }) =>
    nonce ? [{ address, original: nonce.before, dirty: nonce.after }] : [],
  )
}

/** A value, or by key what a mapping or another compound variable has. */
type Value = string | { [key: string]: Value }

const rawOf = (address: string, { slot, before, after }: Slot) => ({
  address,
  key: slot,
  original: before,
  dirty: after,
})

/** By variable where a storage layout is known, otherwise by slot. */
export const stateDiff = ({ stateChanges }: Call) => stateChanges.flatMap(diffOf)

function diffOf({ address, storage }: Change) {
  const variables = new Map<string, ChangedVariable[]>()
  const others: Slot[] = []
  for (const slot of storage) {
    if (slot.variables.length === 0) others.push(slot)
    for (const variable of slot.variables) {
      const known = variables.get(variable.variable)
      if (known) known.push({ slot, variable })
      else variables.set(variable.variable, [{ slot, variable }])
    }
  }
  return [
    ...[...variables.values()].map((changed) => variableDiff(address, changed)),
    ...others.map((slot) => ({
      ...{ address, soltype: null, original: slot.before, dirty: slot.after },
      raw: [rawOf(address, slot)],
    })),
  ]
}

/** A part of a variable, and the slot that it is in. */
type ChangedVariable = { slot: Slot; variable: Slot['variables'][number] }

function variableDiff(address: string, changed: readonly ChangedVariable[]) {
  const [{ slot, variable }] = changed as [ChangedVariable]
  const position = { location: 'storage', offset: variable.offset, index: slot.slot }
  const soltype = solidityType({ name: variable.variable, type: variable.variableType }, position)
  const slots = [...new Set(changed.map((each) => each.slot))]
  return {
    address,
    soltype,
    original: valueByKeys(changed.map(({ variable: { keys, before } }) => ({ keys, value: before }))),
    dirty: valueByKeys(changed.map(({ variable: { keys, after } }) => ({ keys, value: after }))),
    raw: slots.map((each) => rawOf(address, each)),
  }
}

/** Addresses have no checksum there. */
const inLowercase = (text: string) => (/^0x[\dA-Fa-f]{40}$/.test(text) ? text.toLowerCase() : text)

type Tree = Map<string, Tree | string>

/** The values of the parts, by their keys. */
function valueByKeys(parts: { keys: readonly string[]; value: string }[]): Value {
  const root: Tree = new Map()
  for (const { keys, value } of parts) {
    let at = root
    const path = ['', ...keys.map(inLowercase)]
    for (const [index, key] of path.entries())
      if (index === path.length - 1) at.set(key, inLowercase(value))
      else at = memberOf(at, key)
  }
  return shown(root.get('') ?? '')
}

function memberOf(tree: Tree, key: string): Tree {
  const known = tree.get(key)
  if (known instanceof Map) return known
  const made: Tree = new Map()
  tree.set(key, made)
  return made
}

const shown = (tree: Tree | string): Value =>
  typeof tree === 'string' ? tree : Object.fromEntries([...tree].map(([key, value]) => [key, shown(value)]))
