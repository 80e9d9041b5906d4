import type { LineTable } from '@understudy/client/artifacts'
import type { Hex } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { createPace, yieldToEventLoop } from '../shared/yieldToEventLoop.ts'
import { type ContractAbi, parseContractAbi } from './contractAbi.ts'
import {
  type CodeTemplate,
  creationTemplate,
  hashOf,
  type LinkReferences,
  readUnlinkedCode,
  runtimeTemplate,
  type UnlinkedCode,
} from './matching/codeTemplate.ts'

/** A compiled contract as a client pushes it: LocalContract in the spec. */
export type LocalContract = {
  name: string
  abi: string
  bytecode: string
  creationBytecode?: string | undefined
  deployedBytecode?: string | undefined
  sourcePath?: string | undefined
  source?: string | undefined
  lines?: LineTable | undefined
  storageLayout?: unknown
  bytecodeLinkReferences?: LinkReferences | undefined
  deployedBytecodeLinkReferences?: LinkReferences | undefined
}

/** A valid pushed contract. */
export type CheckedContract = {
  name: string
  abi: string
  /** As pushed; `undefined` if it is never deployed. */
  runtime: string | undefined
  creation: string | undefined
  runtimeTemplate: CodeTemplate | undefined
  creationTemplate: CodeTemplate | undefined
  storageLayout: unknown
  sourcePath: string | undefined
  source: string | undefined
  lines: LineTable | undefined
  /** A new version is created if this differs: the digest of its ABI and code, then that of its storage layout if it has one. */
  digest: string
}

/** Maximum number of characters of a storage layout as JSON. It is read as a whole for each of its variables. */
const layoutLimit = 1_000_000

/** How long a push may block other requests, in milliseconds. */
const sliceMs = 20

/** Validates a push. Throws `INVALID_PARAMS` that names the first invalid contract and field. */
export async function checkContracts(contracts: readonly LocalContract[]): Promise<CheckedContract[]> {
  const names = new Map<string, number>()
  const checked: CheckedContract[] = []
  await yieldToEventLoop()
  const pace = createPace(sliceMs)
  for (const [index, contract] of contracts.entries()) {
    await pace()
    const refuse = (field: string, problem: string) =>
      new NetworkError('INVALID_PARAMS', {
        field: `contracts[${index}].${field}`,
        problem: `contract ${JSON.stringify(contract.name)}: ${problem}`,
      })
    const other = names.get(contract.name)
    if (other !== undefined)
      throw refuse(
        'name',
        `is also the name of contracts[${other}]. Push each name once; use a prefix to distinguish them`,
      )
    names.set(contract.name, index)
    checked.push(check(contract, refuse))
  }
  return checked
}

type Refuse = (field: string, problem: string) => NetworkError

function check(contract: LocalContract, refuse: Refuse): CheckedContract {
  const parsed = parseContractAbi(contract.abi)
  if ('problem' in parsed) throw refuse('abi', parsed.problem)
  const read = (field: 'bytecode' | 'creationBytecode' | 'deployedBytecode', references?: LinkReferences) => {
    const text = contract[field]
    if (text === undefined) return undefined
    const code = readUnlinkedCode(text, references)
    if (!code) throw refuse(field, 'is not hex bytes, with or without library placeholders')
    return code
  }
  const { bytecodeLinkReferences, deployedBytecodeLinkReferences } = contract
  const bytecode = read('bytecode', deployedBytecodeLinkReferences)
  const deployed = read('deployedBytecode', deployedBytecodeLinkReferences)
  const creation = read('creationBytecode', bytecodeLinkReferences)
  const isEmpty = (code: UnlinkedCode | undefined) => !code || code.bytes.length === 0
  const { abi, source, sourcePath, lines, storageLayout } = contract
  const rest = { name: contract.name, abi, source, sourcePath, lines, storageLayout }
  if (storageLayout !== undefined && JSON.stringify(storageLayout).length > layoutLimit)
    throw refuse('storageLayout', `has more than ${layoutLimit} characters as JSON; leave it out`)

  if (isEmpty(bytecode)) {
    // For an abstract contract, compilers write all three fields, all empty.
    const isAbstract = deployed?.bytes.length === 0 && creation?.bytes.length === 0
    if (!isEmpty(deployed) || !isEmpty(creation) || !(isAbstract || isNeverDeployed(contract, parsed.abi)))
      throw refuse(
        'bytecode',
        'is empty. Push the deployed (runtime) bytecode. Only interfaces and abstract contracts have none; for abstract contracts, also push empty creationBytecode and deployedBytecode, or the source',
      )
    const digest = digestOf([parsed.abi.items], storageLayout)
    return {
      ...rest,
      runtime: undefined,
      creation: undefined,
      runtimeTemplate: undefined,
      creationTemplate: undefined,
      digest,
    }
  }
  if (deployed && isEmpty(deployed)) throw refuse('deployedBytecode', 'is empty')
  if (creation && isEmpty(creation)) throw refuse('creationBytecode', 'is empty')
  // Some tools put creation code into `bytecode`: the runtime code is then in another field, or unknown.
  const sameAs = (text: string | undefined) => text !== undefined && sameText(text, contract.bytecode)
  const isCreation =
    sameAs(contract.creationBytecode) ||
    (deployed === undefined
      ? !creation && bytecode !== undefined && isInitCode(bytecode, parsed.abi)
      : !sameAs(contract.deployedBytecode))
  const runtimeText = contract.deployedBytecode ?? (isCreation ? undefined : contract.bytecode)
  const runtimeCode = deployed ?? (isCreation ? undefined : bytecode)
  const creationText = contract.creationBytecode ?? contract.bytecode
  const creationCode = creation ?? read('bytecode', bytecodeLinkReferences)
  requireFunctions(
    parsed.abi,
    runtimeCode ?? creationCode,
    deployed && !sameAs(contract.deployedBytecode) ? 'deployedBytecode' : 'bytecode',
    refuse,
  )
  return {
    ...rest,
    runtime: runtimeText,
    creation: creationText === runtimeText ? undefined : creationText,
    runtimeTemplate: runtimeCode && runtimeTemplate(runtimeCode),
    creationTemplate: creationCode && creationTemplate(creationCode),
    digest: digestOf(
      [
        parsed.abi.items,
        normalText(runtimeText),
        normalText(creationText),
        // Where both other fields are given, a changed `bytecode` is a new version too.
        ...(sameAs(runtimeText) || sameAs(creationText) ? [] : [normalText(contract.bytecode)]),
      ],
      storageLayout,
    ),
  }
}

const normalText = (text: string | undefined) => text?.replace(/^0x/i, '').toLowerCase()
const sameText = (a: string, b: string) => normalText(a) === normalText(b)

const hashOfJson = (value: unknown) => hashOf(Buffer.from(JSON.stringify(value)))
const digestOf = (parts: unknown, storageLayout: unknown) =>
  hashOfJson(parts) + (storageLayout === undefined ? '' : `.${hashOfJson(storageLayout)}`)

/**
 * Whether a contract is the version with this digest. Without a storage layout it is the one that had any, since the layout
 * of the same code is the same.
 */
export const isVersion = (contract: Pick<CheckedContract, 'digest' | 'storageLayout'>, digest: string): boolean =>
  digest === contract.digest || (contract.storageLayout === undefined && digest.startsWith(`${contract.digest}.`))

/** Interfaces have no constructor; only the source shows that a contract is abstract. */
function isNeverDeployed({ name, source }: LocalContract, abi: ContractAbi): boolean {
  const word = name.split(/[:/]/).at(-1)?.replace(/\W/g, '') ?? ''
  const [, kind] =
    (source && new RegExp(`\\b(abstract\\s+contract|contract|interface|library)\\s+${word}\\b`).exec(source)) || []
  if (kind !== undefined) return kind === 'interface' || kind.startsWith('abstract')
  return abi.items.length > 0 && !abi.constructorItem
}

/** Code contains the selectors of its functions; code that lacks most of them belongs to another contract. */
function requireFunctions(abi: ContractAbi, code: UnlinkedCode | undefined, field: string, refuse: Refuse): void {
  if (!code) return
  const { bytes } = code
  // Selectors of libraries use struct names, which an ABI does not have.
  const isLibrary = bytes[0] === 0x73 && bytes[21] === 0x30 && bytes[22] === 0x14
  const selectors = [...abi.functions]
    .filter(([, { inputs }]) => !isLibrary || inputs.every(({ type }) => !type.startsWith('tuple')))
    .map(([selector]) => selector)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const missing = selectors.filter((selector) => !buffer.includes(selectorBytes(selector)))
  if (missing.length * 2 <= selectors.length) return
  const [first = '0x'] = missing
  throw refuse(
    field,
    `belongs to another contract than the ABI: it lacks ${missing.length} of the ABI's ${selectors.length} functions, such as ${abi.functions.get(first)?.name} (${first})`,
  )
}

/** Compilers push selectors without leading zeros. */
const selectorBytes = (selector: Hex) => Buffer.from(selector.slice(2).replace(/^(00)+/, ''), 'hex')

/**
 * Whether solc made this code to create a contract: before the first function is the end of the constructor, which returns
 * the runtime code behind it. In runtime code, functions come first.
 */
function isInitCode({ bytes }: UnlinkedCode, abi: ContractAbi): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = constructorEnds.map((end) => buffer.indexOf(end)).filter((at) => at !== -1)
  const functions = [...abi.functions.keys()]
    .map((selector) => buffer.indexOf(selectorBytes(selector)))
    .filter((at) => at !== -1)
  return functions.length > 0 && Math.min(...ends) < Math.min(...functions)
}

/** RETURN, then INVALID, or STOP before solc 0.6. */
const constructorEnds = ['f3fe', 'f300'].map((end) => Buffer.from(end, 'hex'))
