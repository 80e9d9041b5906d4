import { testAccounts } from '@understudy/testkit'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '../../src/shared/errors.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const [alice, bob] = [testAccounts[0].address, testAccounts[1].address]
const poor = '0x00000000000000000000000000000000000000aa'
const target = '0x00000000000000000000000000000000000000bb'
const [ripemd, identity] = [
  '0x0000000000000000000000000000000000000003',
  '0x0000000000000000000000000000000000000004',
] as const
const fees = { gas: '0x186a0', maxFeePerGas: toHex(10n ** 12n) }
const valid = { from: alice, to: bob, ...fees }

type Payload = { blockStateCalls: unknown[]; validation?: boolean }
const validated = (...calls: unknown[]): Payload => ({ blockStateCalls: [{ calls }], validation: true })
const blocks = (...blockStateCalls: unknown[]): Payload => ({ blockStateCalls })
const moved = (...moves: (readonly [from: Hex, to: Hex])[]) =>
  blocks({
    stateOverrides: Object.fromEntries(moves.map(([from, to]) => [from, { movePrecompileToAddress: to }])),
    calls: [],
  })

/**
 * Payloads that eth_simulateV1 refuses as a whole. -38024, a sender with code, is never answered: contracts may send in a
 * simulation, as they may in geth's.
 */
const refused: readonly (readonly [code: number, why: string, payload: Payload, message: RegExp])[] = [
  [-38010, 'a nonce that was used', validated({ ...valid, nonce: '0x0' }), /nonce too low/],
  [-38010, 'a nonce twice', validated({ ...valid, nonce: '0x1' }, { ...valid, nonce: '0x1' }), /nonce too low/],
  [-38011, 'a nonce with a gap', validated({ ...valid, nonce: '0x9' }), /nonce too high/],
  [
    -38012,
    'a fee below the base fee',
    validated({ ...valid, maxFeePerGas: '0x1' }),
    /max fee per gas less than block base fee/,
  ],
  [-38012, 'no fee', validated({ from: alice, to: bob, gas: '0x186a0' }), /max fee per gas less than block base fee/],
  [
    -38013,
    'less gas than the call costs to begin with',
    validated({ ...valid, gas: '0x5207' }),
    /intrinsic gas too low/,
  ],
  [-38013, 'the same where data costs', validated({ ...valid, gas: '0x5208', data: '0xff' }), /intrinsic gas too low/],
  [-38014, 'nothing to pay the gas with', validated({ ...valid, from: poor }), /insufficient funds/],
  [
    -38014,
    'a value that the sender lacks, without validation',
    blocks({ calls: [{ from: poor, to: bob, value: '0x1' }] }),
    /insufficient funds/,
  ],
  [-38015, 'more gas than a block has', validated({ ...valid, gas: '0xffffffff' }), /gas limit/],
  [
    -38015,
    'more gas than a block has left',
    blocks({
      blockOverrides: { gasLimit: '0xc350' },
      calls: [
        { ...valid, gas: '0x7530' },
        { ...valid, gas: '0x7530' },
      ],
    }),
    /gas limit/,
  ],
  [
    -38020,
    'a block number of the past',
    blocks({ blockOverrides: { number: '0x0' } }),
    /block numbers must be in order/,
  ],
  [
    -38020,
    'a block number twice',
    blocks({ blockOverrides: { number: '0x20' } }, { blockOverrides: { number: '0x20' } }),
    /block numbers must be in order: 32 <= 32/,
  ],
  [
    -38021,
    'a time of the past',
    blocks({ blockOverrides: { time: '0x1' } }),
    /block timestamps must be in order: 1 <= /,
  ],
  [
    -38021,
    'a time twice',
    blocks({ blockOverrides: { time: '0xf0000000' } }, { blockOverrides: { time: '0xf0000000' } }),
    /block timestamps must be in order/,
  ],
  [-38022, 'a precompile moved to itself', moved([identity, identity]), /is moved to itself/],
  [
    -38023,
    'two precompiles moved to one address',
    moved([identity, target], [ripemd, target]),
    /two precompiles are moved to/,
  ],
  [
    -38025,
    'more init code than EIP-3860 allows',
    validated({ from: alice, data: `0x${'00'.repeat(49_153)}`, gas: '0xf42400', maxFeePerGas: fees.maxFeePerGas }),
    /initcode/,
  ],
  [
    -38026,
    'more blocks than a simulation may have',
    blocks({ blockOverrides: { number: '0xffff' } }),
    /more than 256 blocks/,
  ],
]

describe('eth_simulateV1 refuses', () => {
  let network: TestNetwork
  beforeAll(async () => {
    network = await startNetwork()
    await network.client.sendTransaction({ to: bob, value: 1n })
  })
  afterAll(() => network?.stop())

  const ask = async (payload: Payload) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_simulateV1', params: [payload, 'latest'] })
    const answer = await fetch(network.url, { method: 'POST', body })
    return (await answer.json()) as { result?: unknown; error?: { code: number; message: string } }
  }

  it.each(refused)('with %i %s', async (code, _why, payload, message) => {
    expect((await ask(payload)).error).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('no valid payloads with the same fields', async () => {
    for (const payload of [
      validated({ ...valid, nonce: '0x1' }, { ...valid, nonce: '0x2' }),
      blocks({ blockOverrides: { number: '0x20', time: '0xf0000000' } }, { blockOverrides: { time: '0xf0000001' } }),
      moved([identity, target], [ripemd, poor]),
    ])
      expect(await ask(payload)).toMatchObject({ result: expect.any(Array) })
  })

  it('with every code that there is', () => {
    const codes = Object.values(errorTable).map(({ code }) => code as number)
    const ofSimulation = codes.filter((code) => code <= -38010 && code > -38100)
    expect([...new Set(ofSimulation)].sort()).toEqual([...new Set(refused.map(([code]) => code))].sort())
  })
})
