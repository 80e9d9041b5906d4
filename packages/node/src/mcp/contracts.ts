import { type Abi, type AbiFunction, erc20Abi, erc721Abi, erc1155Abi, toFunctionSelector } from 'viem'
import { encodeValues } from '../ethereum/abi/encodeValues.ts'
import { type FunctionAbi, parseFunctionAbi } from '../ethereum/abi/functionAbi.ts'
import { decodeValues, OutputError } from '../ethereum/abi/outputValue.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { amountFrom } from './amounts.ts'
import type { ToolNetwork } from './toolNetwork.ts'

type Hex = `0x${string}`

/** A call of a contract as methods take it, and the function that it calls. */
export type ToolCall = { call: { from?: Hex; to?: Hex; data?: Hex; value?: Hex }; fn: FunctionAbi | undefined }

type CallInput = {
  from?: Hex | undefined
  to?: string | undefined
  function?: string | undefined
  args: readonly unknown[]
  value?: string | undefined
  data?: string | undefined
}

const ether = { symbol: 'ETH', decimals: 18 }

/** The address that is given, or that of the workspace with this name. Throws `INVALID_PARAMS`. */
export async function addressOf(network: ToolNetwork, field: string, text: string): Promise<Hex> {
  if (/^0x[\da-f]{40}$/i.test(text)) return text as Hex
  const workspaces = await network.call('dev_getWorkspaces')
  const named = workspaces.filter(({ name, address }) => address && name.toLowerCase() === text.toLowerCase())
  const addresses = [...new Set(named.map(({ address }) => address as Hex))]
  const [found] = addresses
  if (addresses.length === 1 && found) return found
  const problem = found
    ? `several contracts have this name: ${addresses.slice(0, 5).join(', ')}. Pass the address of one`
    : 'no contract with a workspace has this name. Pass its address; describe_network lists the workspaces'
  throw new NetworkError('INVALID_PARAMS', { field, problem })
}

/** The function of a contract, by name, signature or declaration. Throws `INVALID_PARAMS` that says which there are. */
export async function loadFunction(
  network: ToolNetwork,
  address: Hex,
  { text, args }: { text: string; args: readonly unknown[] },
): Promise<FunctionAbi> {
  const declared = text.includes('(') ? parseFunctionAbi(text, 'function') : undefined
  if (declared && declared.fragment.outputs.length > 0) return declared
  const { abi, selectors } = await network.call('dev_getContractAbi', address)
  const items = abi.length > 0 ? abi.filter(({ type }) => type === 'function') : tokenFunctions(selectors).values()
  const functions = [...items].map((item) => parseFunctionAbi(item, 'function'))
  if (declared) return functions.find(({ signature }) => signature === declared.signature) ?? declared
  const named = functions.filter(({ fragment }) => fragment.name === text)
  const fitting = named.filter(({ fragment }) => fragment.inputs.length === args.length)
  const [only] = fitting.length === 1 ? fitting : named
  if (only && (fitting.length === 1 || named.length === 1)) return only
  const known = named.length > 0 ? named : functions
  const list = known.slice(0, 20).map(({ signature }) => signature.slice(0, 100))
  const problem =
    named.length > 0
      ? `there are several. Pass one of ${list.join(', ')}`
      : abi.length === 0
        ? 'the ABI of the contract is unknown. Pass a declaration, such as function price() view returns (uint256)'
        : `the contract has no such function. It has ${list.join(', ')}${known.length > 20 ? ', …' : ''}`
  throw new NetworkError('INVALID_PARAMS', { field: 'function', problem })
}

/** Encodes a call. Throws `INVALID_PARAMS` that names the field. */
export async function encodeCall(network: ToolNetwork, input: CallInput): Promise<ToolCall> {
  const { from, args, value } = input
  const to = input.to === undefined ? undefined : await addressOf(network, 'to', input.to)
  const fn =
    input.function === undefined ? undefined : await functionOf(network, to, { ...input, text: input.function })
  if (fn && input.data !== undefined) throw invalid('data', 'is instead of function and args. Pass one of them')
  if (!fn && args.length > 0) throw invalid('args', 'there is no function that takes them. Pass function, too')
  const data = fn ? hexFromBytes(encodeArguments(fn, args)) : (input.data as Hex | undefined)
  return {
    fn,
    call: {
      ...(from && { from }),
      ...(to && { to }),
      ...(data && { data }),
      ...(value !== undefined && { value: `0x${amountFrom('value', value, ether).toString(16)}` as Hex }),
    },
  }
}

function functionOf(network: ToolNetwork, to: Hex | undefined, given: { text: string; args: readonly unknown[] }) {
  if (!to) throw invalid('to', 'is missing. Pass the contract that has the function')
  return loadFunction(network, to, given)
}

function encodeArguments({ selector, fragment }: FunctionAbi, args: readonly unknown[]): Uint8Array {
  return Buffer.concat([bytesFromHex(selector), encodeValues('args', fragment.inputs, args)])
}

/** What a function returned, by the names of its outputs, or the bytes if they are not what it declares. */
export function decodeReturned({ fragment: { outputs } }: FunctionAbi, data: Hex): unknown {
  try {
    const values = decodeValues(outputs, data)
    if (values.length === 1) return values[0]
    return Object.fromEntries(values.map((value, index) => [outputs[index]?.name || String(index), value]))
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    return { data, problem: `${error.message}. Pass the declaration of the function with its outputs` }
  }
}

function invalid(field: string, problem: string): NetworkError {
  return new NetworkError('INVALID_PARAMS', { field, problem })
}

type Selector = `0x${string}`
/** The functions of a contract by their selectors. */
type Functions = ReadonlyMap<Selector, AbiFunction>

const functionsOf = (abi: Abi): Functions =>
  new Map(abi.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item] as const] : [])))

/** Each with the selector of a function that only its tokens have. */
const standards: readonly { mark: Selector; functions: Functions }[] = [
  { mark: toFunctionSelector('transfer(address,uint256)'), functions: functionsOf(erc20Abi) },
  { mark: toFunctionSelector('ownerOf(uint256)'), functions: functionsOf(erc721Abi) },
  { mark: toFunctionSelector('balanceOf(address,uint256)'), functions: functionsOf(erc1155Abi) },
]

/** The functions of the token standard that a contract follows, those that it has, by the selectors in its code. */
export function tokenFunctions(selectors: readonly Selector[]): Functions {
  const standard = standards.find(({ mark }) => selectors.includes(mark))
  return new Map([...(standard?.functions ?? [])].filter(([selector]) => selectors.includes(selector)))
}
