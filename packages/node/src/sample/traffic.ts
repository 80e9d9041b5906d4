import type { Address, Hex } from '@understudy/evm'
import { encodeFunctionData, parseEther, parseUnits } from 'viem'
import { Collectible, ERC20, Permit2, Pool, PriceFeed } from '../../generated/sampleContracts/index.js'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { deployer, sampleContracts, trader } from './deployment.ts'

export type Transaction = { from: Address; to: Address; data: Hex }

const { gold, dollar, pool, priceFeed, proxyToken, collectible, permit2 } = sampleContracts
const day = 86_400n

/**
 * The transactions of one block of the sample chain: a trade in each, sometimes more. They depend only on the block
 * number, so a recreated chain has the same history. `timestamp` in seconds.
 */
export function trafficOf(block: bigint, timestamp: bigint): Transaction[] {
  const random = bytesFromHex(keccak(bytesFromHex(`0x${block.toString(16).padStart(64, '0')}`)))
  const dice = (index: number) => BigInt(random[index] ?? 0)
  const from = trader
  const traffic: Transaction[] = []

  const sellsGold = dice(0) < 128n
  const amount = sellsGold ? (parseEther('1') * (dice(1) + 1n)) / 64n : (parseEther('2000') * (dice(1) + 1n)) / 64n
  traffic.push({
    from,
    to: pool,
    data: encodeFunctionData({
      abi: Pool.abi,
      functionName: 'swap',
      args: [sellsGold ? gold : dollar, amount, 0n, trader],
    }),
  })
  if (block % 5n === 0n) {
    const answer = parseUnits('2000', 8) + (dice(2) - 128n) * parseUnits('0.25', 8)
    traffic.push({
      from: deployer,
      to: priceFeed,
      data: encodeFunctionData({ abi: PriceFeed.abi, functionName: 'update', args: [answer] }),
    })
  }
  if (block % 7n === 0n)
    traffic.push({
      from,
      to: proxyToken,
      data: encodeFunctionData({
        abi: ERC20.abi,
        functionName: 'transfer',
        args: [deployer, parseUnits('0.01', 6) * (dice(3) + 1n)],
      }),
    })
  if (block % 11n === 0n)
    traffic.push({
      from,
      to: permit2,
      data: encodeFunctionData({
        abi: Permit2.abi,
        functionName: 'approve',
        args: [gold, pool, parseEther('1') * (dice(4) + 1n), Number(timestamp + 30n * day)],
      }),
    })
  if (block % 30n === 0n)
    traffic.push({
      from,
      to: collectible,
      data: encodeFunctionData({ abi: Collectible.abi, functionName: 'mint', args: [trader] }),
    })
  return traffic
}
