import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { type Address, createWalletClient, encodeFunctionData, type Hex, http, parseEther } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
let counter: Address
let wallet: ReturnType<typeof createWalletClient>

beforeEach(async () => {
  network = await startNetwork()
  counter = await deployContract(network.client, artifacts.Counter, [7n])
  wallet = createWalletClient({ chain: network.client.chain, transport: http(network.url, { retryCount: 0 }) })
  await network.rpc('dev_setBalance', stranger, parseEther('5').toString())
  await network.rpc('dev_impersonateAccount', stranger)
})
afterEach(() => network?.stop())

const stranger: Address = '0x00000000000000000000000000000000000000aa'
const friend: Address = '0x00000000000000000000000000000000000a11ce'
const increment = () => ({
  to: counter,
  data: encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' }),
})
const read = () => network.client.readContract({ abi: artifacts.Counter.abi, address: counter, functionName: 'number' })
const chain = () => network.client.chain

describe('bundles of calls, through viem', () => {
  it('sends them one by one unless they must be atomic', async () => {
    const before = await read()
    const { id } = await wallet.sendCalls({ account: stranger, chain: chain(), calls: [increment(), increment()] })
    const status = await wallet.waitForCallsStatus({ id })
    expect(status).toMatchObject({ status: 'success', statusCode: 200, atomic: false, chainId: chain().id })
    expect(status.receipts).toHaveLength(2)
    expect(await read()).toBe(before + 2n)
  })

  it('sends them as one transaction when they must be, of an account without a key', async () => {
    const atomic = async () => (await wallet.getCapabilities({ account: stranger, chainId: chain().id })).atomic
    expect(await atomic()).toEqual({ status: 'ready' })
    const calls = [increment(), { to: friend, value: 3n }]
    const { id } = await wallet.sendCalls({ account: stranger, chain: chain(), calls, forceAtomic: true })
    const status = await wallet.getCallsStatus({ id })
    expect(status).toMatchObject({ statusCode: 200, atomic: true })
    expect(status.receipts).toHaveLength(1)
    expect(await network.client.getBalance({ address: friend })).toBe(3n)
    expect(await atomic()).toEqual({ status: 'supported' })
    // Its replay knows whom the authorization without a signature is of.
    const hash = status.receipts?.[0]?.transactionHash
    const replayed = await network.rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })
    expect(replayed).toMatchObject({ calls: [{ to: counter }, { to: friend }] })
  })

  it('delegates by a signed authorization in the same transaction', async () => {
    const account = testAccounts[3].address
    const mined = async () => {
      await network.rpc('evm_setAutomine', false)
      const calls = [increment(), { to: friend, value: 1n }]
      const { id } = await wallet.sendCalls({ account, chain: chain(), calls, forceAtomic: true })
      expect(await network.client.getCode({ address: account })).toBeUndefined()
      await network.rpc('evm_setAutomine', true)
      await network.rpc('evm_mine')
      return wallet.getCallsStatus({ id })
    }
    const before = await network.client.getTransactionCount({ address: account })
    const { receipts, statusCode } = await mined()
    expect(statusCode).toBe(200)
    const hash = receipts?.[0]?.transactionHash as Hex
    const { type, authorizationList } = await network.client.getTransaction({ hash })
    const [authorization] = authorizationList ?? []
    expect({ type, count: authorizationList?.length, nonce: authorization?.nonce }).toEqual({
      type: 'eip7702',
      count: 1,
      nonce: before + 1,
    })
    if (!authorization) throw new Error('nothing was authorized')
    expect(await recoverAuthorizationAddress({ authorization })).toBe(account)
    expect(await network.client.getTransactionCount({ address: account })).toBe(before + 2)
  })

  it('delegates no account that cannot pay', async () => {
    const poor: Address = '0x00000000000000000000000000000000000000dd'
    await network.rpc('dev_setBalance', poor, '10')
    await network.rpc('dev_impersonateAccount', poor)
    const calls = [increment(), { to: friend, value: 1n }]
    await expect(wallet.sendCalls({ account: poor, chain: chain(), calls, forceAtomic: true })).rejects.toThrow(
      'insufficient funds',
    )
    expect(await network.client.getCode({ address: poor })).toBeUndefined()
    expect(await network.client.getTransactionCount({ address: poor })).toBe(0)
  })

  it('leaves nothing of an atomic bundle of which a call fails', async () => {
    const before = await read()
    const tooMuch = { to: friend, value: parseEther('100') }
    const send = (forceAtomic: boolean, account: Address = stranger) =>
      wallet.sendCalls({ account, chain: chain(), calls: [increment(), tooMuch], forceAtomic })
    await expect(send(true)).rejects.toThrow()
    expect(await read()).toBe(before)
    const other: Address = '0x00000000000000000000000000000000000000bb'
    await network.rpc('dev_setBalance', other, parseEther('5').toString())
    await network.rpc('dev_impersonateAccount', other)
    const { id } = await send(false, other)
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ statusCode: 600, atomic: false })
    expect(await read()).toBe(before + 1n)
  })

  it('finds bundles after a restart', async () => {
    const { id } = await wallet.sendCalls({ account: stranger, chain: chain(), calls: [increment()] })
    await network.restart()
    expect(await network.rpc('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
    wallet = createWalletClient({ chain: chain(), transport: http(network.url, { retryCount: 0 }) })
  })
})

it('answers with the errors of EIP-5792, EIP-3326 and EIP-3085', async () => {
  const bundle = { version: '2.0.0', chainId: '0x7a69', from: stranger, atomicRequired: false, calls: [increment()] }
  const code = (method: string, ...params: unknown[]) =>
    network.rpc(method, ...params).then(
      () => undefined,
      ({ cause }) => cause.code as number,
    )
  const sent = (changes: object) => code('wallet_sendCalls', { ...bundle, ...changes })
  expect(await sent({ capabilities: { flowControl: {} } })).toBe(5700)
  expect(await sent({ capabilities: { flowControl: { optional: true } }, id: '0xmine' })).toBeUndefined()
  expect(await sent({ id: '0xmine' })).toBe(5720)
  expect(await network.rpc('wallet_getCallsStatus', '0xmine')).toMatchObject({ id: '0xmine', status: 200 })
  expect(await sent({ chainId: '0x1' })).toBe(5710)
  expect(await sent({ calls: Array(101).fill(increment()) })).toBe(5740)
  expect(await sent({ from: counter, atomicRequired: true, calls: [increment(), increment()] })).toBe(5760)
  expect(await sent({ calls: [] })).toBe(-32602)
  expect(await sent({ calls: [{}] })).toBe(-32602)
  for (const id of ['', '0x', '0x00', 'junk', `0x00${'ab'.repeat(32)}`, `0x00${'ab'.repeat(32 * 101)}`] as Hex[])
    expect(await code('wallet_getCallsStatus', id)).toBe(5730)
  expect(await code('wallet_switchEthereumChain', { chainId: '0x7a69' })).toBeUndefined()
  expect(await code('wallet_switchEthereumChain', { chainId: '0x1' })).toBe(4902)
  expect(await code('wallet_addEthereumChain', { chainId: '0x1', chainName: 'Main' })).toBe(4902)
})

describe('requests of pages', () => {
  const open = (method = 'eth_requestAccounts') =>
    network.rpc<{ id: string; status: string }>('dev_openWalletRequest', 'http://localhost:5173', method, [])
  const get = (id: string) => network.rpc('dev_getWalletRequest', id)

  it('wait until they are approved or rejected', async () => {
    const [first, second] = [await open(), await open('personal_sign')]
    expect(await network.rpc('dev_getWalletRequests')).toMatchObject({
      approvesAll: false,
      requests: [{ id: first.id }, { id: second.id, method: 'personal_sign' }],
    })
    const whale: Address = '0x00000000000000000000000000000000000000cc'
    await network.rpc('dev_answerWalletRequest', first.id, true, whale)
    await network.rpc('dev_answerWalletRequest', second.id, false)
    expect(await get(first.id)).toMatchObject({ status: 'approved', account: whale })
    expect(await get(second.id)).toMatchObject({ status: 'rejected' })
    expect(await network.rpc('dev_getImpersonatedAccounts')).toContain(whale)
    // An answer is final.
    expect(await network.rpc('dev_answerWalletRequest', second.id, true)).toMatchObject({ status: 'rejected' })
  })

  it('are approved at once if that is switched on, also after a restart', async () => {
    const waiting = await open()
    await network.rpc('dev_setWalletApproval', true)
    expect(await get(waiting.id)).toMatchObject({ status: 'approved' })
    await network.restart()
    expect(await open('eth_sendTransaction')).toMatchObject({ status: 'approved' })
    await network.rpc('dev_setWalletApproval', false)
  })

  it('are bounded', async () => {
    const refusals = await Promise.all(
      Array.from({ length: 201 }, () =>
        open().then(
          () => 0,
          ({ cause }) => cause.code,
        ),
      ),
    )
    expect(refusals.filter((code) => code === -32005).length).toBeGreaterThan(0)
    const large = network.rpc('dev_openWalletRequest', 'http://localhost', 'personal_sign', ['x'.repeat(300_000)])
    await expect(large).rejects.toMatchObject({ cause: { code: -32005 } })
  })
})
