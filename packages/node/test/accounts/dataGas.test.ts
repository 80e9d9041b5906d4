import {
  connectClient,
  deploySmartAccounts,
  type ShapedChain,
  type SmartAccountContracts,
  startShapedChain,
} from '@understudy/testkit'
import { type Address, encodeFunctionResult, type Hex, numberToHex, pad, parseAbi, toFunctionSelector } from 'viem'
import { formatUserOperationRequest } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { arbitrumBlock } from '../upstream/chainShapes.ts'
import { entryPointOf, simpleAccount } from './smartAccounts.ts'

const version = '0.7'
const calls = [{ to: '0x00000000000000000000000000000000000a11ce' as Address, value: 5n }]

async function preparedOperation(network: TestNetwork, contracts: SmartAccountContracts) {
  const client = await simpleAccount(network, contracts, version)
  return { client, prepared: await client.prepareUserOperation({ calls }) }
}

describe('on the OP Stack', () => {
  let chain: ShapedChain
  let contracts: SmartAccountContracts
  let network: TestNetwork

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 777_101, args: ['--network', 'optimism', '--hardfork', 'isthmus'] },
      block: (raw) => ({ ...raw, extraData: '0x00000000fa00000006' }),
    })
    contracts = await deploySmartAccounts(await connectClient(chain.url))
    const l1Block = '0x4200000000000000000000000000000000000015'
    // L1 and operator fees that are most of what a transaction costs.
    const slots = {
      1: 500_000_000_000n,
      3: (5227n << 96n) | (1_014_213n << 64n),
      7: 2_000_000n,
      8: (1000n << 64n) | 77n,
    }
    for (const [slot, value] of Object.entries(slots))
      await chain.rpc('anvil_setStorageAt', [l1Block, pad(numberToHex(Number(slot))), pad(numberToHex(value))])
    await chain.rpc('anvil_setCode', [l1Block, '0xfe'])
    await chain.rpc('evm_mine')
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('operations pay the fees for the data of their bundles', async () => {
    const { client, prepared } = await preparedOperation(network, contracts)
    const hash = await client.sendUserOperation({ calls })
    const { actualGasCost, receipt } = await client.waitForUserOperationReceipt({ hash })
    const raw = await network.rpc<Record<string, Hex>>('eth_getTransactionReceipt', receipt.transactionHash)
    const number = (name: string) => BigInt(raw[name] as Hex)
    const operatorFee = (number('gasUsed') * number('operatorFeeScalar')) / 1_000_000n + number('operatorFeeConstant')
    const dataFee = number('l1Fee') + operatorFee
    const cost = number('gasUsed') * number('effectiveGasPrice') + dataFee
    expect(dataFee).toBeGreaterThan(0n)
    expect(actualGasCost).toBeGreaterThanOrEqual(cost)
    expect(Number(actualGasCost) / Number(cost)).toBeLessThan(1.3)

    await network.restart({ l1Fee: false })
    const free = await preparedOperation(network, contracts)
    const price = number('effectiveGasPrice')
    const charged = (prepared.preVerificationGas - free.prepared.preVerificationGas) * price
    expect(Number(charged) / Number(dataFee)).toBeGreaterThan(1)
    expect(Number(charged) / Number(dataFee)).toBeLessThan(1.3)
  })
})

describe('on Arbitrum', () => {
  const nodeInterface = '0x00000000000000000000000000000000000000c8'
  const abi = parseAbi(['function gasEstimateL1Component(address, bool, bytes) returns (uint64, uint256, uint256)'])
  let chain: ShapedChain
  let contracts: SmartAccountContracts
  let network: TestNetwork
  const asked: Hex[] = []
  let gas = 0n

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 42161, hardfork: 'prague' },
      block: arbitrumBlock,
      missing: ['eth_config'],
      answer({ method, params }) {
        const [request] = (params ?? []) as [{ to?: Address; data?: Hex }]
        if (method !== 'eth_call' || request.to !== nodeInterface) return undefined
        asked.push(request.data ?? '0x')
        if (gas < 0n) return { error: { code: 3, message: 'execution reverted', data: '0x' } }
        return { result: encodeFunctionResult({ abi, result: [gas, 1n, 1n] }) }
      },
    })
    contracts = await deploySmartAccounts(await connectClient(chain.url))
    await chain.rpc('evm_mine')
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('estimates have what NodeInterface says of the bundle', async () => {
    const { prepared } = await preparedOperation(network, contracts)
    const estimate = async () => {
      const request = formatUserOperationRequest(prepared as never)
      const estimated = await network.rpc<{ preVerificationGas: Hex }>(
        'eth_estimateUserOperationGas',
        request,
        entryPointOf[version],
      )
      return BigInt(estimated.preVerificationGas)
    }
    const without = await estimate()
    expect(asked.length).toBeGreaterThan(0)
    const handleOps = asked[0]?.slice(10 + 3 * 64 + 64, 10 + 3 * 64 + 64 + 8)
    expect(asked[0]?.slice(0, 10)).toBe(toFunctionSelector('gasEstimateL1Component(address,bool,bytes)'))
    expect(`0x${handleOps}`).toBe('0x765e827f')
    gas = 100_000n
    await chain.rpc('evm_mine')
    await expect.poll(estimate).toBe(without + 110_000n)
    gas = -1n
    await chain.rpc('evm_mine')
    await expect.poll(estimate).toBe(without)
  })
})
