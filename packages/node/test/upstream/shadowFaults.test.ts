import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  artifacts,
  type CommandRun,
  connectClient,
  deployContract,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompiledSource, compileSource } from '../compileSource.ts'
import { runCommand } from '../runCommand.ts'
import { eventually } from '../startNetwork.ts'
import { differing, receiptsAfter, runAgain, startTraffic } from './liveTraffic.ts'
import { type Counts, loadDivergences } from './shadow/divergenceCounts.ts'
import { upgradeSource } from './shadow/upgradeSource.ts'

type Divergence = {
  hash: Hex
  block: number
  kind: string
  fields: string[]
  reason: string | null
  truncated: boolean
}

const token = artifacts.PlainToken.abi
/** Sends a token many times in one transaction. */
const spender = compileSource(
  'Spender.sol',
  `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Token { function transfer(address to, uint256 value) external returns (bool); }
contract Spender {
    function spend(Token token, uint256 value) external {
        for (uint256 i = 0; gasleft() > 100000; i++) token.transfer(address(uint160(0xaa0000 + i % 50)), value);
    }
}`,
).Spender as CompiledSource
/** Accounts of its own: those of anvil trade on the live chain. */
const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const code = compileSource('Upgrade.sol', upgradeSource).Upgrade?.imported.deployedBytecode as Hex

describe('shadowing through faults', () => {
  let live: Anvil
  let traffic: Awaited<ReturnType<typeof startTraffic>>
  let proxy: FaultProxy
  let directory: string
  let run: CommandRun
  let client: TestClient
  let many: Address
  /** The live chain's head when the upgrade was made here. */
  let upgradedAt: bigint

  const rpc = <T>(method: string, ...params: unknown[]) =>
    client.request({ method, params } as never, { retryCount: 0 }) as Promise<T>
  async function start(): Promise<void> {
    const args = ['start', '--fork-url', proxy.url, '--shadow', '--port', '0', '--data-dir', directory]
    run = runCommand([...args, '--mnemonic', mnemonic, '--poll-interval', '50'], directory)
    client = await connectClient(await run.listening)
  }
  async function restart(): Promise<void> {
    run.child.kill('SIGKILL')
    await run.ended
    await start()
  }
  const logged = (message: string) =>
    new Promise<void>((resolve) => {
      for (const stream of [run.child.stdout, run.child.stderr])
        stream?.on('data', (chunk) => {
          if (String(chunk).includes(message)) resolve()
        })
    })
  /** Of the network's first account. */
  const send = async (to: Address, value: bigint) => {
    const [from] = await rpc<Address[]>('eth_accounts')
    return rpc<Hex>('eth_sendTransaction', { from, to, value: numberToHex(value), gas: '0x5208' })
  }
  const headOf = async () => BigInt(await live.rpc<Hex>('eth_blockNumber'))
  async function untilThere(): Promise<void> {
    const { hash } = await live.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false])
    await eventually(
      () => rpc<{ base: { hash: Hex } }>('dev_getNetworkInfo'),
      ({ base }) => base.hash === hash,
    )
  }
  const counts = async () => (await rpc<{ counts: Counts }>('dev_getShadow')).counts
  const divergences = (options: Record<string, unknown> = {}) =>
    loadDivergences<Divergence>(rpc, { limit: 200, ...options })

  beforeAll(async () => {
    live = await startAnvil({ args: ['--order', 'fifo', '--gas-limit', '60000000'] })
    many = await deployContract(await connectClient(live.url), spender)
    traffic = await startTraffic(live, await connectClient(live.url), 11)
    proxy = await startFaultProxy(live.url)
    directory = mkdtempSync(join(tmpdir(), 'understudy-shadow-'))
    await start()
    await untilThere()
    upgradedAt = await headOf()
    await rpc('dev_setCode', traffic.uniswap.tokenA, code)
  })
  afterAll(async () => {
    run?.child.kill('SIGTERM')
    await run?.ended
    await proxy?.stop()
    await live?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  /** It goes on after SIGKILLs between live transactions, and while the live chain is away. */
  async function killAndDisconnect(): Promise<void> {
    const trading = traffic.run(20, 8)
    await restart()
    await trading
    await untilThere()
    await proxy.down()
    await traffic.run(5, 8)
    await proxy.up()
    await untilThere()
  }

  /** It catches up after the live chain was away for hours. */
  async function catchUpAfterHours(): Promise<void> {
    const before = await headOf()
    await proxy.down()
    await traffic.run(2, 8)
    // Two hours of blocks.
    await live.rpc('anvil_mine', [numberToHex(300), numberToHex(24)])
    await traffic.run(2, 8)
    await proxy.up()
    await untilThere()
    for (let number = before + 1n; number <= (await headOf()); number += 7n) {
      const { timestamp } = await live.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', [numberToHex(number), false])
      expect((await client.getBlock({ blockNumber: number })).timestamp).toBe(BigInt(timestamp))
    }
  }

  /** It keeps what is written here when it is killed while it follows a reorg. */
  async function killDuringReorgs(): Promise<void> {
    const other: Address = '0x00000000000000000000000000000000000000ab'
    for (let round = 0; round < 2; round++) {
      const mark: [Address, Hex, Hex] = [other, numberToHex(round, { size: 32 }), numberToHex(round + 7, { size: 32 })]
      await rpc('dev_setStorageAt', ...mark)
      const to: Address = `0x00000000000000000000000000000000000000c${round}`
      const waiting = await send(to, parseEther('1'))
      await traffic.run(1, 4)
      await untilThere()
      await rpc('dev_setCode', other, numberToHex(round + 1, { size: 1 }))
      const pending = await send(to, parseEther('2'))
      expect(await client.getTransactionReceipt({ hash: waiting })).toBeDefined()

      const removed = logged('The live chain replaced blocks')
      await live.rpc('anvil_reorg', [2, []])
      await traffic.renew()
      await traffic.run(3, 4)
      await removed
      await restart()
      await untilThere()
      expect(await client.getCode({ address: other })).toBe(numberToHex(round + 1, { size: 1 }))
      expect(await client.getStorageAt({ address: other, slot: mark[1] })).toBe(mark[2])
      for (const hash of [waiting, pending])
        expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
      expect(await client.getBalance({ address: to })).toBe(parseEther('3'))
    }
  }

  /** It has named exactly the transactions that diverge when all of them run again, each once. */
  async function compareWithAnotherRun(): Promise<void> {
    const receipts = await receiptsAfter(live, upgradedAt)
    const again = await runAgain(live, upgradedAt, (anvil) =>
      anvil.rpc('anvil_setCode', [traffic.uniswap.tokenA, code]),
    )
    const found = await divergences()
    const failing = found.filter(({ fields }) => fields.includes('status')).map(({ hash }) => hash)
    expect(failing.sort()).toEqual(differing(receipts, again, ({ status }) => status).sort())
    expect(failing.length).toBeGreaterThan(8)
    expect(new Set(found.map(({ hash }) => hash)).size).toBe(found.length)
    const { same, diverged, ...others } = await counts()
    expect(others).toEqual({ refused: 0, unreproducible: 0 })
    expect(diverged).toBe(found.length)
    expect(same).toBeGreaterThan(50)
  }

  /** It takes a block of 60 million gas, with a trace and without. */
  async function takeLargeBlocks(): Promise<void> {
    const { tokenA } = traffic.uniswap
    const [first = '0x'] = traffic.accounts
    await traffic.send(
      first,
      tokenA,
      encodeFunctionData({ abi: token, functionName: 'transfer', args: [many, 10n ** 9n] }),
    )
    await traffic.mine()
    for (const traced of [true, false]) {
      if (!traced)
        proxy.set({ answer: (call) => (call.method.startsWith('debug_') ? new Promise(() => {}) : undefined) })
      for (let index = 0; index < 4; index++) {
        const args = [tokenA, BigInt(index * 2)] as const
        await traffic.send(first, many, encodeFunctionData({ ...spender, functionName: 'spend', args }), 0n, 14_900_000)
      }
      await untilThere()
      await traffic.run(1, 3)
      const { gasUsed } = await live.rpc<{ gasUsed: Hex }>('eth_getBlockByNumber', ['latest', false])
      expect(Number(gasUsed)).toBeGreaterThan(50_000_000)
      await untilThere()
      expect(await counts()).toMatchObject({ refused: 0, unreproducible: 0 })
    }
    proxy.clear()
    // More logs differ than are kept: a rule cannot tell that none of them is of its event.
    const [cut] = (await divergences({ to: many, rules: ['only event Approval'] })).filter(({ truncated }) => truncated)
    expect(cut).toBeDefined()
    expect(cut?.fields).toContain('logs')
  }

  /** It lists a transaction that cannot be traced or run, and goes on. */
  async function passOverUntraceable(): Promise<void> {
    const open = proxy.hold()
    const hash = await traffic.trade('token')
    await traffic.mine()
    const tag = numberToHex(await headOf())
    const block = await live.rpc<{ transactions: Record<string, unknown>[] }>('eth_getBlockByNumber', [tag, true])
    // A type that no rules know, such as those of other chains.
    const unknown = { ...block, transactions: block.transactions.map((each) => ({ ...each, type: '0x6a' })) }
    proxy.set({
      answer({ method, params = [] }) {
        if (params[0] !== tag) return undefined
        if (method === 'eth_getBlockByNumber' && params[1] === true) return { result: unknown }
        if (method === 'debug_traceBlockByNumber') return { error: { code: -32000, message: 'tracing failed' } }
        return undefined
      },
    })
    open()
    await untilThere()
    proxy.clear()
    await traffic.run(2, 8)
    await untilThere()
    const [untraced] = (await divergences()).filter((each) => each.hash === hash)
    expect(untraced).toMatchObject({ kind: 'unreproducible', reason: expect.stringContaining('type') })
  }

  it('goes on through kills, outages and reorgs, and finds exactly what diverges', { timeout: 480_000 }, async () => {
    await killAndDisconnect()
    await catchUpAfterHours()
    await killDuringReorgs()
    await compareWithAnotherRun()
    await takeLargeBlocks()
    await passOverUntraceable()
  })
})
