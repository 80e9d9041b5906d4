import { formatUnits } from 'viem'
import type { Result } from './actions.ts'

/** What calls did: the answer of `dev_simulate`. */
export type Simulation = Result<'dev_simulate'>
export type SimulatedCall = Simulation['results'][number]
export type SimulatedAsset = SimulatedCall['assetChanges'][number]
export type SimulatedApproval = SimulatedCall['approvals'][number]
export type SimulatedItem = NonNullable<SimulatedCall['function']>
export type SimulatedLocation = NonNullable<SimulatedCall['error']>['stack'][number]
type Contract = SimulatedCall['contracts'][number]
export type SimulatedToken = NonNullable<Contract['token']>

/** Of the chain: ETH with 18 decimals. */
export type Currency = { symbol: string; decimals: number }

export const contractOf = ({ contracts }: SimulatedCall, address: string | null): Contract | undefined =>
  contracts.find((contract) => contract.address === address)

/** What is known of the token at an address. */
export const tokenOf = (call: SimulatedCall, address: string | null): SimulatedToken | undefined =>
  contractOf(call, address)?.token ?? undefined

/** An address after the name of its contract: `Vault 0x…`. */
export function partyText(call: SimulatedCall, address: string): string {
  const name = contractOf(call, address)?.name
  return name ? `${name} ${address}` : address
}

type Amount = Pick<SimulatedAsset, 'kind' | 'token' | 'tokenId' | 'formatted'> & { amount: string }

/** An amount of an asset: `2.5 GOLD`, `APE #7`, `3 × APE #7`. */
export function assetText(call: SimulatedCall, asset: Amount, currency: Currency): string {
  const { kind, token, tokenId, formatted, amount } = asset
  if (kind === 'native') return `${formatted ?? formatUnits(BigInt(amount), currency.decimals)} ${currency.symbol}`
  const name = tokenName(call, token)
  if (kind === 'erc20') return formatted === null ? `${amount} units of ${name}` : `${formatted} ${name}`
  const id = tokenId === null ? name : `${name} #${tokenId}`
  return kind === 'erc721' && /^-?1$/.test(amount) ? `${amount === '1' ? '' : '-'}${id}` : `${amount} × ${id}`
}

/** The symbol or the name of a token, or its address. */
export function tokenName(call: SimulatedCall, address: string | null): string {
  const { symbol, name } = tokenOf(call, address) ?? {}
  return symbol || name || String(address)
}

/** What a spender may take after the call: `any amount of GOLD`, `25 GOLD`, `all tokens of APE`, `nothing`. */
export function approvalText(call: SimulatedCall, approval: SimulatedApproval, currency: Currency): string {
  const { type, token, amount, isUnlimited } = approval
  const name = tokenName(call, token)
  if (amount === '0') return 'nothing'
  if (type === 'approveAll') return `all tokens of ${name}`
  return isUnlimited ? `any amount of ${name}` : assetText(call, approval, currency)
}

/** How it came about, if not by a call of the owner. */
export const approvalNote = ({ by }: SimulatedApproval): string | undefined =>
  ({ call: undefined, permit: 'by a signature', permit2: 'through Permit2' })[by]

/** Why a call failed: `execution reverted: InsufficientBalance(5, 7)`. */
export function failureText({
  message,
  reason,
}: Pick<NonNullable<SimulatedCall['error']>, 'message' | 'reason'>): string {
  return reason === null ? message : `${message}: ${reason}`
}

/** `src/Vault.sol:31 in Vault.take`, as much as is known. */
export function stackText({ file, line, function: name, contract, address }: SimulatedLocation): string {
  const where = name ?? contract ?? 'unknown code'
  return file === null || line === null ? `${where} (${address})` : `${file}:${line} in ${where}`
}

/** A function, event or error with its arguments: `transfer(to: 0x…, amount: 5)`. */
export function itemText({ name, args }: SimulatedItem): string {
  const values = args?.map((arg) => `${arg.name ? `${arg.name}: ` : ''}${valueText(arg.value)}`) ?? ['…']
  return `${name}(${values.join(', ')})`
}

/** Arrays and structs are JSON. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the call is: `calls transfer(to: 0x…, amount: 5) of`, before the name of what it calls. */
export function calledText({ function: fn, message, createdAddress }: SimulatedCall): string {
  if (message.to === null) return `creates ${createdAddress ?? 'a contract'}`
  if (fn) return `calls ${itemText(fn)} of`
  return message.input === '0x' ? 'sends to' : `calls unknown function ${message.input.slice(0, 10)} of`
}

export type StateChange = { name: string; before: string; after: string; slot?: string }

/** What changed of an account, by variable where the layout is known, otherwise by slot. */
export function stateChangesOf(
  { nonce, balance, code, storage }: SimulatedCall['stateChanges'][number],
  currency: Currency,
): StateChange[] {
  const wei = (text: string) => `${formatUnits(BigInt(text), currency.decimals)} ${currency.symbol}`
  const bytes = (hex: string) => `${(hex.length - 2) / 2} bytes`
  return [
    ...(balance ? [{ name: 'balance', before: wei(balance.before), after: wei(balance.after) }] : []),
    ...(nonce ? [{ name: 'nonce', before: nonce.before, after: nonce.after }] : []),
    ...(code ? [{ name: 'code', before: bytes(code.before), after: bytes(code.after) }] : []),
    ...storage.flatMap(({ slot, before, after, variables }) =>
      variables.length > 0
        ? variables.map((variable) => ({ name: variable.path, before: variable.before, after: variable.after, slot }))
        : [{ name: slot, before, after, slot }],
    ),
  ]
}
