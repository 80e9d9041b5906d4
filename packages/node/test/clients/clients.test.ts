import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { artifacts, foundryBinary, testAccounts } from '@understudy/testkit'
import { ContractFactory, JsonRpcProvider, Wallet } from 'ethers'
import { createWalletClient, http, parseEther, publicActions, testActions, toHex } from 'viem'
import { anvil } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

const [alice, bob] = testAccounts
const keyOf = (account: (typeof testAccounts)[number]) => toHex(account.getHdKey().privateKey as Uint8Array)

describe('ethers v6', () => {
  let provider: JsonRpcProvider
  beforeAll(() => {
    provider = new JsonRpcProvider(network.url, undefined, { cacheTimeout: -1, pollingInterval: 20 })
  })
  afterAll(() => provider.destroy())

  it('deploys, calls, sends and reads events', async () => {
    const wallet = new Wallet(keyOf(alice), provider)
    const counter = await new ContractFactory(
      artifacts.Counter.abi as never,
      artifacts.Counter.bytecode,
      wallet,
    ).deploy(5n)
    await counter.waitForDeployment()
    const sent = await counter.getFunction('increment')()
    const receipt = await sent.wait()
    expect(receipt?.status).toBe(1)
    expect(await counter.getFunction('number')()).toBe(6n)
    expect(await counter.queryFilter('Increased')).toHaveLength(1)
  })

  it('tells the reason of a revert', async () => {
    const wallet = new Wallet(keyOf(alice), provider)
    const reverter = await new ContractFactory(
      artifacts.Reverter.abi as never,
      artifacts.Reverter.bytecode,
      wallet,
    ).deploy()
    await reverter.waitForDeployment()
    await expect(reverter.getFunction('withReason')('not today')).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'not today',
    })
    await expect(reverter.getFunction('withCustomError')(7n)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      revert: { name: 'Refused' },
    })
  })

  it('knows a method that does not exist, and its errors of the pool', async () => {
    await expect(provider.send('eth_nope', [])).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
    const wallet = new Wallet(keyOf(bob), provider)
    const { nonce } = await wallet.sendTransaction({ to: alice.address, value: 1n })
    await expect(wallet.sendTransaction({ to: alice.address, value: 1n, nonce })).rejects.toMatchObject({
      code: 'NONCE_EXPIRED',
    })
    await expect(
      wallet.sendTransaction({ to: alice.address, value: parseEther('1000000'), gasLimit: 21_000 }),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  it('gets the answers of a batch, one of which is an error', async () => {
    const answers = await Promise.allSettled([
      provider.getBlockNumber(),
      provider.send('eth_nope', []),
      provider.getBalance(alice.address),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})

describe('viem', () => {
  it('drives the network as it drives anvil', async () => {
    const client = createWalletClient({ account: alice, chain: anvil, transport: http(network.url, { batch: true }) })
      .extend(publicActions)
      .extend(testActions({ mode: 'anvil' }))
    await client.setBalance({ address: bob.address, value: parseEther('7') })
    expect(await client.getBalance({ address: bob.address })).toBe(parseEther('7'))
    await client.setNonce({ address: '0x00000000000000000000000000000000000000bb', nonce: 9 })
    await client.setCode({ address: '0x00000000000000000000000000000000000000bb', bytecode: '0x00' })
    await client.setStorageAt({
      address: '0x00000000000000000000000000000000000000bb',
      index: 2,
      value: toHex(3n, { size: 32 }),
    })
    expect(await client.getStorageAt({ address: '0x00000000000000000000000000000000000000bb', slot: '0x2' })).toBe(
      toHex(3n, { size: 32 }),
    )
    const id = await client.snapshot()
    const before = await client.getBlockNumber()
    await client.mine({ blocks: 3, interval: 10 })
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before + 3n)
    await client.increaseTime({ seconds: 100 })
    await client.revert({ id })
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before)
    await client.impersonateAccount({ address: '0x00000000000000000000000000000000000000cc' })
    await client.setBalance({ address: '0x00000000000000000000000000000000000000cc', value: parseEther('1') })
    const hash = await client.sendTransaction({
      account: '0x00000000000000000000000000000000000000cc',
      to: bob.address,
      value: 1n,
    })
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
    await client.stopImpersonatingAccount({ address: '0x00000000000000000000000000000000000000cc' })
    await client.setAutomine(true)
  })
})

/** Each of its commands is a process. */
describe('cast', { timeout: 90_000 }, () => {
  const cast = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(foundryBinary('cast'), [...args, '--rpc-url', network.url])
    return stdout.trim()
  }

  it('reads, sends, and calls any method', async () => {
    expect(await cast('chain-id')).toBe('31337')
    expect(await cast('client')).toMatch(/^anvil\/understudy-v/)
    const receipt = JSON.parse(
      await cast('send', bob.address, '--value', '1ether', '--private-key', keyOf(alice), '--json'),
    )
    expect(receipt).toMatchObject({ status: '0x1', type: '0x2' })
    expect(await cast('tx', receipt.transactionHash, 'value')).toBe(parseEther('1').toString())
    expect(await cast('send', bob.address, '--value', '1', '--from', alice.address, '--unlocked', '--json')).toContain(
      '"status":"0x1"',
    )
    expect(await cast('rpc', 'dev_setBalance', bob.address, '5')).toContain('"balance":"5"')
    expect(await cast('balance', bob.address)).toBe('5')
  })
})
