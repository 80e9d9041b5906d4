import { writeHex, writeWord } from './bytes.ts'
import type { ForkRules } from './forks.ts'
import { engineTables } from './gas/engineTables.ts'
import { hostedContract } from './hostedContracts.ts'
import type { Address, BlockContext, Message } from './port.ts'
import { precompileNumber } from './tracers/isPrecompile.ts'
import type { EngineExports } from './wasm.ts'

/** The index of each word in assembly/context.ts. */
const contextIndex = {
  origin: 0,
  gasPrice: 1,
  coinbase: 2,
  timestamp: 3,
  number: 4,
  prevRandao: 5,
  gasLimit: 6,
  chainId: 7,
  baseFee: 8,
  blobBaseFee: 9,
  slotNumber: 10,
} as const

const wordsOfBlock = ['timestamp', 'number', 'prevRandao', 'gasLimit', 'chainId', 'baseFee', 'blobBaseFee'] as const

/** The instance whose block and message are set. */
type Instance = {
  readonly exports: EngineExports
  readonly bytes: Buffer
  readonly data: DataView
  giveAddress(address: Address): void
}

function setContextWord(instance: Instance, name: keyof typeof contextIndex, value: bigint): void {
  writeWord(instance.data, instance.exports.EXCHANGE.value, value)
  instance.exports.setContext(contextIndex[name])
}

function setContextAddress(instance: Instance, name: keyof typeof contextIndex, address: Address): void {
  const exchange = instance.exports.EXCHANGE.value
  writeWord(instance.data, exchange, 0n)
  writeHex(instance.bytes, exchange + 12, address)
  instance.exports.setContext(contextIndex[name])
}

/** Sets the block context of an instance, and the rules and prices of the block. */
export function writeBlock(instance: Instance, block: BlockContext, rules: ForkRules): void {
  const { exports } = instance
  const { rows, words } = engineTables(rules.fork, rules.prices)
  instance.bytes.set(rows, exports.ROWS.value)
  instance.bytes.set(words, exports.PRICES.value)
  exports.setRules(
    Number(rules.rejectEf),
    Number(rules.limitInitcode),
    Number(rules.destroyOnlyNew),
    Number(rules.delegation),
    rules.lastPrecompile,
    Number(rules.p256),
    Number(rules.storageCollides),
    Number(rules.transferLogs),
    Number(rules.stateGas),
    Number(rules.keepsBalance),
    rules.maxCodeSize,
  )
  setContextAddress(instance, 'coinbase', block.coinbase)
  for (const name of wordsOfBlock) setContextWord(instance, name, block[name])
  if (block.l1) setContextWord(instance, 'number', block.l1.number)
  setContextWord(instance, 'slotNumber', block.slotNumber ?? 0n)
  exports.restorePrecompiles()
  for (const [address, number] of block.precompiles ?? []) {
    instance.giveAddress(address)
    const ofChain = block.chainPrecompiles ?? block.precompiles
    const isWarm = (ofChain?.get(address) ?? precompileNumber(address, rules) ?? 0) !== 0
    move(exports, number, isWarm)
  }
  for (const prefix of block.hostedPrefixes ?? []) {
    const digits = prefix.slice(2)
    instance.giveAddress(`0x${digits.padEnd(40, '0')}`)
    move(exports, hostedContract, false, 4 * (40 - digits.length))
  }
}

function move(exports: EngineExports, number: number, isWarm: boolean, anyBits = 0): void {
  if (exports.movePrecompile(number, Number(isWarm), anyBits) === 0)
    throw new RangeError('More than 50 precompiles are moved')
}

/** The values of ORIGIN, GASPRICE and BLOBHASH in an instance. Calls often have the same ones as the call before. */
export class WrittenMessage {
  #origin: Address | undefined
  #gasPrice = 0n
  #hasHashes = false

  write(instance: Instance, { from, gasPrice, blobVersionedHashes: hashes = [] }: Message): void {
    const hasHashes = hashes.length > 0
    if (this.#origin === from && this.#gasPrice === gasPrice && !this.#hasHashes && !hasHashes) return
    this.#origin = from
    this.#gasPrice = gasPrice
    this.#hasHashes = hasHashes
    const { exports } = instance
    setContextAddress(instance, 'origin', from)
    setContextWord(instance, 'gasPrice', gasPrice)
    exports.setBlobHashCount(hashes.length)
    for (const [index, hash] of hashes.entries()) {
      writeHex(instance.bytes, exports.EXCHANGE.value, hash)
      exports.setBlobHash(index)
    }
  }

  /** The instance is a new one. */
  forget(): void {
    this.#origin = undefined
  }
}
