import type { Address, ContractAnswer, ContractCall, ContractState, Hex, Word } from '@understudy/evm'
import { wordFromBigint } from '../../../shared/hex.ts'
import { keccak } from '../../../shared/keccak.ts'
import { addressAt, answerOf, type ContractBlock, revertOf, selectorOf, wordAt, words } from './contractCall.ts'

/** How the addresses of tokens begin. */
export const b20Prefix: Hex = '0xb2000000000000000000'
export const policyRegistry: Address = '0x8453000000000000000000000000000000000002'

/** Where a token keeps its state: the namespace `base.b20` (ERC-7201), and the positions of its fields in it. */
const root = 0xc78b71fee795ddd74aff64ea9b2474194c938c3196430e10bb5f01ed48434000n
const field = {
  totalSupply: 3n,
  balances: 4n,
  allowances: 5n,
  roles: 6n,
  transferPolicies: 9n,
  paused: 11n,
  nonces: 13n,
}

/** Since Denim, every transfer asks the policy of who makes it, tokens receive none, and some accounts need no allowance. */
const denim = BigInt(Date.UTC(2026, 10, 5, 18) / 1000)
const infinite = (1n << 256n) - 1n
/** The bit of transfers in what is paused. */
const transfersPaused = 1n
/** The policy that allows everything. */
const alwaysAllow = 0n

const hashOf = (text: string): Word => keccak(Buffer.from(text))
const selectorOfText = (signature: string) => hashOf(signature).slice(2, 10)
const isAuthorized = Buffer.from(selectorOfText('isAuthorized(uint64,address)'), 'hex')
const authorizedSpender = hashOf('AUTHORIZED_SPENDER_ROLE')
const transferTopic = hashOf('Transfer(address,address,uint256)')
const approvalTopic = hashOf('Approval(address,address,uint256)')
const memoTopic = hashOf('Memo(address,bytes32)')

/** Gas of a read, of setting a slot that is zero and one that is not, of a log of three topics and a word. */
const gas = { read: 2_100n, set: 22_100n, reset: 5_000n, log: 1_756n }

/** What a token may not do, with the error that it reverts with. */
class Refusal extends Error {
  readonly output: Uint8Array

  constructor(signature: string, ...values: bigint[]) {
    super(signature)
    this.output = Buffer.concat([Buffer.from(selectorOfText(signature), 'hex'), words(...values)])
  }
}

type Method = (token: Token, input: Uint8Array) => bigint
const big = (address: Address) => BigInt(address)

/** The methods of a token that depend on the state of the network (https://docs.base.org/specifications/b20), by selector. */
const reads = bySelector({
  'totalSupply()': (token) => token.read(root + field.totalSupply),
  'balanceOf(address)': (token, input) => token.read(token.balance(addressAt(input, 0))),
  'allowance(address,address)': (token, input) => token.allowanceOf(addressAt(input, 0), addressAt(input, 1)),
  'nonces(address)': (token, input) => token.read(entry(root + field.nonces, wordAt(input, 0))),
})
const writes = bySelector({
  'approve(address,uint256)': (token, input) => token.approve(addressAt(input, 0), wordAt(input, 1)),
  'transfer(address,uint256)': (token, input) => token.transfer(addressAt(input, 0), wordAt(input, 1)),
  'transferFrom(address,address,uint256)': (token, input) =>
    token.transferFrom(addressAt(input, 0), addressAt(input, 1), wordAt(input, 2)),
  'transferWithMemo(address,uint256,bytes32)': (token, input) => {
    token.transfer(addressAt(input, 0), wordAt(input, 1))
    return token.note(wordAt(input, 2))
  },
  'transferFromWithMemo(address,address,uint256,bytes32)': (token, input) => {
    token.transferFrom(addressAt(input, 0), addressAt(input, 1), wordAt(input, 2))
    return token.note(wordAt(input, 3))
  },
})

function bySelector(methods: Record<string, Method>): ReadonlyMap<string, Method> {
  return new Map(Object.entries(methods).map(([signature, method]) => [selectorOfText(signature), method]))
}

/** What a B20 token answers by the state of the network; `undefined` for other views, and for what is not simulated. */
export function b20Token(call: ContractCall, state: ContractState, block: ContractBlock): ContractAnswer | undefined {
  const selector = selectorOf(call)
  const write = writes.get(selector)
  const method = write ?? reads.get(selector)
  if (!method) return undefined
  // The factory gives every token a byte of code.
  if (state.code(call.address).length === 0 || call.isDelegated || (write && call.isStatic)) return revertOf(call)
  const token = new Token(call, state, block.timestamp >= denim)
  try {
    if (call.value > 0n) throw new Refusal('NonPayable()')
    const output = words(method(token, call.input))
    return answerOf(call, { output, logs: token.logs }, { more: token.gas, isPure: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answerOf(call, { output: error.output, isReverted: true }, { more: token.gas, isPure: true })
  }
}

/** The slot of a key of a mapping. */
function entry(slot: bigint, key: bigint): bigint {
  return BigInt(keccak(words(key, slot)))
}

/** A token while it is called. */
class Token {
  readonly logs: { topics: Word[]; data: Uint8Array }[] = []
  gas = 0n
  readonly #call: ContractCall
  readonly #state: ContractState
  readonly #isDenim: boolean

  constructor(call: ContractCall, state: ContractState, isDenim: boolean) {
    this.#call = call
    this.#state = state
    this.#isDenim = isDenim
  }

  balance(account: Address): bigint {
    return entry(root + field.balances, big(account))
  }

  read(slot: bigint): bigint {
    this.gas += gas.read
    return this.#state.slot(wordFromBigint(slot))
  }

  allowanceOf(owner: Address, spender: Address): bigint {
    return this.#needsNoAllowance(spender) ? infinite : this.read(this.#allowance(owner, spender))
  }

  approve(spender: Address, amount: bigint): bigint {
    const { caller } = this.#call
    if (big(caller) === 0n) throw new Refusal('InvalidApprover(address)', 0n)
    if (big(spender) === 0n) throw new Refusal('InvalidSpender(address)', 0n)
    this.#write(this.#allowance(caller, spender), amount)
    this.#log([approvalTopic, topicOf(caller), topicOf(spender)], words(amount))
    return 1n
  }

  transfer(to: Address, amount: bigint): bigint {
    this.#requireParties(this.#call.caller, to)
    return this.#move(this.#call.caller, to, amount, this.#isDenim)
  }

  transferFrom(from: Address, to: Address, amount: bigint): bigint {
    const { caller } = this.#call
    this.#requireParties(from, to)
    const allowance = this.allowanceOf(from, caller)
    if (allowance < amount)
      throw new Refusal('InsufficientAllowance(address,uint256,uint256)', big(caller), allowance, amount)
    this.#move(from, to, amount, this.#isDenim || caller !== from)
    if (allowance !== infinite) this.#write(this.#allowance(from, caller), allowance - amount)
    return 1n
  }

  note(memo: bigint): bigint {
    this.#log([memoTopic, topicOf(this.#call.caller), wordFromBigint(memo)], new Uint8Array())
    return 1n
  }

  #allowance(owner: Address, spender: Address): bigint {
    return entry(entry(root + field.allowances, big(owner)), big(spender))
  }

  /** Since Denim, an issuer may let an account spend without allowances. */
  #needsNoAllowance(spender: Address): boolean {
    const role = entry(root + field.roles, BigInt(authorizedSpender))
    return this.#isDenim && (this.read(entry(role, big(spender))) & 0xffn) !== 0n
  }

  #requireParties(from: Address, to: Address): void {
    if ((this.read(root + field.paused) & transfersPaused) !== 0n) throw new Refusal('ContractPaused(uint8)', 0n)
    const isToken = this.#isDenim && to.startsWith(b20Prefix)
    if (big(to) === 0n || isToken) throw new Refusal('InvalidReceiver(address)', big(to))
    if (big(from) === 0n) throw new Refusal('InvalidSender(address)', 0n)
  }

  #move(from: Address, to: Address, amount: bigint, asksExecutor: boolean): bigint {
    const policies = this.read(root + field.transferPolicies)
    if (asksExecutor) this.#requirePolicy('TRANSFER_EXECUTOR_POLICY', policies >> 128n, this.#call.caller)
    this.#requirePolicy('TRANSFER_SENDER_POLICY', policies, from)
    this.#requirePolicy('TRANSFER_RECEIVER_POLICY', policies >> 64n, to)
    const [source, target] = [this.balance(from), this.balance(to)]
    const balance = this.read(source)
    if (balance < amount) throw new Refusal('InsufficientBalance(address,uint256,uint256)', big(from), balance, amount)
    this.#write(source, balance - amount)
    this.#write(target, this.#state.slot(wordFromBigint(target)) + amount)
    this.#log([transferTopic, topicOf(from), topicOf(to)], words(amount))
    return 1n
  }

  /** The registry of policies answers for accounts; as it cannot be changed here, that of the live chain does. */
  #requirePolicy(scope: string, word: bigint, account: Address): void {
    const id = BigInt.asUintN(64, word)
    if (id === alwaysAllow) return
    this.gas += gas.read
    const { output, isReverted } = this.#state.live(
      Buffer.concat([isAuthorized, words(id, big(account))]),
      policyRegistry,
    )
    // A missing answer is empty, and the message runs again.
    if (isReverted || (output.length === 32 && output[31] === 0))
      throw new Refusal('PolicyForbids(bytes32,uint64)', BigInt(hashOf(scope)), id)
  }

  #write(slot: bigint, value: bigint): void {
    const key = wordFromBigint(slot)
    this.gas += this.#state.slot(key) === 0n && value !== 0n ? gas.set : gas.reset
    this.#state.setSlot(key, value)
  }

  #log(topics: Word[], data: Uint8Array): void {
    this.gas += gas.log
    this.logs.push({ topics, data })
  }
}

const topicOf = (address: Address): Word => wordFromBigint(big(address))
