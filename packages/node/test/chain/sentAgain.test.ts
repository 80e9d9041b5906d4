import { type Anvil, connectClient, startAnvil, type TestClient, testAccounts } from '@understudy/testkit'
import { type Address, type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const [{ address: sender }] = testAccounts
const to = '0x00000000000000000000000000000000000000c1'

let anvil: Anvil
let live: TestClient
beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
})
afterAll(() => anvil?.stop())

describe('a transaction that is in a block already', () => {
  let network: TestNetwork
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterEach(() => network?.stop())

  const signed = async (nonce: number) =>
    live.signTransaction({
      type: 'eip1559',
      nonce,
      to,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: parseEther('0.000001'),
      maxPriorityFeePerGas: 1n,
    })
  const send = (raw: Hex) => network.rpc<Hex>('eth_sendRawTransaction', raw)
  const nonce = () => network.client.getTransactionCount({ address: sender })

  it('is refused while its sender is followed, also when it is sent twice at once, and after a restart', async () => {
    await network.rpc('dev_followAccount', sender)
    const raw = await signed(await nonce())
    const both = await Promise.allSettled([send(raw), send(raw)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    // Its nonce is the live one again.
    await expect(send(raw)).rejects.toThrow(/already known/)
    await network.restart()
    await expect(send(raw)).rejects.toThrow(/already known/)
    await network.rpc('dev_unfollowAccount', sender)
    await expect(send(raw)).rejects.toThrow(/already known/)
    expect(await network.client.getBalance({ address: to })).toBe(1n)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a wipe', () => network.rpc('mock_wipeLocalState', {})],
    ['a resync', () => network.rpc('dev_resyncAccount', sender)],
    ['a lower nonce', () => network.rpc('dev_setNonce', sender, '0')],
  ])('is refused after %s, and so are those after it', async (_, goBack) => {
    const raws = [await signed(0), await signed(1)]
    for (const raw of raws) await send(raw)
    await goBack()
    expect(await nonce()).toBe(0)
    await expect(send(raws[0] as Hex)).rejects.toThrow(/already known/)
    // Another one takes its nonce.
    await network.client.sendTransaction({ to, value: 2n })
    await expect(send(raws[1] as Hex)).rejects.toThrow(/already known/)
  })

  it('can be sent again when its block was reverted', async () => {
    await network.rpc('dev_followAccount', sender)
    const snapshot = await network.rpc('evm_snapshot')
    const raw = await signed(0)
    const hash = await send(raw)
    await network.rpc('evm_revert', snapshot)
    expect(await send(raw)).toBe(hash)
    await expect(send(raw)).rejects.toThrow(/already known/)
  })

  it('is another one when the network makes it of the same request', async () => {
    const whale: Address = '0x00000000000000000000000000000000000000f7'
    await live.request({ method: 'anvil_setBalance', params: [whale, '0xde0b6b3a7640000'] } as never)
    await live.request({ method: 'anvil_mine', params: [] } as never)
    await network.rpc('dev_impersonateAccount', whale)
    for (const from of [whale, sender]) {
      await network.rpc('dev_followAccount', from)
      const request = { from, to, value: '0x1', gas: '0x5208', gasPrice: '0x77359400', nonce: '0x0' }
      const hashes = new Set<Hex>()
      for (let sent = 0; sent < 3; sent++) hashes.add(await network.rpc<Hex>('eth_sendTransaction', request))
      expect(hashes.size).toBe(3)
      for (const hash of hashes) {
        const found = await network.client.getTransaction({ hash })
        expect(found).toMatchObject({ hash, from: from.toLowerCase(), gas: 21_000n, nonce: 0 })
      }
    }
    expect(await network.client.getBalance({ address: to })).toBe(6n)
  })

  it('is known in a branch, whose parent has its block', async () => {
    await network.rpc('dev_followAccount', sender)
    const raw = await signed(0)
    await send(raw)
    const { url } = await network.rpc<{ url: string }>('dev_createBranch', {})
    const branch = await connectClient(url)
    const again = branch.request({ method: 'eth_sendRawTransaction', params: [raw] }, { retryCount: 0 })
    await expect(again).rejects.toThrow(/already known/)
  })
})
