import type { Address, Hex, Prices } from '@understudy/evm'
import { addressFromNumber, wordFromBigint } from '../../../shared/hex.ts'
import { authorities, measuredAuthorizations } from './authorizations.ts'
import {
  account,
  clearer,
  collector,
  type MeasuredAccount,
  type MeasuredTransaction,
  plainAccount,
  reporter,
  type Shown,
  sender,
  spender,
} from './shown.ts'

/** A piece of code that leaves the stack as it was. */
type Measure = {
  shows: Shown
  code: string
  /** Runs before it, outside of what is measured. */
  before?: string
  /** The code leaves whether it succeeded on the stack: zero stands for no measure. */
  mayFail?: boolean
}

/** The code of an account that is called, which answers a word for each measure. */
type Group = { gas: number; before?: string; balance?: bigint; slots?: readonly number[]; measures: readonly Measure[] }

/** Its code fails. */
const failing = account(6)
/** It destroys itself: the first in favour of an account that is, the second of one that is not. */
const emptied = (index: number): Address => account(7 + index)
const existing = (index: number): Address => account(0x10 + index)
const missing = (index: number): Address => account(0x20 + index)
const groupAccount = (index: number): Address => account(0x40 + index)

/** Bytecode that pushes a number. */
function push(value: number): string {
  const digits = value.toString(16)
  const even = digits.padStart(digits.length + (digits.length % 2), '0')
  return (0x5f + even.length / 2).toString(16) + even
}

const pushAddress = (address: Address) => `73${address.slice(2)}`
const pushWord = (digits: string) => `7f${digits}`
const store = (at: number) => `${push(at)}52`
const [pop, gas] = ['50', '5a']

/** Input for precompiles that take anything but zeros, above the answers. */
const zerosAt = 0x2000
const roundsAt = 0x2800
const exponentAt = 0x2a00

const sload = (slot: number) => `${push(slot)}54${pop}`
const sstore = (slot: number, value: number) => `${push(value)}${push(slot)}55`
const read = (code: string, address: Address) => `${pushAddress(address)}${code}${pop}`
const call = (address: Address, value = 0, limit = 0xffff) =>
  `${push(0).repeat(4)}${push(value)}${pushAddress(address)}${push(limit)}f1${pop}`

/** Slots that are not one beside another: some chains have one price for a page of them. */
const far = (index: number) => index * 0x1_0000 + 1
const emptySlot = (index: number) => far(0x80 + index)

const storage: Group = {
  gas: 1_000_000,
  slots: Array.from({ length: 10 }, (_, index) => far(index)).concat(far(0) + 1),
  measures: [
    { shows: { price: 'coldSload', count: 1 }, code: sload(far(0)) },
    { shows: { price: 'warmAccess', count: 1 }, code: sload(far(0)) },
    { shows: { check: 'a cold slot beside a warm one' }, code: sload(far(0) + 1) },
    { shows: { price: 'coldSstore', count: 1 }, code: sstore(far(1), 1) },
    { shows: { price: 'sstoreReset', count: 1 }, code: sstore(far(0), 2) },
    { shows: { check: 'changing a cold slot' }, code: sstore(far(2), 2) },
    { shows: { check: 'changing a slot again' }, code: sstore(far(0), 3) },
    { shows: { check: 'writing what a slot has' }, code: sstore(far(0), 3) },
    { shows: { price: 'sstoreSet', count: 1 }, before: sload(emptySlot(0)), code: sstore(emptySlot(0), 1) },
    { shows: { check: 'setting a cold slot' }, code: sstore(emptySlot(1), 1) },
    { shows: { check: 'clearing a slot' }, before: sload(far(3)), code: sstore(far(3), 0) },
    { shows: { check: 'clearing a cold slot' }, code: sstore(far(4), 0) },
  ],
}

const accounts: Group = {
  gas: 2_000_000,
  balance: 10n ** 18n,
  measures: [
    { shows: { price: 'coldAccount', count: 1 }, code: read('31', existing(0)) },
    { shows: { check: 'BALANCE of a warm account' }, code: read('31', existing(0)) },
    { shows: { check: 'EXTCODESIZE of a cold account' }, code: read('3b', existing(1)) },
    { shows: { price: 'readCode', count: 1 }, code: read('3b', existing(1)) },
    { shows: { check: 'a call of a cold account' }, code: call(existing(2)) },
    { shows: { price: 'callValue', count: 1 }, before: call(failing), code: call(failing, 1, 0) },
    { shows: { price: 'callStipend', count: -1 }, code: call(existing(2), 1) },
    { shows: { check: 'a call with value of a cold account' }, code: call(existing(3), 1) },
    { shows: { check: 'a call of an account that is not' }, code: call(missing(0)) },
    { shows: { price: 'newAccount', count: 1 }, code: call(missing(0), 1) },
    { shows: { check: 'a call with value of a cold account that is not' }, code: call(missing(1), 1) },
    { shows: { price: 'selfdestruct', count: 1 }, code: call(emptied(0), 0, 0x7_ffff) },
    { shows: { price: 'selfdestructNewAccount', count: 1 }, code: call(emptied(1), 0, 0x7_ffff) },
  ],
}

/** Of the zeros above the answers. */
const region = (size: number) => `${push(size)}${push(zerosAt)}`

const hashes: Group = {
  gas: 500_000,
  before: `${push(0)}${store(zerosAt + 1024)}`,
  measures: [
    { shows: { price: 'keccak', count: 1 }, code: `${region(0)}20${pop}` },
    { shows: { price: 'keccakWord', count: 32 }, code: `${region(1024)}20${pop}` },
    { shows: { price: 'log', count: 1 }, code: `${region(0)}a0` },
    { shows: { price: 'logTopic', count: 4 }, code: `${push(0).repeat(4)}${region(0)}a4` },
    { shows: { price: 'logByte', count: 32 }, code: `${region(32)}a0` },
    { shows: { price: 'exp', count: 1 }, code: `${push(0)}${push(2)}0a${pop}` },
    { shows: { price: 'expByte', count: 32 }, code: `${pushWord('f'.repeat(64))}${push(2)}0a${pop}` },
    { shows: { price: 'copyWord', count: 32 }, code: `${push(1024)}${push(0)}${push(zerosAt)}39` },
    { shows: { check: 'CALLDATACOPY' }, code: `${push(1024)}${push(0)}${push(zerosAt)}37` },
  ],
}

const memory: Group = {
  gas: 200_000,
  measures: [
    { shows: { price: 'memoryWord', count: 129 }, code: `${push(0x1000)}51${pop}` },
    { shows: { check: 'much memory' }, code: `${push(0x10000)}51${pop}` },
  ],
}

const transient: Group = {
  gas: 100_000,
  measures: [
    { shows: { price: 'transient', count: 1 }, code: `${push(0)}5c${pop}` },
    { shows: { check: 'TSTORE' }, code: `${push(1)}${push(0)}5d` },
  ],
}

/** Init code that makes a contract of so many zero bytes, at the start of a word of memory. */
const initcodeOf = (size: number) =>
  `${pushWord(`${push(size)}${push(0)}f3`.padEnd(64, '0'))}${store(zerosAt + 2048 + size * 32)}`
const create = (size: number) => `${push(5)}${push(zerosAt + 2048 + size * 32)}${push(0)}f0${pop}`

const creation: Group = {
  gas: 3_000_000,
  before: `${push(0)}${store(zerosAt + 1024)}${initcodeOf(1)}${initcodeOf(32)}`,
  measures: [
    { shows: { price: 'create', count: 1 }, code: `${region(0)}${push(0)}f0${pop}` },
    { shows: { price: 'initcodeWord', count: 32 }, code: `${region(1024)}${push(0)}f0${pop}` },
    { shows: { price: 'codeWord', count: 1 }, code: create(1) },
    { shows: { price: 'codeByte', count: 32 }, code: create(32) },
    { shows: { check: 'CREATE2' }, code: `${push(1)}${region(1024)}${push(0)}f5${pop}` },
  ],
}

/** Calls of a precompile with what memory has at `at`. */
function precompile(
  number: number,
  sizes: readonly [number, number],
  limit = 0x4_ffff,
  [smallAt, largeAt] = [zerosAt, zerosAt],
): Measure[] {
  return sizes.map((bytes, index) => ({
    shows: { precompile: addressFromNumber(number), words: Math.ceil(bytes / 32), isLarge: index === 1 },
    code: `${push(0)}${push(0)}${push(bytes)}${push(index === 1 ? largeAt : smallAt)}${push(number)}${push(limit)}fa`,
    mayFail: true,
  }))
}

/** What a call of a precompile costs beside it: the operations, and a warm access. */
export const aroundPrecompile = ({ warmAccess }: Pick<Prices, 'warmAccess'>): number => 20 + warmAccess

/** Words of memory, by where they are. */
const inputs: readonly (readonly [number, string])[] = [
  // Rounds of BLAKE2F.
  [roundsAt, `000003e8${'0'.repeat(56)}`],
  // The lengths of the base, the exponent and the modulus of MODEXP.
  [exponentAt, `${'0'.repeat(61)}200`],
  [exponentAt + 32, `${'0'.repeat(63)}1`],
  [exponentAt + 64, `${'0'.repeat(61)}200`],
]

const precompiles: Group = {
  gas: 9_000_000,
  before: `${push(0)}${store(exponentAt + 0x500)}${inputs.map(([at, word]) => `${pushWord(word)}${store(at)}`).join('')}`,
  measures: [
    ...precompile(0x01, [128, 256]),
    ...precompile(0x02, [0, 1024]),
    ...precompile(0x03, [0, 1024]),
    ...precompile(0x04, [0, 1024]),
    ...precompile(0x05, [96, 1121], 0x4_ffff, [zerosAt, exponentAt]),
    ...precompile(0x06, [64, 128]),
    ...precompile(0x07, [64, 96]),
    ...precompile(0x08, [0, 384], 1_500_000),
    ...precompile(0x09, [213, 213], 0x4_ffff, [zerosAt, roundsAt]),
    ...precompile(0x0b, [256, 256]),
    ...precompile(0x0c, [160, 320], 500_000),
    ...precompile(0x0d, [512, 512]),
    ...precompile(0x0e, [288, 576], 1_000_000),
    ...precompile(0x0f, [384, 768], 2_500_000),
    ...precompile(0x10, [64, 64]),
    ...precompile(0x11, [128, 128], 600_000),
    ...precompile(0x100, [0, 160]),
    // Point evaluation (0x0a) is measured by itself.
  ],
}

const groups = [storage, accounts, hashes, memory, transient, creation, precompiles]

/** A valid proof: of the polynomial that is zero everywhere, whose commitment and proof are the point at infinity. */
const zeroProof = {
  size: 192,
  versionedHash: '010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014',
  infinity: 0xc0,
  infinityAt: [96, 144],
}

const pointEvaluation: Group = {
  gas: 500_000,
  before: [
    `${push(0)}${store(zerosAt + zeroProof.size - 32)}`,
    `${pushWord(zeroProof.versionedHash)}${store(zerosAt)}`,
    ...zeroProof.infinityAt.map((at) => `${push(zeroProof.infinity)}${push(zerosAt + at)}53`),
  ].join(''),
  measures: precompile(0x0a, [zeroProof.size, zeroProof.size]).slice(0, 1),
}

const answerOf = ({ before = '', measures }: Group): string => {
  const parts = measures.map((measure, index) => {
    const taken = measure.mayFail ? '90910302' : '9003'
    return `${measure.before ?? ''}${gas}${measure.code}${gas}${taken}${store(index * 32)}`
  })
  return `${before}${parts.join('')}${push(measures.length * 32)}${push(0)}f3`
}

/** Calls all groups, and answers the gas that it began with, and what each group answered. */
const collected = (() => {
  let at = 32
  const calls = groups.map(({ measures, gas: limit }, index) => {
    const size = measures.length * 32
    const code = `${push(size)}${push(at)}${push(0).repeat(3)}${pushAddress(groupAccount(index))}${push(limit)}f1${pop}`
    at += size
    return code
  })
  return `${gas}${store(0)}${calls.join('')}${push(at)}${push(0)}f3`
})()

/** Spends some 100 000 gas. */
const spending = pushWord('f'.repeat(64)) + `80800a${pop}`.repeat(64) + pop

const reporting = `${gas}${store(0)}${push(32)}${push(0)}f3`
const one = new Map([[1n, 1n]])
const hex = (code: string): Hex => `0x${code}`

export const measuredAccounts: ReadonlyMap<Address, MeasuredAccount> = new Map<Address, MeasuredAccount>([
  [sender, { balance: 10n ** 20n }],
  [collector, { code: hex(collected) }],
  [reporter, { code: hex(reporting) }],
  [spender, { code: hex(spending) }],
  [clearer, { code: hex(`${spending}${push(0)}${push(1)}55`), slots: one }],
  ...authorities,
  [failing, { code: '0xfe' }],
  [emptied(0), { code: hex(`${pushAddress(existing(0))}ff`), balance: 1n }],
  [emptied(1), { code: hex(`${pushAddress(missing(2))}ff`), balance: 1n }],
  ...[0, 1, 2, 3].map((index): [Address, MeasuredAccount] => [existing(index), { code: '0x00' }]),
  ...groups.map((group, index): [Address, MeasuredAccount] => [
    groupAccount(index),
    {
      code: hex(answerOf(group)),
      ...(group.balance !== undefined && { balance: group.balance }),
      ...(group.slots && { slots: new Map(group.slots.map((slot) => [BigInt(slot), 1n])) }),
    },
  ]),
])

/** Bytes that are not zero. */
const fullBytes = (count: number): Hex => hex('ff'.repeat(count))
const listed = account(9)
const keys = [1n, 2n, 3n, 4n].map(wordFromBigint)

export const measuredTransactions: readonly MeasuredTransaction[] = [
  { shows: { price: 'transaction', count: 1 }, to: sender },
  { shows: { price: 'transactionRecipient', count: 1 }, to: plainAccount },
  { shows: { price: 'transactionValue', count: 1 }, to: plainAccount, value: 1n },
  { shows: { price: 'floorToken', count: 1024 }, to: plainAccount, data: fullBytes(256) },
  {
    shows: { price: 'accessListAddress', count: 1 },
    to: spender,
    accessList: [{ address: listed, storageKeys: [] }],
  },
  {
    shows: { price: 'accessListKey', count: keys.length },
    to: spender,
    accessList: [{ address: listed, storageKeys: keys }],
  },
  { shows: { price: 'refundClear', count: -1 }, to: clearer },
]

/** Answers what a call of 0x0a takes, which some nodes take seconds for at first; zero where it fails. */
export const pointEvaluationMeter = { code: hex(answerOf(pointEvaluation)), gas: pointEvaluation.gas }

/** The data of a call whose gas shows what its bytes cost: one of them is zero. */
export const measuredData: Hex = hex(`${'ff'.repeat(256)}00`)

/** Init code that answers the gas that it began with. */
export const measuredInitcode: Hex = hex(reporting)

/** What is measured, in the order of the readings. */
export const measured: readonly Shown[] = [
  // The gas that the call of the collector begins with.
  { price: 'transactionRecipient', count: 1, otherwise: 'transaction' },
  ...groups.flatMap(({ measures }) => measures.map(({ shows }) => shows)),
  { price: 'calldataByte', count: 256, also: ['calldataZeroByte', 1] },
  { price: 'transactionCreate', count: 1 },
  ...measuredTransactions.map(({ shows }) => shows),
  ...measuredAuthorizations.map(({ shows }) => shows),
]

export const measuredPrecompiles: ReadonlySet<Address> = new Set(
  measured.flatMap((shown) => ('precompile' in shown ? [shown.precompile] : [])),
)

/** How many words the collector answers. */
export const collectedWords = measured.length - measuredTransactions.length - measuredAuthorizations.length - 2
