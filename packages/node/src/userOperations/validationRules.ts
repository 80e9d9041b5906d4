import type { Address, Hex } from '@understudy/evm'
import type { EntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import { delegationMarker, type UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'

/** A frame of `erc7562Tracer`, as far as the rules need it. */
export type ValidationFrame = {
  type: string
  from: Address
  to?: Address
  input: Hex
  value?: Hex
  usedOpcodes: Record<Hex, number>
  accessedSlots: {
    reads: Record<Hex, unknown>
    writes: Record<Hex, unknown>
    transientReads: Record<Hex, unknown>
    transientWrites: Record<Hex, unknown>
  }
  contractSize: Record<Address, { contractSize: number; opcode: number }>
  outOfGas: boolean
  calls?: ValidationFrame[]
  /** Of the first frame only: what was hashed. */
  keccak?: Hex[]
}

/** A breach of a rule of ERC-7562. */
export type Violation = { rule: string; entity: Entity['name']; address: Address; problem: string }

type Entity = { name: 'factory' | 'account' | 'paymaster'; address: Address; frame: ValidationFrame }

/** Operations whose result may be another one when the operation is sealed. */
const bannedOperations = new Map<number, string>([
  [0x32, 'ORIGIN'],
  [0x3a, 'GASPRICE'],
  [0x40, 'BLOCKHASH'],
  [0x41, 'COINBASE'],
  [0x42, 'TIMESTAMP'],
  [0x43, 'NUMBER'],
  [0x44, 'PREVRANDAO'],
  [0x45, 'GASLIMIT'],
  [0x48, 'BASEFEE'],
  [0x49, 'BLOBHASH'],
  [0x4a, 'BLOBBASEFEE'],
  [0x5a, 'GAS (not followed by a call)'],
  [0xf0, 'CREATE'],
  [0xf5, 'CREATE2'],
  [0xfe, 'INVALID'],
  [0xff, 'SELFDESTRUCT'],
])
/** Only staked entities may use these (OP-080). */
const balanceOperations = new Map<number, string>([
  [0x31, 'BALANCE'],
  [0x47, 'SELFBALANCE'],
])

const create = 0xf0
const create2 = 0xf5
/** Methods of the entry point that an account or factory may call: `depositTo`, `incrementNonce`, and its receive function. */
const entryPointMethods = new Set(['0xb760faf9', '0x0bd28e3b', '0x'])
/** Slots after a hash that belong to the structure of a mapping's value. */
const associatedSlots = 128n

/**
 * The rules of ERC-7562 that the validation of an operation breaks, by the trace of its bundle. `isStaked` asks the entry point.
 * docs/smart-accounts.md lists the rules that are checked, and those that are not.
 */
export async function violationsOf(
  trace: ValidationFrame,
  operation: UserOperation,
  entryPoint: EntryPoint,
  isStaked: (entity: Address) => Promise<boolean>,
): Promise<Violation[]> {
  const { sender, factory } = operation
  const creator = factory === delegationMarker ? undefined : factory
  const staked = new Map<Address, boolean>()
  const entities = entitiesOf(trace, operation, entryPoint)
  for (const { address } of entities) staked.set(address, await isStaked(address))
  const hashed = associatedHashes(trace.keccak ?? [], [sender, ...staked.keys()])
  const mayUseAssociated = creator === undefined || staked.get(creator) === true
  return entities.flatMap((entity) => {
    const found: Violation[] = []
    const add = (rule: string, problem: string) =>
      found.push({ rule, entity: entity.name, address: entity.address, problem })
    const context: Context = {
      entity,
      sender,
      creator,
      entryPoint: entryPoint.address,
      isStaked: staked.get(entity.address) === true,
      isEntity: (address) => staked.has(address),
      mayUseAssociated,
      isAssociated: (slot, address) => isAssociatedSlot(slot, address, hashed.get(address) ?? []),
      creations: 0,
      add,
    }
    checkFrame(entity.frame, context)
    return distinct(found)
  })
}

type Context = {
  entity: Entity
  sender: Address
  creator: Address | undefined
  entryPoint: Address
  isStaked: boolean
  isEntity(address: Address): boolean
  /** Whether slots of other contracts may be used that are associated with the account: not while an unstaked factory creates it. */
  mayUseAssociated: boolean
  isAssociated(slot: Hex, address: Address): boolean
  creations: number
  add(rule: string, problem: string): void
}

/** The calls of the entry point before it runs the operation. */
function entitiesOf(trace: ValidationFrame, { sender, factory, paymaster }: UserOperation, entryPoint: EntryPoint) {
  const entities: Entity[] = []
  for (const frame of trace.calls ?? []) {
    if (frame.to === entryPoint.address) break
    if (frame.to === sender) entities.push({ name: 'account', address: sender, frame })
    else if (paymaster && frame.to === paymaster.address)
      entities.push({ name: 'paymaster', address: paymaster.address, frame })
    // The entry point calls the factory through a contract of its own.
    else if (factory)
      for (const inner of frame.calls ?? [])
        if (inner.to === factory || inner.to === sender)
          entities.push({ name: 'factory', address: inner.to, frame: inner })
  }
  return entities
}

function checkFrame(frame: ValidationFrame, context: Context): void {
  checkOperations(frame, context)
  checkCalls(frame, context)
  checkStorage(frame, context)
  // What the entry point itself does when it is called is not the entity's.
  for (const inner of frame.calls ?? []) if (inner.to !== context.entryPoint) checkFrame(inner, context)
}

const storageOwner = ({ type, from, to }: ValidationFrame) =>
  type === 'DELEGATECALL' || type === 'CALLCODE' ? from : to

function checkOperations(frame: ValidationFrame, context: Context): void {
  const { entity, sender, creator, isStaked, add } = context
  const owner = storageOwner(frame)
  for (const [code, count] of Object.entries(frame.usedOpcodes)) {
    const operation = Number(code)
    const balance = balanceOperations.get(operation)
    if (balance && !isStaked) add('OP-080', `uses ${balance}, which only a staked entity may`)
    const banned = bannedOperations.get(operation)
    if (!banned) continue
    if (operation === create2 && entity.name === 'factory') {
      context.creations += count
      if (context.creations > 1) add('OP-031', 'uses CREATE2 more than once')
    } else if (!(operation === create && creator && owner === sender)) add('OP-011', `uses ${banned} in ${owner}`)
  }
  if (frame.outOfGas) add('OP-020', `runs out of gas in ${owner}`)
}

function checkCalls(frame: ValidationFrame, { entity, sender, entryPoint, add }: Context): void {
  for (const [address, { contractSize }] of Object.entries(frame.contractSize) as [
    Address,
    { contractSize: number },
  ][]) {
    if (contractSize > 0 || isPrecompile(address) || address === entryPoint) continue
    if (address === sender && entity.name !== 'paymaster') continue
    add('OP-041', `accesses ${address}, which has no code`)
  }
  for (const { to, value, input } of frame.calls ?? []) {
    if (to === entryPoint) {
      if (!entryPointMethods.has(input.slice(0, 10))) add('OP-054', `calls ${input.slice(0, 10)} of the entry point`)
    } else if (value !== undefined && BigInt(value) > 0n) add('OP-061', `sends ether to ${to}`)
  }
}

function checkStorage(frame: ValidationFrame, context: Context): void {
  const { sender, add } = context
  const owner = storageOwner(frame)
  if (owner === undefined || owner === sender) return
  const { reads, writes, transientReads, transientWrites } = frame.accessedSlots
  const written = new Set([...Object.keys(writes), ...Object.keys(transientWrites)])
  const slots = new Set([...written, ...Object.keys(reads), ...Object.keys(transientReads)]) as Set<Hex>
  for (const slot of slots) {
    const breach = storageBreach(slot, owner, written.has(slot), context)
    if (breach) add(breach[0], `${written.has(slot) ? 'writes' : 'reads'} slot ${slot} of ${owner}, ${breach[1]}`)
  }
}

/** The rule that an access to a slot breaks, and why. `owner` is not the account. */
function storageBreach(
  slot: Hex,
  owner: Address,
  isWritten: boolean,
  { entity, sender, isStaked, isEntity, mayUseAssociated, isAssociated }: Context,
): [rule: string, why: string] | undefined {
  const isOfAccount = isAssociated(slot, sender)
  if (isOfAccount && mayUseAssociated) return undefined
  if (isStaked) {
    if (owner === entity.address || !isWritten) return undefined
    if (!isEntity(owner) && isAssociated(slot, entity.address)) return undefined
    return ['STO-033', 'which a staked entity may only read']
  }
  if (owner === entity.address) return ['STO-031', 'and is not staked']
  if (isOfAccount) return ['STO-022', 'while a factory that is not staked creates the account']
  return ['STO-021', 'and is not staked']
}

/** Those of all forks up to Prague, and P-256. */
function isPrecompile(address: Address): boolean {
  const number = BigInt(address)
  return (number >= 1n && number <= 0x11n) || number === 0x100n
}

/** The hashes of each address with anything: where mappings keep what belongs to it. */
function associatedHashes(preimages: readonly Hex[], addresses: readonly Address[]): Map<Address, bigint[]> {
  const hashesOf = (address: Address) => {
    const start = `0x${address.slice(2).padStart(64, '0')}`
    return preimages.filter((bytes) => bytes.startsWith(start)).map((bytes) => BigInt(keccak(bytesFromHex(bytes))))
  }
  return new Map(addresses.map((address) => [address, hashesOf(address)]))
}

function isAssociatedSlot(slot: Hex, address: Address, hashes: readonly bigint[]): boolean {
  const number = BigInt(slot)
  if (number === BigInt(address)) return true
  return hashes.some((hash) => number >= hash && number <= hash + associatedSlots)
}

function distinct(violations: Violation[]): Violation[] {
  return [...new Map(violations.map((violation) => [violation.rule + violation.problem, violation])).values()]
}
