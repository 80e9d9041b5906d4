import type { Address, Fork, Hex } from '@understudy/evm'
import { addressFromNumber } from '../../shared/hex.ts'
import type { Header } from '../header.ts'

/** What a chain's machine has, as its own answers show. */
export type Features = {
  baseFee: boolean
  push0: boolean
  transientStorage: boolean
  mcopy: boolean
  blobBaseFee: boolean
  clz: boolean
  /** SLOTNUM (EIP-7843). */
  slotNumber: boolean
  kzg: boolean
  bls: boolean
  /** What P256VERIFY at 0x100 costs, in gas; 0 where it is not. */
  p256Gas: number
  /** Code of the L1 attributes of the OP Stack, and of ArbSys. */
  optimism: boolean
  arbitrum: boolean
}

/** A valid signature: hash, r, s, x, y. */
const p256Input =
  '4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4d' +
  'a73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac' +
  '36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d60' +
  '4aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff3' +
  '7618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e'

/** Answers the word on top of the stack. */
const answerTop = '60005260206000f3'
const answerOne = `6001${answerTop}`
/** Whether a call with no input fails: it does where a precompile wants some, and succeeds where nothing is. */
const failsEmpty = (address: string) => `6000600060006000${address}620186a0fa15${answerTop}`
/** Calls 0x100 with the input that follows the code, and answers the gas that it took times what it answered: 1, or nothing. */
const p256Code = `600060a05260a061002b6000395a602060a060a060006101005afa505a900360a05102${answerTop}${p256Input}`
/** What is around the call of 0x100, in gas: the operations, and a warm address. */
const p256Around = 121

const sizeOf = (address: string) => `${address}3b${answerTop}`

/** Code that answers a word above zero where the chain has the feature, and fails or answers zero elsewhere. */
const questions: { [Feature in keyof Features]: string } = {
  baseFee: `4850${answerOne}`,
  push0: `5f50${answerOne}`,
  transientStorage: `60005c50${answerOne}`,
  mcopy: `6000600060005e${answerOne}`,
  blobBaseFee: `4a50${answerOne}`,
  clz: `60011e50${answerOne}`,
  slotNumber: `4b50${answerOne}`,
  kzg: failsEmpty('600a'),
  bls: failsEmpty('600b'),
  p256Gas: p256Code,
  optimism: sizeOf('734200000000000000000000000000000000000015'),
  arbitrum: sizeOf('6064'),
}

const features = Object.keys(questions) as (keyof Features)[]

const probeAddress = (index: number): Address => addressFromNumber(0xfe0be000 + index)
const probed = probeAddress(features.length)

/** Calls each of the questions, and answers what they answer, a word each. */
const caller = (() => {
  const calls = features.map((_, index) => {
    const at = (index * 32).toString(16).padStart(4, '0')
    return `602061${at}60006000600073${probeAddress(index).slice(2)}6203d090f150`
  })
  return `${calls.join('')}61${(features.length * 32).toString(16).padStart(4, '0')}6000f3`
})()

const codeOf = (code: string) => ({ code: `0x${code}` })

/** Some nodes of rollups charge the sender of a call for its data. */
const sender = probeAddress(102)
const funded = { [sender]: { balance: `0x${'f'.repeat(20)}` } }

/** The parameters of one `eth_call` that asks for everything: the code is set for that call alone. */
export function probeCall(block: Hex): readonly unknown[] {
  const overrides = Object.fromEntries(features.map((name, index) => [probeAddress(index), codeOf(questions[name])]))
  return [{ from: sender, to: probed, gas: '0x7a1200' }, block, { ...overrides, ...funded, [probed]: codeOf(caller) }]
}

const delegating = probeAddress(100)
const target = probeAddress(101)

/** Another `eth_call`, of an account that delegates to code (EIP-7702). Some nodes refuse that code where there is no such thing. */
export function delegationCall(block: Hex): readonly unknown[] {
  const overrides = { ...funded, [target]: codeOf(answerOne), [delegating]: codeOf(`ef0100${target.slice(2)}`) }
  return [{ from: sender, to: delegating, gas: '0x30d40' }, block, overrides]
}

/** What the call answered; `undefined` when that is not an answer to the questions, as where overrides are passed over. */
export function featuresFromAnswer(answer: unknown): Features | undefined {
  if (typeof answer !== 'string' || answer.length !== 2 + features.length * 64) return undefined
  if (!/^0x[\da-f]*$/i.test(answer)) return undefined
  const words = features.map((_, index) => BigInt(`0x${answer.slice(2 + index * 64, 2 + (index + 1) * 64)}`))
  const found = Object.fromEntries(features.map((name, index) => [name, words[index] !== 0n])) as Record<
    string,
    unknown
  >
  const gas = Number(words[features.indexOf('p256Gas')])
  return { ...found, p256Gas: gas === 0 ? 0 : gas - p256Around } as Features
}

export const delegates = (answer: unknown): boolean => typeof answer === 'string' && /^0x0{63}1$/.test(answer)

/** The newest fork of which the chain has what it brought. */
export function forkOfFeatures(has: Features, hasDelegation: boolean, header: Header): Fork {
  if (has.slotNumber) return 'amsterdam'
  if (has.clz) return 'osaka'
  // Some nodes follow delegations whatever the fork; the answer counts only of chains that leave precompiles out.
  if (has.bls || (hasDelegation && has.mcopy && !has.kzg)) return 'prague'
  if (has.transientStorage && has.mcopy) return 'cancun'
  if (has.push0) return 'shanghai'
  if (!has.baseFee) return 'berlin'
  return header.difficulty === 0n ? 'paris' : 'london'
}
