import { type Anvil, startAnvil, testAccounts } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const alice = testAccounts[0].address
const stranger = '0x00000000000000000000000000000000000000b1'

let anvil: Anvil
let network: TestNetwork

beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

type Rpc = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>

/** Calls of the network, or of a new branch of it, also after a restart. */
async function open(which: 'a network' | 'a branch'): Promise<Rpc> {
  const { id } = which === 'a network' ? { id: undefined } : await network.rpc<{ id: string }>('dev_createBranch')
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(`${network.url}${id === undefined ? '' : `/n/${id}`}`, { method: 'POST', body })
    const { result, error } = (await answer.json()) as { result: never; error?: object }
    if (error) throw error
    return result
  }
}

const send = (rpc: Rpc, fields: object = {}) =>
  rpc<Hex>('eth_sendTransaction', { from: alice, to: stranger, value: '0x1', ...fields })

describe.each(['a network', 'a branch'] as const)('%s', (which) => {
  it('gives an id of a snapshot once, through reverts, resets and restarts', async () => {
    const rpc = await open(which)
    const balance = () => rpc<Hex>('eth_getBalance', stranger, 'latest')
    const ids: Hex[] = []
    const snapshot = async () => {
      ids.push(await rpc<Hex>('evm_snapshot'))
      return ids.at(-1) as Hex
    }
    const first = await snapshot()
    expect(await rpc('evm_revert', first)).toBe(true)
    await send(rpc)
    const second = await snapshot()
    await send(rpc)
    const before = await balance()
    expect(await rpc('evm_revert', first)).toBe(false)
    expect(await balance()).toBe(before)
    expect(await rpc('evm_revert', second)).toBe(true)
    await network.restart()
    await snapshot()
    await rpc('anvil_rollback', '0x1')
    await snapshot()
    await rpc('hardhat_reset')
    const last = await snapshot()
    for (const id of ids.slice(0, -1)) expect(await rpc('evm_revert', id)).toBe(false)
    expect(await rpc('evm_revert', last)).toBe(true)
    expect(ids.map(Number)).toEqual([...new Set(ids.map(Number))].sort((a, b) => a - b))
  })

  it('is named by an instance id until it is reset', async () => {
    const rpc = await open(which)
    const instance = async () => (await rpc<{ instanceId: Hex }>('hardhat_metadata')).instanceId
    const before = await instance()
    expect((await rpc<{ instanceId: Hex }>('anvil_metadata')).instanceId).toBe(before)
    const id = await rpc('evm_snapshot')
    await send(rpc)
    await rpc('anvil_rollback')
    await rpc('evm_revert', id)
    await rpc('mock_wipeLocalState')
    await network.restart()
    expect(await instance()).toBe(before)
    const others = await Promise.all([open('a network'), open('a branch')])
    const named = await Promise.all([rpc, ...others].map((each) => each<{ instanceId: Hex }>('hardhat_metadata')))
    expect(new Set(named.map(({ instanceId }) => instanceId)).size).toBe(which === 'a network' ? 2 : 3)
    await rpc('hardhat_reset')
    const after = await instance()
    expect(after).not.toBe(before)
    await network.restart()
    expect(await instance()).toBe(after)
  })
})
