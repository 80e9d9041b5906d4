import { type Anvil, startAnvil, testAccounts } from '@understudy/testkit'
import { type Address, type Hex, numberToHex, pad, parseGwei, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const [account] = testAccounts
const someone: Address = `0x${'5e'.repeat(20)}`
/** Stores its chain id, and returns it. */
const witness: Address = '0x00000000000000000000000000000000000c0dec'
const stores = '0x465f55465f5260205ff3'

let upstream: Anvil
let reference: Anvil
let network: TestNetwork
beforeAll(async () => {
  upstream = await startAnvil({ chainId: 31337 })
})
afterAll(() => upstream?.stop())
beforeEach(async () => {
  reference = await startAnvil({ chainId: 31337 })
  network = await startNetwork({ forkUrls: [upstream.url], workers: 1 })
  await network.rpc('anvil_setCode', witness, stores)
  await reference.rpc('anvil_setCode', [witness, stores])
})
afterEach(async () => {
  await network?.stop()
  await reference?.stop()
})

const theirs = (method: string, ...params: unknown[]) => reference.rpc(method, params)
const ours = (method: string, ...params: unknown[]) => network.rpc(method, ...params)
/** An answer, or the code of its error. */
const answer = (rpc: typeof ours, method: string, ...params: unknown[]) =>
  rpc(method, ...params).catch(({ code }) => ({ code }))

const nonce = async () => Number(await network.rpc('eth_getTransactionCount', account.address, 'pending'))

const signed = async (chainId: number) =>
  account.signTransaction({
    chainId,
    nonce: await nonce(),
    to: witness,
    gas: 100_000n,
    maxFeePerGas: parseGwei('30'),
    maxPriorityFeePerGas: 1n,
  })

const chainIdAt = (block: string) => network.rpc('eth_call', { to: witness }, block)

/** What a transaction returned when it is run again. */
const replayed = async (hash: Hex) =>
  (await network.rpc<{ output: Hex }>('debug_traceTransaction', hash, { tracer: 'callTracer' })).output

describe('anvil_setChainId', () => {
  it('is what anvil makes of it, at once and for the next transactions', async () => {
    for (const rpc of [ours, theirs]) await rpc('anvil_setChainId', 777)
    for (const [method, ...params] of [
      ['eth_chainId'],
      ['net_version'],
      ['eth_call', { to: witness }, 'latest'],
      ['eth_call', { to: witness }, 'pending'],
    ] as const)
      expect(await answer(ours, method, ...params), method).toEqual(await theirs(method, ...params))
    for (const method of ['anvil_metadata', 'dev_getNetworkInfo'])
      expect(await network.rpc(method)).toMatchObject({ chainId: 777 })
    await expect(theirs('eth_sendRawTransaction', await signed(31337))).rejects.toThrow('invalid chain id for signer')
    await expect(ours('eth_sendRawTransaction', await signed(31337))).rejects.toThrow('invalid chain id for signer')
    await network.rpc('eth_sendRawTransaction', await signed(777))
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from: account.address, to: witness })
    expect(await network.rpc('eth_getTransactionByHash', hash)).toMatchObject({ chainId: toHex(777) })
    expect(await network.rpc('eth_getStorageAt', witness, '0x0', 'latest')).toBe(pad(toHex(777)))
  })

  it('leaves earlier blocks the chain id that they ran with, also after a restart', async () => {
    await network.rpc('anvil_setChainId', 777)
    await network.rpc('evm_mine')
    const before = await network.rpc<Hex>('eth_sendRawTransaction', await signed(777))
    await network.rpc('anvil_setChainId', numberToHex(778))
    const after = await network.rpc<Hex>('eth_sendRawTransaction', await signed(778))
    const check = async () => {
      expect([await replayed(before), await replayed(after)]).toEqual([pad(toHex(777)), pad(toHex(778))])
      expect(await chainIdAt('latest')).toBe(pad(toHex(778)))
      const { number } = await network.client.getBlock()
      expect(await chainIdAt(toHex(number - 2n))).toBe(pad(toHex(777)))
    }
    await check()
    await network.restart()
    await check()
  })

  it('does not confuse the network about the chain that it follows', async () => {
    await network.rpc('anvil_setChainId', 779)
    await upstream.rpc('anvil_setBalance', [someone, '0x7b'])
    await upstream.rpc('evm_mine', [])
    await eventually(
      () => network.client.getBalance({ address: someone }),
      (balance) => balance === 0x7bn,
    )
    await network.restart({ chainId: 31337 })
    expect(await network.rpc('dev_getNetworkInfo')).toMatchObject({ chainId: 779, upstream: { chainId: 31337 } })
  })

  it('drops pending transactions with another chain id, and survives what removes blocks', async () => {
    await network.rpc('anvil_setChainId', 779)
    const snapshot = await network.rpc('evm_snapshot')
    await network.rpc('evm_setAutomine', false)
    await network.rpc('eth_sendRawTransaction', await signed(779))
    await network.rpc('anvil_setChainId', 780)
    expect(await network.rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    const kept = await network.rpc<Hex>('eth_sendRawTransaction', await signed(780))
    expect(await network.rpc('eth_call', { to: witness }, 'pending')).toBe(pad(toHex(780)))
    await network.rpc('evm_mine')
    expect(await network.client.getTransactionReceipt({ hash: kept })).toMatchObject({ status: 'success' })
    await network.rpc('evm_setAutomine', true)
    await network.rpc('evm_mine')
    await network.rpc('anvil_setChainId', 781)
    await network.rpc('evm_revert', snapshot)
    expect(await network.rpc('eth_chainId')).toBe(toHex(781))
    const again = await network.rpc<Hex>('eth_sendRawTransaction', await signed(781))
    expect(await replayed(again)).toBe(pad(toHex(781)))
  })

  it.each([[-1], ['x'], [2 ** 60], [null], []])('refuses %s', async (...given) => {
    await expect(network.rpc('anvil_setChainId', ...given)).rejects.toMatchObject({ code: -32602 })
  })
})

describe('anvil_impersonateSignature', () => {
  const chosen: Address = `0x${'77'.repeat(20)}`
  const word = (byte: string) => byte.repeat(32)
  /** A call of ECRECOVER: a hash, v, and r and s of the same bytes. */
  const recover = (v: string, rs: string, hash = 'aa', more = '') => ({
    to: '0x0000000000000000000000000000000000000001',
    data: `0x${word(hash)}${v.padStart(64, '0')}${word(rs)}${word(rs)}${more}`,
  })
  const inputs = [
    recover('1b', '11'),
    recover('1b', '11', 'bb'),
    recover('1b', '11', 'aa', 'ff'),
    recover('1c', '11'),
    recover('00', '12'),
    recover('1b', '12'),
    recover('1b', '13'),
    { ...recover('1b', '11'), data: recover('1b', '11').data.slice(0, -2) },
    { ...recover('1b', '11'), data: recover('1b', '11').data.replace('00000000001b', 'ff000000001b') },
  ]

  it('makes ECRECOVER answer as it does in anvil, for the signature and no other', async () => {
    const given = [[`0x${'11'.repeat(64)}1b`, chosen] as const, [`0x${'12'.repeat(64)}00`, someone] as const]
    for (const pair of given) {
      await theirs('anvil_impersonateSignature', pair)
      expect(await ours('anvil_impersonateSignature', pair)).toBeNull()
    }
    const answers = async (rpc: typeof ours) => Promise.all(inputs.map((call) => rpc('eth_call', call, 'latest')))
    const expected = await answers(theirs)
    expect(expected[0]).toBe(pad(chosen))
    expect(await answers(ours)).toEqual(expected)
    await network.restart()
    expect(await answers(ours)).toEqual(expected)
    const traced = await network.rpc('debug_traceCall', inputs[0], 'latest', { tracer: 'callTracer' })
    expect(traced).toMatchObject({ output: pad(chosen) })
    for (const signer of [testAccounts[2].address, `0x${'00'.repeat(20)}`]) {
      for (const rpc of [theirs, ours]) await rpc('anvil_impersonateSignature', [given[0]?.[0], signer])
      expect(await ours('eth_call', inputs[0])).toBe(await theirs('eth_call', inputs[0]))
    }
  })

  it('holds from the next block on, for transactions too', async () => {
    const signature: Hex = `0x${'15'.repeat(64)}1b`
    const reader: Address = '0x00000000000000000000000000000000000c0ded'
    // Returns what ECRECOVER returns for its input.
    await network.rpc('anvil_setCode', reader, '0x365f5f375f5f365f5f60015af1503d5f5f3e3d5ff3')
    const data = recover('1b', '15').data
    const send = () =>
      network.rpc<Hex>('eth_sendTransaction', { from: account.address, to: reader, data, gas: '0x186a0' })
    const before = await send()
    await network.rpc('anvil_impersonateSignature', signature, chosen)
    const after = await send()
    expect(await replayed(after)).toBe(pad(chosen))
    expect(await replayed(before)).not.toBe(pad(chosen))
  })

  it('refuses what is no signature', async () => {
    for (const params of [['0x12', chosen], [`0x${'11'.repeat(64)}`, chosen], [`0x${'11'.repeat(65)}`], [], [[chosen]]])
      await expect(network.rpc('anvil_impersonateSignature', ...params)).rejects.toMatchObject({ code: -32602 })
  })
})
