import { isDeepStrictEqual } from 'node:util'
import { JsonRpcError, postJsonRpc, type Random, testMnemonic } from '@understudy/testkit'
import { type Address, type Hex, keccak256, pad, parseGwei, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { network, type Shown, shownOf, type World, withBranch, withName, withoutBranch, withShown } from './world.ts'

/** Beyond, branches are removed rather than made. */
const branchLimit = 6
/** The newest payments whose receipts are looked for everywhere. */
const paymentsChecked = 12

/** No other client uses it. */
const account = mnemonicToAccount(testMnemonic, { addressIndex: 5 })
const addressOf = (seed: string): Address => `0x${keccak256(toHex(seed)).slice(26)}`
const holders = [1, 2].map((index) => addressOf(`holder ${index} of branches`))
const payee = addressOf('payee of branches')
const contract = addressOf('contract of branches')
const slots = [1, 2].map((index) => pad(toHex(index)))

/** One change, with what is known if it is answered. */
type Change = { next: World; request: () => Promise<unknown> }

/**
 * Makes, changes, renames, promotes and removes branches of one network, one change after the other. Each value is written
 * once, so that one that leaks into another branch is found. What was not answered may have happened, but not in part.
 */
export class BranchClient {
  readonly #random: Random
  #possible: readonly World[]
  #payments: Hex[] = []
  #made = 0
  #written = 0n

  constructor(random: Random) {
    this.#random = random
    const balances = Object.fromEntries([...holders, payee].map((address) => [address, 0n]))
    const nothing = { balances, slots: Object.fromEntries(slots.map((slot) => [slot, 0n])), nonce: 0, payments: [] }
    this.#possible = [new Map([[network, { parent: null, ...nothing }]])]
  }

  /** Compares the network and all of its branches with what was answered. Returns the number of values. */
  async check(url: string): Promise<number> {
    const actual = await this.#read(url)
    const found = this.#possible.find((world) => isDeepStrictEqual(this.#visible(world), actual))
    if (!found) {
      const expected = this.#possible.map((world) => text(this.#visible(world)))
      throw new Error(`the branches are ${text(actual)}; they may be ${expected.join(' or ')}`)
    }
    this.#possible = [found]
    return actual.size * (holders.length + slots.length + paymentsChecked + 3)
  }

  /** Requests changes until the network is gone. Returns how many were answered. `mayWriteNetwork`: not only its branches. */
  async run(url: string, { mayWriteNetwork }: { mayWriteNetwork: boolean }): Promise<number> {
    for (let answered = 0; ; answered++) {
      const [known] = this.#possible
      if (!known || this.#possible.length > 1) throw new Error('check what is stored first')
      const change = await this.#pick(url, known, mayWriteNetwork)
      this.#possible = [known, change.next]
      try {
        await change.request()
        this.#possible = [change.next]
      } catch (error) {
        if (!(error instanceof JsonRpcError)) return answered
        // A branch is made of as many others as may be.
        if (!/branches of branches/.test(error.message)) throw error
        this.#possible = [known]
      }
    }
  }

  async #pick(url: string, world: World, mayWriteNetwork: boolean): Promise<Change> {
    const random = this.#random
    const branches = [...world.keys()].filter((name) => name !== network)
    const written = random.pick(mayWriteNetwork ? [network, ...branches] : branches)
    const branch = random.pick(branches)
    if (branch === undefined || (random.below(5) === 0 && branches.length < branchLimit)) return this.#make(url, world)
    if (written === undefined) return this.#make(url, world)
    const choice = random.below(10)
    if (choice === 0 || branches.length >= branchLimit) return this.#remove(url, world, branch)
    if (choice === 1) return this.#rename(url, world, branch)
    const { parent } = shownOf(world, branch)
    // Other clients write the network, and a promotion would undo that.
    if (choice === 2 && parent !== null) return promotion(url, world, branch, parent)
    if (choice < 5) return this.#pay(url, world, written)
    return choice < 8 ? this.#setBalance(url, world, written) : this.#setSlot(url, world, written)
  }

  #make(url: string, world: World): Change {
    const parent = this.#random.pick([...world.keys()])
    const name = `made/${++this.#made}`
    return {
      next: withBranch(world, name, parent),
      request: () => postJsonRpc(urlOf(url, parent), 'dev_createBranch', [{ name }]),
    }
  }

  #remove(url: string, world: World, name: string): Change {
    return { next: withoutBranch(world, name), request: () => postJsonRpc(url, 'dev_removeBranch', [name]) }
  }

  #rename(url: string, world: World, name: string): Change {
    const to = `renamed/${++this.#made}`
    return { next: withName(world, name, to), request: () => postJsonRpc(url, 'dev_renameBranch', [name, to]) }
  }

  #setBalance(url: string, world: World, name: string): Change {
    const [holder, value] = [this.#random.pick(holders), ++this.#written]
    const { balances } = shownOf(world, name)
    return {
      next: withShown(world, name, { balances: { ...balances, [holder]: value } }),
      request: () => postJsonRpc(urlOf(url, name), 'dev_setBalance', [holder, `${value}`]),
    }
  }

  #setSlot(url: string, world: World, name: string): Change {
    const [slot, value] = [this.#random.pick(slots), ++this.#written]
    const shown = shownOf(world, name)
    return {
      next: withShown(world, name, { slots: { ...shown.slots, [slot]: value } }),
      request: () => postJsonRpc(urlOf(url, name), 'dev_setStorageAt', [contract, slot, pad(toHex(value))]),
    }
  }

  /** A block with its transaction, receipt and balances. */
  async #pay(url: string, world: World, name: string): Promise<Change> {
    const { nonce, balances, payments } = shownOf(world, name)
    const value = ++this.#written
    const chainId = Number(await postJsonRpc(url, 'eth_chainId', []).catch(() => 1))
    const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n }
    const raw = await account.signTransaction({ to: payee, value, nonce, gas: 21_000n, chainId, ...fees })
    const hash = keccak256(raw)
    this.#payments = [...this.#payments, hash].slice(-paymentsChecked)
    return {
      next: withShown(world, name, {
        nonce: nonce + 1,
        balances: { ...balances, [payee]: (balances[payee] ?? 0n) + value },
        payments: [...payments, hash],
      }),
      request: () => postJsonRpc(urlOf(url, name), 'eth_sendRawTransaction', [raw]),
    }
  }

  /** What of a world can be read. */
  #visible(world: World): World {
    const visible = ({ payments, ...shown }: Shown) => ({
      ...shown,
      payments: this.#payments.filter((hash) => payments.includes(hash)),
    })
    return new Map([...world].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, shown]) => [name, visible(shown)]))
  }

  async #read(url: string): Promise<World> {
    const branches = await postJsonRpc<{ name: string; parent: string | null }[]>(url, 'dev_getBranches', [])
    const all = [{ name: network, parent: null }, ...branches].sort((a, b) => (a.name < b.name ? -1 : 1))
    const read = async ({ name, parent }: (typeof all)[number]): Promise<[string, Shown]> => {
      const ask = <T>(method: string, ...params: unknown[]) => postJsonRpc<T>(urlOf(url, name), method, params)
      const valuesOf = async <Key extends Hex>(keys: readonly Key[], load: (key: Key) => Promise<Hex>) =>
        Object.fromEntries(await Promise.all(keys.map(async (key) => [key, BigInt(await load(key))])))
      const receipts = await Promise.all(this.#payments.map((hash) => ask('eth_getTransactionReceipt', hash)))
      return [
        name,
        {
          parent,
          balances: await valuesOf([...holders, payee], (holder) => ask('eth_getBalance', holder, 'latest')),
          slots: await valuesOf(slots, (slot) => ask('eth_getStorageAt', contract, slot, 'latest')),
          nonce: Number(await ask('eth_getTransactionCount', account.address, 'latest')),
          payments: this.#payments.filter((_, index) => receipts[index] !== null),
        },
      ]
    }
    return new Map(await Promise.all(all.map(read)))
  }

  /** Removes all branches. */
  async removeAll(url: string): Promise<void> {
    const [known] = this.#possible
    for (const name of known?.keys() ?? []) {
      if (name === network) continue
      await postJsonRpc(url, 'dev_removeBranch', [name])
      this.#possible = this.#possible.map((world) => withoutBranch(world, name))
    }
  }
}

/** Puts a parent at the state of its branch, but for the blocks that it sealed. */
function promotion(url: string, world: World, name: string, parent: string): Change {
  const { balances, slots, nonce } = shownOf(world, name)
  return {
    next: withShown(world, parent, { balances, slots, nonce }),
    request: () => postJsonRpc(url, 'dev_promoteBranch', [name]),
  }
}

const urlOf = (url: string, name: string) => (name === network ? url : `${url}/n/${encodeURIComponent(name)}`)

const text = (world: World) =>
  JSON.stringify(Object.fromEntries(world), (_, value) => (typeof value === 'bigint' ? `${value}` : value))
