import { type ShapedChain, startShapedChain } from '@understudy/testkit'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

const [pasteur, jenner] = [1_787_625_000, 1_796_697_000]
const at = (number: number): Address => numberToHex(number, { size: 20 })
const lightBlock = at(0x67)
const token: Address = `0xca52000000000000000001${'ab'.repeat(9)}`
const answer: Hex = `0x${'77'.repeat(32)}`

let chain: ShapedChain
let network: TestNetwork
const asked: string[] = []
const rpc = <T = Hex>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
const call = (to: Address, data: Hex = '0x') => rpc('eth_call', { to, data }, 'latest')

beforeAll(async () => {
  chain = await startShapedChain({
    anvil: { chainId: 56, hardfork: 'osaka', args: ['--timestamp', String(pasteur + 100)] },
    answer: ({ method, params }) => {
      const { to } = (params?.[0] ?? {}) as { to?: string }
      if (method !== 'eth_call' || ![lightBlock, at(0x66), token].includes(to as Address)) return undefined
      asked.push(to as string)
      return { result: answer }
    },
  })
  network = await startNetwork({ forkUrls: [chain.url], followHead: false, mine: 'instant' })
})
afterAll(async () => {
  await network?.stop()
  await chain?.stop()
})

it('has the precompiles of Pasteur with their prices, answered by the live chain', async () => {
  expect(await call(lightBlock, '0x1234')).toBe(answer)
  expect(asked).toContain(lightBlock)
  const gasOf = async (to: Address, size: number) => {
    const from = network.client.account.address
    const hash = await rpc('eth_sendTransaction', { from, to, data: `0x${'ff'.repeat(size)}`, gas: '0x40000' })
    return Number((await rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', hash)).gasUsed)
  }
  expect(await gasOf(lightBlock, 100)).toBe(21_000 + 100 * 16 + 3000 + 100 * 16)
  expect(await gasOf(at(0x66), 128 + 2 * 48)).toBe(21_000 + 224 * 16 + 1000 + 2 * 3500)
  await expect(call(at(0x64))).rejects.toThrow(/refuses calls of TendermintHeader/)
})

it('has the time in milliseconds and CAS20 tokens since Jenner', async () => {
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [token] })
  expect(await call(at(0x70))).toBe('0x')
  expect(await call(token, balance)).toBe('0x')
  const before = await rpc('evm_snapshot')
  await rpc('evm_setNextBlockTimestamp', jenner + 5)
  await rpc('evm_mine')
  expect(BigInt(await call(at(0x70)))).toBe(BigInt(jenner + 5) * 1000n)
  expect(await call(token, balance)).toBe(answer)
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [token, 1n] })
  await expect(call(token, transfer)).rejects.toThrow(
    /Only the live chain can run transfer\(address,uint256\) of CAS20/,
  )
  expect(await rpc('dev_getContractAbi', token)).toMatchObject({ source: 'chain' })
  await rpc('evm_revert', before)
})

it('reads HyperCore at the base, on HyperEVM', async () => {
  const input: Hex = `0x${'00'.repeat(31)}03`
  const hyper = await startShapedChain({
    anvil: { chainId: 999, hardfork: 'osaka' },
    answer: ({ method, params }) => {
      const { to, data } = (params?.[0] ?? {}) as { to?: string; data?: string }
      return method === 'eth_call' && to === at(0x807) ? { result: data === input ? answer : '0x' } : undefined
    },
  })
  const fork = await startNetwork({ forkUrls: [hyper.url], followHead: false })
  const from = fork.client.account.address
  expect(await fork.rpc('eth_call', { to: at(0x807), data: input }, 'latest')).toBe(answer)
  const hash = await fork.rpc<Hex>('eth_sendTransaction', { from, to: at(0x807), data: input, gas: '0x40000' })
  const { gasUsed } = await fork.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', hash)
  expect(Number(gasUsed)).toBe(21_000 + 31 * 4 + 16 + 2000 + 65 * 64)
  await fork.stop()
  await hyper.stop()
})
