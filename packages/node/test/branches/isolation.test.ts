import { type Anvil, connectClient, createRandom, startAnvil, type TestClient } from '@understudy/testkit'
import { type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

/** What reads at a block return: balances and slots, by name. */
type Values = Record<string, bigint>
/** A network as it should be: the values at each of its blocks, the newest last. */
type Model = { name: string; parent?: Model; blocks: Values[]; snapshots: { id: Hex; blocks: Values[] }[] }

const holders = ['a1', 'a2', 'a3'].map((end) => pad(`0x${end}`, { size: 20 }))
const contract = pad('0xc0', { size: 20 })
const slots = ['0x0', '0x1'] as const
const operations = Number(process.env.BRANCH_OPERATIONS ?? 40)
const seed = Number(process.env.BRANCH_SEED ?? 7)

let anvil: Anvil
let network: TestNetwork
beforeAll(async () => {
  anvil = await startAnvil()
  const live: TestClient = await connectClient(anvil.url)
  await live.mine({ blocks: 3 })
  network = await startNetwork({ forkUrls: [anvil.url], followHead: false })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

it('keeps random changes of random branches apart, through reverts, resets, removals and restarts', async () => {
  const random = createRandom(seed)
  const origin = Number(await network.client.getBlockNumber())
  const start: Values = Object.fromEntries([...holders, ...slots].map((key) => [key, 0n]))
  let networks: Model[] = [{ name: '', blocks: [start], snapshots: [] }]
  let made = 0
  const ask = async <T>(model: Model, method: string, ...params: unknown[]): Promise<T> => {
    const path = model.name === '' ? '' : `/n/${model.name}`
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await (await fetch(`${network.url}${path}`, { method: 'POST', body })).json()
    if (answer.error) throw new Error(`${method} on ${model.name || 'the network'}: ${answer.error.message}`)
    return answer.result
  }
  const write = ({ blocks }: Model, key: string, value: bigint) => {
    blocks[blocks.length - 1] = { ...blocks.at(-1), [key]: value }
  }
  const seal = ({ blocks }: Model, count: number) => {
    for (let times = 0; times < count; times++) blocks.push({ ...(blocks.at(-1) as Values) })
  }

  const steps: Record<string, (model: Model) => Promise<void>> = {
    async setBalance(model) {
      const [holder, value] = [random.pick(holders), BigInt(random.below(1000))]
      await ask(model, 'dev_setBalance', holder, `${value}`)
      write(model, holder, value)
    },
    async setSlot(model) {
      const [slot, value] = [random.pick(slots), BigInt(random.below(1000))]
      await ask(model, 'dev_setStorageAt', contract, slot, numberToHex(value, { size: 32 }))
      write(model, slot, value)
    },
    async send(model) {
      const to = random.pick(holders)
      const from = network.client.account.address
      await ask(model, 'eth_sendTransaction', { from, to, value: '0x5' })
      seal(model, 1)
      write(model, to, (model.blocks.at(-1)?.[to] ?? 0n) + 5n)
    },
    async mine(model) {
      const count = random.below(20) === 0 ? 1100 : 1 + random.below(3)
      await ask(model, 'anvil_mine', numberToHex(count))
      seal(model, count)
    },
    async branch(model) {
      const newest = model.blocks.length - 1
      const index = random.below(2) === 0 ? newest : random.below(newest + 1)
      const name = `branch-${++made}`
      await ask(model, 'dev_createBranch', { name, ...(index < newest && { at: numberToHex(origin + index) }) })
      networks.push({ name, parent: model, blocks: model.blocks.slice(0, index + 1), snapshots: [] })
    },
    async snapshot(model) {
      model.snapshots.push({ id: await ask(model, 'evm_snapshot'), blocks: [...model.blocks] })
    },
    async revert(model) {
      const at = random.below(model.snapshots.length + 1)
      const snapshot = model.snapshots[at]
      if (!snapshot) return
      expect(await ask(model, 'evm_revert', snapshot.id)).toBe(true)
      model.snapshots.splice(at)
      model.blocks = [...snapshot.blocks]
    },
    async reset(model) {
      if (random.below(3) > 0) return
      await ask(model, 'anvil_reset')
      Object.assign(model, { blocks: [start], snapshots: [] })
    },
    async promote(model) {
      if (!model.parent || !networks.includes(model.parent)) return
      await ask(model, 'dev_promoteBranch', model.name)
      model.parent.blocks[model.parent.blocks.length - 1] = { ...(model.blocks.at(-1) as Values) }
    },
    async remove(model) {
      if (model.name === '' || networks.length < 5) return
      await ask(model, 'dev_removeBranch', model.name)
      networks = networks.filter((other) => other !== model)
    },
  }

  async function check(model: Model): Promise<void> {
    const newest = model.blocks.length - 1
    for (const index of new Set([newest, random.below(newest + 1), random.below(newest + 1)])) {
      // The block of the live chain has no local values.
      if (index === 0 && newest > 0) continue
      const tag = numberToHex(origin + index)
      const read = async (key: string) =>
        BigInt(
          holders.includes(key as Hex)
            ? await ask<Hex>(model, 'eth_getBalance', key, tag)
            : await ask<Hex>(model, 'eth_getStorageAt', contract, key, tag),
        )
      const found = Object.fromEntries(
        await Promise.all([...holders, ...slots].map(async (key) => [key, await read(key)] as const)),
      )
      expect({ network: model.name, index, values: found }).toEqual({
        network: model.name,
        index,
        values: model.blocks[index],
      })
    }
    expect(Number(await ask<Hex>(model, 'eth_blockNumber'))).toBe(origin + newest)
  }

  const names = Object.keys(steps)
  const done: string[] = []
  for (let operation = 0; operation < operations; operation++) {
    const model = random.pick(networks)
    const step = random.pick(names)
    done.push(`${step} ${model.name}`)
    await steps[step]?.(model).catch((error) => {
      if (!/branches of branches/.test(error.message)) throw error
    })
    if (operation === Math.floor(operations / 2)) await network.restart()
    if (operation % 10 === 9) for (const each of networks) await check(each)
  }
  for (const each of networks) await check(each)
})
