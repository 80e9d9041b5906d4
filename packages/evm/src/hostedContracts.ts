import { hexAt, hexFromBytes, readWord, writeHex, writeWord } from './bytes.ts'
import { priceOf } from './gas/precompilePrices.ts'
import type { Prices } from './gas/prices.ts'
import type { MissingState } from './missing.ts'
import type {
  Address,
  ContractAnswer,
  ContractCall,
  ContractState,
  HostedContracts,
  OverrideTable,
  StateView,
  Word,
} from './port.ts'
import type { EngineExports } from './wasm.ts'

/** The number of a precompile that `BlockContext.contracts` answers. */
export const hostedContract = 0x200
/** Answers to the engine: too little gas, a failure, and a revert, from which the gas is subtracted. */
const outOfGas = -1n
const failed = -2n
const reverted = -4n

/** The instance in which a contract is called. */
type Instance = {
  readonly exports: EngineExports
  readonly bytes: Buffer
  readonly data: DataView
  readonly missing: MissingState
  account(address: Address): number
  readAccount(account: number): { balance: bigint } | undefined
  credit(account: number, wei: bigint): void
  debit(account: number, wei: bigint): void
  takeAddress(): Address
}

/** The longest input that the live chain is asked about, in bytes. */
const inputLimit = 32_768
const noAnswer = { output: new Uint8Array(), isReverted: false }

/** Runs a contract of the host; answers the engine as a precompile does. */
export function runHosted(
  instance: Instance,
  contracts: HostedContracts,
  view: StateView,
  { input, gas, prices }: { input: Uint8Array; gas: bigint; prices: Prices },
): bigint {
  const call = callOf(instance, new Uint8Array(input))
  const answer = contracts(call, stateOf(instance, view, call.address))
  const price = prices.precompiles[call.address]
  const cost = price ? priceOf(price, call.input.length, answer.gas) : answer.gas
  if (cost > gas) return outOfGas
  if (answer.isFailed === true) return failed
  const { exports } = instance
  const write = (data: Uint8Array) => instance.bytes.set(data, exports.RETURN_DATA.value)
  if (answer.isReverted !== true) {
    for (const { topics, data } of answer.logs ?? []) {
      write(data)
      for (const [index, topic] of topics.entries())
        writeHex(instance.bytes, exports.EXCHANGE.value + 32 * index, topic)
      exports.appendHostedLog(topics.length, data.length)
    }
  }
  write(answer.output)
  exports.setReturnLength(answer.output.length)
  return answer.isReverted === true ? reverted - cost : cost
}

function callOf({ exports, bytes, data }: Instance, input: Uint8Array): ContractCall {
  exports.describeHosted()
  const at = exports.EXCHANGE.value
  const address = (offset: number) => hexAt(bytes, at + offset, at + offset + 20)
  const flag = (offset: number) => bytes.readUInt32LE(at + offset)
  return {
    address: address(0),
    caller: address(32),
    callersCaller: address(64),
    value: readWord(data, at + 96),
    depth: flag(128),
    isStatic: flag(132) !== 0,
    isDelegated: flag(136) !== 0,
    input,
  }
}

function stateOf(instance: Instance, view: StateView, self: Address): ContractState {
  const { exports, missing } = instance
  const at = exports.EXCHANGE.value
  return {
    balance: (address) => instance.readAccount(instance.account(address))?.balance ?? 0n,
    burn: (wei) => instance.debit(instance.account(self), wei),
    transfer(from, to, wei) {
      const sender = instance.account(from)
      const balance = instance.readAccount(sender)?.balance
      // A missing account has nothing, and the message runs again.
      if (balance === undefined) return true
      if (balance < wei) return false
      const receiver = instance.account(to)
      instance.debit(sender, wei)
      instance.credit(receiver, wei)
      return true
    },
    code(address) {
      const account = view.account(address)
      if (!account) missing.addAccount(address)
      const code = account && view.code(address, account.codeHash)
      if (account && !code) missing.addCode(address)
      return code ?? new Uint8Array()
    },
    slot(key) {
      writeHex(instance.bytes, at, key)
      exports.readHostedSlot()
      return readWord(instance.data, at + 32)
    },
    setSlot(key, value) {
      writeHex(instance.bytes, at, key)
      writeWord(instance.data, at + 32, value)
      exports.writeHostedSlot()
    },
    blockHash(number): Word {
      const hash = view.blockHash(number)
      if (hash === undefined) missing.addBlockHash(number)
      return hash ?? `0x${'00'.repeat(32)}`
    },
    live(input, address = self): Pick<ContractAnswer, 'output' | 'isReverted'> {
      if (input.length > inputLimit) return { ...noAnswer, isReverted: true }
      const answer = view.liveAnswer?.(address, hexFromBytes(input))
      if (answer === undefined && view.liveAnswer) missing.addCall(address, hexFromBytes(input))
      return answer ?? noAnswer
    },
  }
}

/** A hash of the layer below, which the chain keeps in a slot. */
export function l1HashOf(
  { missing }: Pick<Instance, 'missing'>,
  view: StateView,
  [address, slot]: readonly [Address, Word],
): Word | undefined {
  const hash = view.storage(address, slot)
  if (hash === undefined) missing.addSlot(address, slot)
  return hash === undefined ? undefined : `0x${hash.toString(16).padStart(64, '0')}`
}

/** Replaces what a call returned by what a table says. Answers the number of its bytes; -1 if nothing is replaced. */
export function replaceOutput(
  instance: Pick<Instance, 'exports' | 'bytes' | 'takeAddress'>,
  overrides: OverrideTable | undefined,
  ...[input, length, outputLength]: [input: number, length: number, outputLength: number]
): number {
  const { bytes } = instance
  const output = instance.exports.RETURN_DATA.value
  const replaced = overrides?.resolve(
    instance.takeAddress(),
    new Uint8Array(bytes.subarray(input, input + length)),
    new Uint8Array(bytes.subarray(output, output + outputLength)),
  )
  if (replaced === undefined) return -1
  instance.bytes.set(replaced, output)
  return replaced.length
}
