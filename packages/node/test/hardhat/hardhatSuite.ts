import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { deployContract, testAccounts } from '@understudy/testkit'
import { type Address, getAddress, type Hex, pad, parseGwei, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { readHardhatArtifact, sources } from './project.ts'

/** hardhat-network-helpers, of either major version. */
type Helpers = {
  dropTransaction(hash: Hex): Promise<boolean>
  getStorageAt(address: Address, slot: number, block?: string): Promise<Hex>
  impersonateAccount(address: Address): Promise<void>
  loadFixture<T>(fixture: () => Promise<T>): Promise<T>
  clearSnapshots(): void | Promise<void>
  mine(blocks?: number, options?: { interval: number }): Promise<void>
  mineUpTo(block: number): Promise<void>
  reset?(): Promise<void>
  setBalance(address: Address, wei: bigint): Promise<void>
  setBlockGasLimit(gas: bigint): Promise<void>
  setCode(address: Address, code: Hex): Promise<void>
  setCoinbase(address: Address): Promise<void>
  setNextBlockBaseFeePerGas(wei: bigint): Promise<void>
  setNonce(address: Address, nonce: number): Promise<void>
  setPrevRandao(value: bigint): Promise<void>
  setStorageAt(address: Address, slot: number, value: bigint): Promise<void>
  stopImpersonatingAccount(address: Address): Promise<void>
  takeSnapshot(): Promise<{ restore(): Promise<void> }>
  time: {
    increase(seconds: number): Promise<number>
    increaseTo(seconds: number): Promise<void>
    latest(): Promise<number>
    latestBlock(): Promise<number>
    setNextBlockTimestamp(seconds: number): Promise<void>
  }
}

/** What the tests of a version of Hardhat need of it. */
export type Hardhat = {
  helpers: Helpers
  compile(): Promise<unknown>
  verify(address: Address, constructorArguments: unknown[], provider?: 'etherscan' | 'sourcify'): Promise<unknown>
  close(): void
}

/** Hardhat refuses to verify on 31337. */
const chainId = 4217

type Project = { directory: string; url: string; chainId: number }

/**
 * What a version of Hardhat, its helpers and its plugin of verification must be able to do with a network.
 * They have an installation of their own, in `clients/`: see CONTRIBUTING.md.
 */
export function testHardhat(folder: 'hardhat2' | 'hardhat3', verifiers: readonly ('etherscan' | 'sourcify')[]): void {
  const program = new URL(`../../../../clients/${folder}/`, import.meta.url)
  if (!existsSync(new URL('node_modules', program))) {
    it.skip(`${folder} is not installed: npm run install-clients`)
    return
  }
  const open = async (project: Project): Promise<Hardhat> =>
    (await import(new URL('open.mjs', program).href)).openHardhat(project)
  const [alice, bob] = [testAccounts[0].address, testAccounts[1].address]
  const stranger: Address = '0x00000000000000000000000000000000000c0ffe'
  const directory = mkdtempSync(join(tmpdir(), 'understudy-hardhat-'))
  let network: TestNetwork
  let hardhat: Hardhat
  let helpers: Helpers

  beforeAll(async () => {
    // Hardhat's tasks print how they go.
    for (const level of ['log', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    for (const [path, content] of Object.entries(sources)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), content)
    }
    network = await startNetwork({ chainId })
    hardhat = await open({ directory, url: network.url, chainId })
    helpers = hardhat.helpers
  })
  afterAll(async () => {
    await network?.stop()
    hardhat?.close()
  })

  const latest = () => network.client.getBlock()

  describe(`the helpers of ${folder}`, () => {
    it('mine', async () => {
      const { number, timestamp } = await latest()
      await helpers.mine()
      await helpers.mine(3, { interval: 60 })
      expect(await helpers.time.latestBlock()).toBe(Number(number) + 4)
      expect((await latest()).timestamp).toBeGreaterThanOrEqual(timestamp + 120n)
      await helpers.mineUpTo(Number(number) + 10)
      expect((await latest()).number).toBe(number + 10n)
    })

    it('move time', async () => {
      const before = await helpers.time.latest()
      expect(await helpers.time.increase(3600)).toBe(before + 3600)
      await helpers.time.increaseTo(before + 7200)
      expect(await helpers.time.latest()).toBe(before + 7200)
      await helpers.time.setNextBlockTimestamp(before + 9000)
      await helpers.mine()
      expect((await latest()).timestamp).toBe(BigInt(before + 9000))
    })

    it('write accounts', async () => {
      await helpers.setBalance(stranger, 5n)
      await helpers.setNonce(stranger, 7)
      await helpers.setCode(stranger, '0x602a60005260206000f3')
      await helpers.setStorageAt(stranger, 3, 99n)
      expect(await network.client.getBalance({ address: stranger })).toBe(5n)
      expect(await network.client.getTransactionCount({ address: stranger })).toBe(7)
      expect((await network.client.call({ to: stranger })).data).toBe(pad('0x2a'))
      expect(await helpers.getStorageAt(stranger, 3)).toBe(pad(toHex(99)))
    })

    it('say what the next block is like', async () => {
      await helpers.setNextBlockBaseFeePerGas(parseGwei('3'))
      await helpers.setPrevRandao(77n)
      await helpers.setCoinbase(stranger)
      await helpers.setBlockGasLimit(12_345_678n)
      await helpers.mine()
      const { baseFeePerGas, mixHash, miner, gasLimit } = (await latest()) as Awaited<ReturnType<typeof latest>> & {
        mixHash: Hex
      }
      expect({ baseFeePerGas, mixHash, miner: getAddress(miner), gasLimit }).toEqual({
        baseFeePerGas: parseGwei('3'),
        mixHash: pad(toHex(77)),
        miner: getAddress(stranger),
        gasLimit: 12_345_678n,
      })
      await helpers.setBlockGasLimit(30_000_000n)
    })

    it('impersonate, and stop it', async () => {
      const sender: Address = '0x0000000000000000000000000000000000beefed'
      const send = () => network.rpc('eth_sendTransaction', { from: sender, to: bob, value: '0x1' })
      await helpers.setBalance(sender, 10n ** 18n)
      await expect(send()).rejects.toThrow('impersonate')
      await helpers.impersonateAccount(sender)
      expect(await send()).toMatch(/^0x[\da-f]{64}$/)
      await helpers.stopImpersonatingAccount(sender)
      await expect(send()).rejects.toThrow('impersonate')
    })

    it('drop a transaction that waits', async () => {
      await network.rpc('evm_setAutomine', false)
      const hash = await network.rpc<Hex>('eth_sendTransaction', { from: alice, to: bob, value: '0x1' })
      expect(await helpers.dropTransaction(hash)).toBe(true)
      expect(await network.rpc('eth_getTransactionByHash', hash)).toBeNull()
      await network.rpc('evm_setAutomine', true)
    })

    it('take a snapshot and restore it, more than once', async () => {
      const { number } = await latest()
      const balance = await network.client.getBalance({ address: bob })
      const snapshot = await helpers.takeSnapshot()
      for (const wei of [1n, 2n]) {
        await helpers.setBalance(bob, wei)
        await helpers.mine()
        await snapshot.restore()
        expect(await network.client.getBalance({ address: bob })).toBe(balance)
        expect((await latest()).number).toBe(number)
      }
    })

    it('load fixtures: made once, and found again as they were', async () => {
      let runs = 0
      const deployTally = async () => {
        runs += 1
        return helpers.setBalance(stranger, 1000n)
      }
      const deployOther = async () => {
        await helpers.loadFixture(deployTally)
        return helpers.setBalance(stranger, 2000n)
      }
      for (const _ of [1, 2, 3]) {
        await helpers.loadFixture(deployTally)
        expect(await network.client.getBalance({ address: stranger })).toBe(1000n)
        await helpers.loadFixture(deployOther)
        expect(await network.client.getBalance({ address: stranger })).toBe(2000n)
      }
      expect(runs).toBe(1)
      await helpers.clearSnapshots()
      await helpers.loadFixture(deployTally)
      expect(runs).toBe(2)
    })
  })

  describe(`the contracts of ${folder}`, { timeout: 120_000 }, () => {
    const push = (...args: string[]) =>
      runCommand(['push', ...args, '--json'], directory, { UNDERSTUDY_RPC_URL: network.url })
    const read = (contract: string) => readHardhatArtifact(directory, contract)
    const removeImported = async () => {
      const imported = await network.rpc<{ projectContractId: string }[]>('dev_getImportedContracts')
      for (const { projectContractId } of imported) await network.rpc('dev_removeImportedContract', projectContractId)
    }
    // Compiles only what is not compiled.
    beforeEach(() => hardhat.compile())

    it('are pushed when they are compiled, though watching began before', async () => {
      await removeImported()
      for (const folder of ['artifacts', 'cache']) rmSync(join(directory, folder), { recursive: true })
      const { child, ended } = push('--watch')
      let printed = ''
      child.stdout?.on('data', (chunk) => {
        printed += chunk
      })
      await once(child.stderr as Readable, 'data')
      await hardhat.compile()
      await eventually(
        async () => printed,
        (text) => text.includes('old/Tally') && text.includes('Vault'),
      )
      child.kill('SIGTERM')
      await ended
      const imported = await network.rpc<{ name: string }[]>('dev_getImportedContracts')
      expect(imported.map((each) => each.name).sort()).toEqual([
        'Sums',
        'Vault',
        'contracts/Tally.sol:Tally',
        'contracts/old/Tally.sol:Tally',
      ])
    })

    it('have their storage shown by names, from the layouts that Hardhat left', async () => {
      expect((await push('--storage-layout').ended).code).toBe(0)
      const address = await deployContract(network.client, read('Tally'), [5n])
      await network.client.writeContract({ address, abi: read('Tally').abi, functionName: 'increase' })
      const workspace = await network.rpc<{ projectContract: { id: string } }>('dev_addWorkspace', {
        name: 'A',
        address,
      })
      const { entries } = await network.rpc<{ entries: { name: string; value: string }[] }>(
        'dev_getWorkspaceStorage',
        workspace.projectContract.id,
      )
      expect(entries.map((entry) => [entry.name, entry.value])).toEqual([
        ['count', '5'],
        ['owner', alice],
      ])
      await network.rpc('dev_setStorageAt', address, '0x0', `0x${'ff'.repeat(32)}`)
      const trace = await network.rpc('dev_getStackTrace', { to: address, data: '0xe8927fbc' })
      const source = sources['contracts/Tally.sol'].split('\n')
      expect(trace).toMatchObject([
        {
          file: expect.stringMatching(/contracts\/Tally\.sol$/),
          line: 1 + source.findIndex((line) => line.includes('count += step')),
          function: 'Tally.increase',
          message: 'arithmetic underflow or overflow',
        },
      ])
    })

    it.each(verifiers)('are verified by %s', async (verifier) => {
      await removeImported()
      const contract = { etherscan: 'Tally', sourcify: 'Vault' }[verifier]
      const address = await deployContract(network.client, read(contract), [7n])
      await hardhat.verify(address, [7n], verifier)
      const answer = await fetch(`${network.url}/api?module=contract&action=getsourcecode&address=${address}`)
      expect(await answer.json()).toMatchObject({
        status: '1',
        result: [{ ContractName: contract, CompilerVersion: expect.stringMatching(/^v0\.8\.\d+\+commit\./) }],
      })
    })
  })

  if (verifiers.length === 1)
    it('resets', async () => {
      await helpers.reset?.()
      expect(await helpers.time.latestBlock()).toBe(0)
    })
}
