import {
  type AbiParameter,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { CallReader, CallText } from './callText.ts'
import {
  addressIn,
  bytesIn,
  CallTextError,
  type Fields,
  isFields,
  quantityIn,
  requiredAddress,
  shown,
} from './fields.ts'
import type { CallFields } from './walletCall.ts'

const abi = parseAbi([
  'function getOwners() view returns (address[])',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
])

/** The slot of a Safe that has how many owners must sign; in all versions since 1.0.0. */
const thresholdSlot = `0x${'4'.padStart(64, '0')}` as const
const one = `0x${'1'.padStart(64, '0')}` as const

/** Whether an object is a transaction as Safe's transaction service has it. */
export const isServiceTransaction = ({ safe, operation }: Fields): boolean =>
  safe !== undefined && operation !== undefined

/**
 * A transaction of a Safe, which one of its owners executes: the Safe is simulated with a threshold of one signature, which
 * the executing owner need not make. Throws `CallTextError`.
 */
export async function serviceTransaction(
  given: Fields,
  executor: Address | undefined,
  reader: CallReader,
): Promise<CallText> {
  const safe = requiredAddress(given.safe, 'safe')
  const number = (name: string) => BigInt(quantityIn(given[name], name) ?? 0)
  const operation = number('operation')
  if (operation > 1n) throw new CallTextError('operation', `expected 0 (call) or 1 (delegatecall), got ${operation}`)
  const owner = executor ?? (await loadOwner(safe, reader))
  const data = encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [
      requiredAddress(given.to, 'to'),
      number('value'),
      bytesIn(given.data, 'data') ?? '0x',
      Number(operation),
      number('safeTxGas'),
      number('baseGas'),
      number('gasPrice'),
      addressIn(given.gasToken, 'gasToken') ?? zeroAddress,
      addressIn(given.refundReceiver, 'refundReceiver') ?? zeroAddress,
      // The form of a signature whose owner is the sender.
      `0x${owner.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}01`,
    ],
  })
  return {
    calls: [{ from: owner, to: safe, data }],
    stateOverrides: { [safe]: { stateDiff: { [thresholdSlot]: one } } },
  }
}

async function loadOwner(safe: Address, { call }: CallReader): Promise<Address> {
  try {
    const returned = await call({ to: safe, data: encodeFunctionData({ abi, functionName: 'getOwners' }) })
    const [owner] = decodeFunctionResult({ abi, functionName: 'getOwners', data: returned })
    if (owner) return owner
  } catch {
    // The Safe is not deployed on this network, or another contract is there.
  }
  throw new CallTextError('safe', `no Safe with owners is at ${safe} on this network`)
}

/** The calls of a file of Safe's transaction builder, which the Safe sends. Throws `CallTextError`. */
export function builderTransactions(
  { meta }: Fields,
  transactions: readonly unknown[],
  { encode }: CallReader,
): CallText {
  const safe = isFields(meta) ? addressIn(meta.createdFromSafeAddress, 'meta.createdFromSafeAddress') : undefined
  const calls = transactions.map((each, index): CallFields => {
    const at = `transactions[${index}]`
    if (!isFields(each)) throw new CallTextError(at, `expected an object, got ${shown(each)}`)
    const value = quantityIn(each.value, `${at}.value`)
    const data = bytesIn(each.data, `${at}.data`) ?? encoded(each, at, encode)
    return {
      ...(safe && { from: safe }),
      to: requiredAddress(each.to, `${at}.to`),
      ...(value && { value }),
      ...(data && { data }),
    }
  })
  // A Safe executes all of them in one transaction.
  return { calls, onFailure: 'revert' }
}

/** The call data of a function and its arguments, which the builder writes as texts by their names. */
function encoded(transaction: Fields, at: string, encode: CallReader['encode']): Hex | undefined {
  const { contractMethod: method, contractInputsValues: values } = transaction
  if (method === undefined || method === null) return undefined
  const inputs = isFields(method) ? (method.inputs ?? []) : undefined
  if (!isFields(method) || typeof method.name !== 'string' || !Array.isArray(inputs) || !inputs.every(isFields))
    throw new CallTextError(`${at}.contractMethod`, 'expected a function with a name and inputs')
  if (/^(?:fallback|receive)$/.test(method.name)) return undefined
  const given = isFields(values) ? values : {}
  const texts = inputs.map(({ name }) => given[String(name)])
  const fragment = { type: 'function', name: method.name, inputs: inputs as unknown as AbiParameter[], outputs: [] }
  return encode(fragment, texts, `${at}.contractInputsValues`)
}
