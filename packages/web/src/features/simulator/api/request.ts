import { type Abi, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { parseAmount } from '../../../format/amount.ts'
import { isAnyAddress } from '../../../format/hash.ts'
import { parseArgument, type Unit } from '../../../lib/abi/argument.ts'
import { functionsOf, selectorOf } from '../../../lib/abi/functions.ts'
import type { AccountDraft, CallDraft, HeaderDraft, Scenario } from '../../../lib/simulation/scenario.ts'

export type CallRequest = { from: Hex; to?: Hex; value: Hex; data: Hex }
export type AccountOverride = { balance?: Hex; nonce?: Hex; code?: Hex; stateDiff?: Record<Hex, Hex> }
export type StateOverrides = Record<Hex, AccountOverride>
export type BlockOverrides = Record<string, Hex>
export type SimulationRequest = {
  calls: CallRequest[]
  block: string
  stateOverrides: StateOverrides
  blockOverrides: BlockOverrides
  onFailure?: 'revert'
}

/** Checks a scenario. Throws an error that names the call or account, and its field. */
export async function requestFrom(
  { calls, block, accounts, header, onFailure }: Scenario,
  loadAbi: (address: Hex) => Promise<Abi | undefined>,
  loadUnits: (to: string, texts: readonly string[]) => Promise<Unit[]>,
): Promise<SimulationRequest> {
  const overrides = accounts.map((draft, index) => named(`State override ${index + 1}`, () => overrideFrom(draft)))
  const requests: CallRequest[] = []
  for (const [index, call] of calls.entries()) {
    const name = calls.length === 1 ? '' : `Call ${index + 1}`
    const abi = call.fn && isAnyAddress(call.to.trim()) ? await loadAbi(call.to.trim() as Hex) : undefined
    const units = abi ? await loadUnits(call.to, call.args) : []
    requests.push(named(name, () => callFrom(call, abi, units)))
  }
  return {
    calls: requests,
    block: blockFrom(block),
    stateOverrides: Object.fromEntries(overrides),
    blockOverrides: headerFrom(header),
    ...(onFailure === 'revert' && { onFailure }),
  }
}

function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw name ? new Error(`${name}, ${(error as Error).message}`, { cause: error }) : error
  }
}

function callFrom(
  { from, to, value, data, fn, args }: CallDraft,
  abi: Abi | undefined,
  units: readonly Unit[],
): CallRequest {
  const target = to.trim()
  return {
    from: addressFrom('from', from),
    ...(target && { to: addressFrom('to', target) }),
    value: numberToHex(parseAmount(value || '0', 18)),
    data: fn ? encode({ selector: fn, args }, abi, units) : bytesFrom('data', data),
  }
}

function encode(
  { selector, args }: { selector: string; args: readonly string[] },
  abi: Abi | undefined,
  units: readonly Unit[],
): Hex {
  const fn = functionsOf(abi ?? []).find((one) => selectorOf(one) === selector)
  if (!fn) throw new Error(`function: the ABI at this address has no ${selector}. Enter raw data instead`)
  const values = fn.inputs.map((input, index) => parseArgument(input, args[index] ?? '', units))
  return encodeFunctionData({ abi: [fn], args: values } as never)
}

function overrideFrom({ address, balance, nonce, code, slots }: AccountDraft): [Hex, AccountOverride] {
  const stateDiff = slots.split('\n').flatMap((line) => (line.trim() ? [slotFrom(line)] : []))
  return [
    addressFrom('address', address),
    {
      ...(balance.trim() && { balance: numberToHex(parseAmount(balance, 18)) }),
      ...(nonce.trim() && { nonce: quantityFrom('nonce', nonce) }),
      ...(code.trim() && { code: bytesFrom('code', code) }),
      ...(stateDiff.length > 0 && { stateDiff: Object.fromEntries(stateDiff) }),
    },
  ]
}

function slotFrom(line: string): [Hex, Hex] {
  const [slot = '', value = '', ...rest] = line.trim().split(/\s*=\s*|\s+/)
  if (rest.length > 0 || !value) throw new Error(`slots: ${JSON.stringify(line)} is not a line like 0x1 = 0x2a`)
  return [numberToHex(BigInt(quantityFrom('slots', slot)), { size: 32 }), wordFrom(value)]
}

const wordFrom = (value: string): Hex => numberToHex(BigInt(quantityFrom('slots', value)), { size: 32 })

function headerFrom({ number, time, baseFee, feeRecipient, gasLimit, prevRandao }: HeaderDraft): BlockOverrides {
  return {
    ...(number.trim() && { number: quantityFrom('block number', number) }),
    ...(time.trim() && { time: quantityFrom('time', time) }),
    ...(baseFee.trim() && { baseFeePerGas: quantityFrom('base fee', baseFee) }),
    ...(feeRecipient.trim() && { feeRecipient: addressFrom('fee recipient', feeRecipient) }),
    ...(gasLimit.trim() && { gasLimit: quantityFrom('gas limit', gasLimit) }),
    ...(prevRandao.trim() && { prevRandao: wordFrom(prevRandao) }),
  }
}

const tags = ['latest', 'pending', 'safe', 'finalized', 'earliest']

function blockFrom(text: string): string {
  const block = text.trim() || 'latest'
  return tags.includes(block) ? block : quantityFrom('block', block)
}

function addressFrom(field: string, text: string): Hex {
  const address = text.trim()
  if (!isAnyAddress(address)) throw new Error(`${field}: enter an address, 0x and 40 hex digits`)
  return address
}

function bytesFrom(field: string, text: string): Hex {
  const bytes = text.trim() || '0x'
  if (!/^0x([0-9a-f]{2})*$/i.test(bytes)) throw new Error(`${field}: enter bytes in hex, such as 0x1234`)
  return bytes as Hex
}

/** Throws when the number has more than 32 bytes. */
function quantityFrom(field: string, text: string): Hex {
  const digits = text.trim().replaceAll(/[_,]/g, '')
  if (!/^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(digits) || BigInt(digits) >= 2n ** 256n)
    throw new Error(`${field}: enter a whole number, such as 1000 or 0x3e8`)
  return numberToHex(BigInt(digits))
}
