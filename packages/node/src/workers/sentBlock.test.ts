import { deserialize, serialize } from 'node:v8'
import type { BlockContext, Message } from '@understudy/evm'
import { expect, it } from 'vitest'
import { arbitrumL1 } from '../ethereum/chains/arbitrum.ts'
import { type ContractsInBlock, hostedContracts } from '../ethereum/chains/contracts/contractsOf.ts'
import { l1SurchargeOf } from '../ethereum/chains/l1Fees.ts'
import { isSendable, receivedBlock, sentBlock } from './sentBlock.ts'

const plain: BlockContext = {
  chainId: 10n,
  fork: 'prague',
  number: 50n,
  timestamp: 1000n,
  coinbase: `0x${'c0'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 7n,
  prevRandao: 3n,
  blobBaseFee: 1n,
  precompiles: new Map([[`0x${'01'.repeat(20)}` as const, 2]]),
  prices: { coldSload: 5460, precompiles: { [`0x${'01'.repeat(20)}`]: { base: 67_500, perWord: 0 } } },
}
/** As a thread receives it. */
const received = (block: BlockContext): BlockContext => receivedBlock(deserialize(serialize(sentBlock(block))))

it('sends a block as it is', () => {
  expect(isSendable(plain)).toBe(true)
  expect(received(plain)).toEqual(plain)
})

it('sends what the fees of the layer below are made of, and makes the same of it', () => {
  const message = { encoded: `0x${'ab'.repeat(300)}`, gasLimit: 1_000_000n } as Message
  const wei = ({ surcharge }: BlockContext) => surcharge?.(message, () => 2n ** 97n + 2n ** 70n + 5n)?.final(50_000n)
  const [isthmus, jovian] = [`0x${'00'.repeat(9)}`, `0x${'00'.repeat(17)}`].map((extraData) => {
    const block = { ...plain, surcharge: l1SurchargeOf({ extraData: extraData as `0x${string}` }) }
    expect(isSendable(block)).toBe(true)
    const [own, sent] = [wei(block), wei(received(block))]
    expect(sent).toBe(own)
    return sent
  })
  expect(isthmus).not.toBe(jovian)
})

it('sends what contracts without code are made of, and the number of the layer below', () => {
  const { number, timestamp, chainId } = plain
  const hosted: ContractsInBlock = {
    chain: { chainId: 42161, isArbitrum: true, declared: [] },
    block: { number, timestamp, chainId, mixHash: `0x${'00'.repeat(32)}` },
  }
  const block = { ...plain, contracts: hostedContracts(hosted), l1: arbitrumL1(900n) }
  expect(isSendable(block)).toBe(true)
  const { contracts, l1, ...data } = received(block)
  expect(data).toEqual(plain)
  expect(l1?.number).toBe(900n)
  expect(l1?.hashSlot(5n)).toEqual(block.l1.hashSlot(5n))
  // It can be sent on as it was.
  expect(sentBlock({ ...plain, ...(contracts && { contracts }) }).hosted).toEqual(hosted)
})

it('does not send a block with functions of which it knows nothing', () => {
  expect(isSendable({ ...plain, contracts: () => undefined as never })).toBe(false)
  expect(isSendable({ ...plain, surcharge: () => undefined })).toBe(false)
})
