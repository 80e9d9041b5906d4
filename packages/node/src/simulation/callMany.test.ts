import { type Account, type Address, type BlockContext, createEvm } from '@understudy/evm'
import { describe, expect, it } from 'vitest'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { bytesFromHex, hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { LoadingView } from '../state/view.ts'
import { type CallBundle, callMany } from './callMany.ts'

const counter: Address = `0x${'cc'.repeat(20)}`
/** Adds one to slot 0, and returns it, the number and the time of the block. */
const code = bytesFromHex('0x5f54600101805f555f52436020524260405260605ff3')
const reverting = bytesFromHex('0x5f5ffd')

const contract: Account = { balance: 0n, nonce: 1n, codeHash: keccak(code) }
const nobody: Account = { balance: 0n, nonce: 0n, codeHash: emptyCodeHash }
const view: LoadingView = {
  identity: {},
  follows: undefined,
  prefetch: undefined,
  account: (address: Address) => (address === counter ? contract : nobody),
  code: () => code,
  storage: () => 10n,
  blockHash: () => undefined,
  load: async () => undefined,
} as Partial<LoadingView> as LoadingView
const block: BlockContext = {
  chainId: 1n,
  fork: 'prague',
  number: 50n,
  timestamp: 1000n,
  coinbase: `0x${'00'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 0n,
  prevRandao: 0n,
  blobBaseFee: 1n,
}
const engine = createEvm() as object as Engine
const count = { to: counter, gas: 100_000n }

function run(bundles: CallBundle[], gasLimit = 10_000_000n, state?: Parameters<typeof callMany>[0]['state']) {
  return callMany({ bundles, state }, { block, view }, { engine, gasLimit, time: new ComputingTime(1000) })
}
const wordsOf = (output: Uint8Array) => [0, 32, 64].map((at) => Number(hexFromBytes(output.subarray(at, at + 32))))
const words = async (...given: Parameters<typeof run>) =>
  (await run(...given)).map((results) => results.map(({ output }) => wordsOf(output)))

describe('calls of several blocks', () => {
  it('run on the state that those before them left, each bundle in the block after the last', async () => {
    const bundle: CallBundle = { calls: [count, count], block: undefined }
    expect(await words([bundle, { calls: [], block: undefined }, bundle])).toEqual([
      [
        [11, 50, 1000],
        [12, 50, 1000],
      ],
      [],
      [
        [13, 52, 1002],
        [14, 52, 1002],
      ],
    ])
  })

  it('go on from the number and the time that a bundle asks for', async () => {
    const asked: CallBundle = { calls: [count], block: { number: 70n, timestamp: 5000n } }
    expect(await words([asked, { calls: [count], block: { timestamp: 9n } }, { calls: [count], block: {} }])).toEqual([
      [[11, 70, 5000]],
      [[12, 71, 9]],
      [[13, 72, 10]],
    ])
  })

  it('share one gas limit, which also limits what a call asks for', async () => {
    const gasUsed = (await run([{ calls: [count], block: undefined }]))[0]?.[0]?.gasUsed ?? 0n
    const both: CallBundle[] = [
      { calls: [{ to: counter }], block: undefined },
      { calls: [count], block: undefined },
    ]
    // The second call gets one unit of gas, which is too little for any message.
    await expect(run(both, gasUsed + 1n)).rejects.toMatchObject({ kind: 'INTRINSIC_GAS_TOO_LOW' })
    await expect(run(both, 2n * gasUsed)).resolves.toHaveLength(2)
  })

  it('are refused when those before them used all gas', async () => {
    const loop = { code: bytesFromHex('0x5b5f56') }
    const calls: CallBundle[] = [{ calls: [{ to: counter }, count], block: undefined }]
    await expect(run(calls, 60_000n, new Map([[counter, loop]]))).rejects.toMatchObject({
      kind: 'LIMIT_EXCEEDED',
      details: { limit: 60_000n },
    })
  })

  it('run on overridden state, and go on after one that fails', async () => {
    const slot = new Map([[wordFromBigint(0n), 20n]])
    const overridden = new Map([[counter, { stateDiff: slot }]])
    const [[first]] = (await words([{ calls: [count], block: undefined }], undefined, overridden)) as [[number[]]]
    expect(first).toEqual([21, 50, 1000])
    const broken = new Map([[counter, { code: reverting }]])
    const results = (await run([{ calls: [count, count], block: undefined }], undefined, broken))[0]
    expect(results?.map(({ status }) => status)).toEqual(['revert', 'revert'])
  })
})
