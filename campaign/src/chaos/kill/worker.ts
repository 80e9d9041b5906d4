import type { Random } from '@understudy/testkit'
import { type Address, type Hex, keccak256, pad, parseGwei, toHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import type { LiveContracts } from './liveTraffic.ts'
import type { Register } from './register.ts'
import { quantity, type Rpc } from './rpc.ts'

/** A client that requests changes, one after the other, of state that no other worker uses. */
export type Worker = {
  rpc: Rpc
  random: Random
  register: Register
  live: LiveContracts
  chainId: number
  account: HDAccount
  /** The nonce of its next transaction. */
  nonce: number
  /** Distinguishes what the workers create. */
  name: string
  /** An unused address. */
  freshAddress(): Address
}

/** Requests one change, or several that belong together. */
export type Step = (worker: Worker) => Promise<void>

/** A signed transaction, not sent yet. */
export type Signed = { hash: Hex; raw: Hex }

type Wanted = { to?: Address; value?: bigint; data?: Hex; nonce?: number; gas?: bigint }

/** Signs the worker's next transaction; with a `nonce`, one that does not advance its count. */
export async function sign(worker: Worker, { gas = 900_000n, nonce, ...wanted }: Wanted): Promise<Signed> {
  const { account, chainId } = worker
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n }
  const raw = await account.signTransaction({ ...wanted, ...fees, chainId, gas, nonce: nonce ?? worker.nonce++ })
  return { raw, hash: keccak256(raw) }
}

export const send = ({ rpc }: Worker, { raw }: Signed) => rpc('eth_sendRawTransaction', raw)

/** The prefix of every address that a worker makes up and of the words that it writes. */
export const madeUpAddress = (seed: string): Address => `0x${keccak256(toHex(seed)).slice(26)}`
export const madeUpWord = (number: number): Hex => pad(quantity(number + 1))

/** The contract's mapping of numbers to numbers is in slot 0. */
export const slotOfValue = (key: number): Hex => keccak256(`${pad(quantity(key))}${pad('0x0').slice(2)}` as Hex)
