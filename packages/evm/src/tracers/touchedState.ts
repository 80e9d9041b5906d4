import type { Address, Word } from '../port.ts'
import type { TracedRun } from './tracer.ts'

const delegationPrefix = [0xef, 0x01, 0x00]

/** Operations that touch an account or a slot, with where on the stack it is named; calls and creates are in the frames. */
const sload = 0x54
const sstore = 0x55
const ofAccount: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff])

/** The accounts and slots that a transaction touched, in go-ethereum's sense: with its sender, its target, and the coinbase. */
export async function touchedState(run: TracedRun): Promise<Map<Address, ReadonlySet<Word>>> {
  const { message, block, result, view } = run
  const { accounts, slots } = readsMore(run) ? await touchedByOperations(run) : result.readSet
  const touched = new Map<Address, ReadonlySet<Word>>()
  const add = (address: Address) => touched.set(address, slots.get(address) ?? new Set())
  for (const address of accounts) add(address)
  add(block.coinbase)
  for (const { authority } of message.authorizationList ?? []) if (authority) add(authority)
  // Only that of the target, as it was before the transaction.
  const delegate = message.to && delegateOf(message.to, view)
  if (delegate) add(delegate)
  return touched
}

/** Whether the engine may have read what the code did not use: what an access list names, and code that was delegated to. */
function readsMore({ message, result, view }: TracedRun): boolean {
  if (message.accessList?.length || message.authorizationList?.length) return true
  return result.frames.some(({ to }) => delegateOf(to, view) !== undefined)
}

/** The account whose code an account runs (EIP-7702), before the transaction. */
export function delegateOf(address: Address, view: TracedRun['view']): Address | undefined {
  const account = view.account(address)
  return account && delegateIn(view.code(address, account.codeHash))
}

/** The account that code delegates to (EIP-7702). */
export function delegateIn(code: Uint8Array | undefined): Address | undefined {
  if (code?.length !== 23 || !delegationPrefix.every((byte, index) => code[index] === byte)) return undefined
  return `0x${Buffer.from(code.subarray(3)).toString('hex')}`
}

/** What calls and operations touched. */
export async function touchedByOperations({ message, result, replay }: TracedRun) {
  const slots = new Map<Address, Set<Word>>()
  const accounts = new Set<Address>([message.from])
  for (const { to } of result.frames) accounts.add(to)
  await replay({
    steps: { operations: new Set([sload, sstore, ...ofAccount]), memory: false },
    onStep({ op, stack, address }) {
      const top = (stack.at(-1) ?? 0n).toString(16).padStart(64, '0')
      if (ofAccount.has(op)) accounts.add(`0x${top.slice(24)}`)
      if (op !== sload && op !== sstore) return
      const keys = slots.get(address) ?? new Set()
      slots.set(address, keys.add(`0x${top}`))
    },
  })
  return { accounts, slots }
}
