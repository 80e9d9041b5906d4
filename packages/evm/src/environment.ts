import { writeHex, writeWord } from './bytes.ts'
import type { ForkRules } from './forks.ts'
import { packRows } from './opcodes.ts'
import type { Address, BlockContext, Fork, Word } from './port.ts'
import { precompileNumber } from './tracers/isPrecompile.ts'
import type { EngineExports } from './wasm.ts'

/** The place of each word in assembly/context.ts. */
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
  giveAddress(address: Address): void
}

const rowsByFork = new Map<Fork, Uint8Array>()

function rowsOf(fork: Fork): Uint8Array {
  const rows = rowsByFork.get(fork) ?? packRows(fork)
  rowsByFork.set(fork, rows)
  return rows
}

function setContext(instance: Instance, name: keyof typeof contextIndex, write: (at: number) => void): void {
  const exchange = instance.exports.EXCHANGE.value
  instance.bytes.fill(0, exchange, exchange + 32)
  write(exchange)
  instance.exports.setContext(contextIndex[name])
}

function setContextWord(instance: Instance, name: keyof typeof contextIndex, value: bigint): void {
  setContext(instance, name, (at) => writeWord(instance.bytes, at, value))
}

function setContextAddress(instance: Instance, name: keyof typeof contextIndex, address: Address): void {
  setContext(instance, name, (at) => writeHex(instance.bytes, at + 12, address))
}

/** Sets the block context of an instance, and the rules of the block's fork. */
export function writeBlock(instance: Instance, block: BlockContext, rules: ForkRules): void {
  const { exports } = instance
  instance.bytes.set(rowsOf(block.fork), exports.ROWS.value)
  exports.setRules(
    Number(rules.rejectEf),
    rules.clearRefund,
    Number(rules.selfdestructRefund),
    Number(rules.meterInitcode),
    Number(rules.destroyOnlyNew),
    Number(rules.delegation),
    rules.lastPrecompile,
    Number(rules.p256),
    Number(rules.storageCollides),
    Number(rules.transferLogs),
    Number(rules.stateGas),
    Number(rules.keepsBalance),
  )
  const { coldAccount, callValue, callToNew, destructToNew, codeByte, codeWord } = rules.prices
  exports.setPrices(coldAccount, callValue, callToNew, destructToNew, codeByte, codeWord, rules.maxCodeSize)
  setContextAddress(instance, 'coinbase', block.coinbase)
  for (const name of wordsOfBlock) setContextWord(instance, name, block[name])
  if (block.l1) setContextWord(instance, 'number', block.l1.number)
  setContextWord(instance, 'slotNumber', block.slotNumber ?? 0n)
  exports.restorePrecompiles()
  for (const [address, number] of block.precompiles ?? []) {
    instance.giveAddress(address)
    const ofChain = block.chainPrecompiles ?? block.precompiles
    const isWarm = (ofChain?.get(address) ?? precompileNumber(address, rules) ?? 0) !== 0
    if (exports.movePrecompile(number, Number(isWarm)) === 0) throw new RangeError('More than 50 precompiles are moved')
  }
}

/** Sets the values of ORIGIN, GASPRICE and BLOBHASH in an instance. */
export function writeMessage(instance: Instance, origin: Address, gasPrice: bigint, blobHashes: readonly Word[]): void {
  const { exports } = instance
  setContextAddress(instance, 'origin', origin)
  setContextWord(instance, 'gasPrice', gasPrice)
  exports.setBlobHashCount(blobHashes.length)
  for (const [index, hash] of blobHashes.entries()) {
    writeHex(instance.bytes, exports.EXCHANGE.value, hash)
    exports.setBlobHash(index)
  }
}
