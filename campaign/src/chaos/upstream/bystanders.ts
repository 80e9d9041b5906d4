import assert from 'node:assert/strict'
import type { Random } from '@understudy/testkit'
import { artifacts, JsonRpcError, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Figures } from '../../shared/figures.ts'
import { trafficKeys } from '../kill/liveTraffic.ts'
import { quantity, type Rpc } from '../kill/rpc.ts'
import { madeUpAddress, slotOfValue } from '../kill/worker.ts'

const { abi } = artifacts.SlotReader

type Needs = { rpc: Rpc; reader: Address; random: Random; figures: Figures; timeoutMs: number }

/** Clients that use the network while its upstream has faults. */
export class Bystanders {
  readonly #needs: Needs
  readonly #local = new Map<Address, Hex>()
  #sent = 0
  #isOver = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Makes state local that is used without upstream: some balances, and the accounts of the payer, the payee and the fee recipient. */
  async prepare(): Promise<void> {
    const { rpc } = this.#needs
    for (let index = 0; index < 10; index++) await this.#write(index)
    const { miner } = await rpc<{ miner: Address }>('eth_getBlockByNumber', 'latest', false)
    for (const address of [payer.address, payee.address, miner]) {
      await rpc('dev_setBalance', address, (10n ** 24n).toString())
      await rpc('dev_setNonce', address, 0)
      await rpc('dev_setCode', address, '0x')
    }
    await this.#pay()
  }

  /** Reads and writes until the returned function is called. */
  begin(): () => Promise<void> {
    this.#isOver = false
    const workers = [() => this.#useLocal(), () => this.#readUpstream(), () => this.#readUpstream()]
    const run = async (work: () => Promise<void>) => {
      while (!this.#isOver) await work()
    }
    this.#running = Promise.all(workers.map(run))
    this.#running.catch(() => {})
    return async () => {
      this.#isOver = true
      await this.#running
    }
  }

  /** Checks that everything written is stored. */
  async check(): Promise<void> {
    const { rpc } = this.#needs
    for (const [address, wei] of this.#local) assert.equal(await rpc('eth_getBalance', address, 'latest'), wei)
    assert.equal(Number(await rpc('eth_getTransactionCount', payer.address, 'latest')), this.#sent)
  }

  /** Local state is read and written regardless of upstream. */
  async #useLocal(): Promise<void> {
    const { rpc, random, figures } = this.#needs
    const index = random.below(10)
    await this.#timed('longest local ms', () => this.#write(index))
    const address = addressOf(index)
    const balance = await this.#timed('longest local ms', () => rpc('eth_getBalance', address, 'latest'))
    assert.equal(balance, this.#local.get(address))
    await this.#timed('longest local ms', () => this.#pay())
    figures.add('local requests', 3)
  }

  async #write(index: number): Promise<void> {
    const wei = 1 + this.#needs.random.below(1_000_000)
    await this.#needs.rpc('dev_setBalance', addressOf(index), String(wei))
    this.#local.set(addressOf(index), quantity(wei))
  }

  async #pay(): Promise<void> {
    const wanted = { from: payer.address, to: payee.address, value: '0x1', gas: '0x5208', maxFeePerGas: '0x174876e800' }
    await this.#needs.rpc('eth_sendTransaction', { ...wanted, maxPriorityFeePerGas: '0x1' })
    this.#sent++
  }

  /** Upstream's state is answered, or refused in time with a clear error. */
  async #readUpstream(): Promise<void> {
    const { rpc, random, reader, figures } = this.#needs
    const key = random.below(1_000)
    const data = encodeFunctionData({ abi, functionName: 'values', args: [BigInt(key)] })
    const requests: [string, ...unknown[]][] = [
      ['eth_getStorageAt', reader, slotOfValue(key), 'latest'],
      ['eth_getBalance', madeUpAddress(`stranger ${key}`), 'latest'],
      ['eth_call', { to: reader, data }, 'latest'],
      ['eth_getBlockByNumber', quantity(random.below(5)), false],
    ]
    try {
      await this.#timed('longest upstream ms', () => rpc(...random.pick(requests)))
      figures.add('upstream requests answered')
    } catch (error) {
      requireClear(error)
      figures.add('upstream requests refused')
    }
  }

  async #timed<T>(name: string, task: () => Promise<T>): Promise<T> {
    const { figures, timeoutMs } = this.#needs
    const started = Date.now()
    try {
      return await task()
    } finally {
      const ms = Date.now() - started
      figures.raise(name, ms)
      assert(ms < timeoutMs * 5, `a request took ${ms} ms`)
    }
  }
}

/** State to compare between the network and the live chain. */
export async function stateOf(rpc: Rpc, reader: Address): Promise<unknown[]> {
  const data = encodeFunctionData({ abi, functionName: 'sum', args: [BigInt(trafficKeys)] })
  return [
    await rpc('eth_call', { to: reader, data }, 'latest'),
    await rpc('eth_getStorageAt', reader, slotOfValue(3), 'latest'),
    await rpc('eth_getTransactionCount', testAccounts[4].address, 'latest'),
  ]
}

const [payer, payee] = testAccounts
const addressOf = (index: number) => madeUpAddress(`local ${index}`)

/** Throws unless the error says clearly that upstream is the cause. */
export function requireClear(error: unknown): void {
  if (!(error instanceof JsonRpcError)) throw error
  const { kind } = (error.data ?? {}) as { kind?: string }
  assert.match(String(kind), /^UPSTREAM_/, `${error.code} ${error.message}`)
}
