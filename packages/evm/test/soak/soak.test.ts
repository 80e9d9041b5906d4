import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRandom } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { type Address, type BlockContext, createEvm, keccak256Hex, type StateView, type Word } from '../../src/index.ts'

/** What resident memory may grow by: the engine's regions and what it keeps resident of state, with room for the collector. */
const limitMiB = 320

/** `EVM_SOAK_CALLS=10000000` makes it a soak: some minutes. */
const calls = Number(process.env.EVM_SOAK_CALLS ?? (process.env.SHORT_RUN === undefined ? 400_000 : 200_000))

const block: BlockContext = {
  chainId: 1n,
  fork: 'osaka',
  number: 1n,
  timestamp: 1n,
  coinbase: `0x${'cb'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 0n,
  prevRandao: 0n,
  blobBaseFee: 1n,
}

/** Adds one to the slot that the input names, hashes, logs, and creates an empty contract. */
const code = new Uint8Array(
  Buffer.from('60003580546001019055600035600052604060002060206000a1600060006000f05000', 'hex'),
)
const codeHash = keccak256Hex(code)

/** Any account is a contract with this code, with storage that is never the same: nothing that is read stays useful. */
function createView(): StateView {
  return {
    identity: {},
    account: () => ({ balance: 10n ** 18n, nonce: 1n, codeHash }),
    code: () => code,
    storage: (_address, slot) => BigInt(slot) & 0xffn,
    blockHash: () => `0x${'00'.repeat(32)}`,
  }
}

const word = (value: number): Uint8Array => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, value)
  return bytes
}

it(`keeps its memory through ${calls} calls`, { timeout: 3_600_000 }, () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const memory = () => {
    collectGarbage()
    const { heapUsed, rss } = process.memoryUsage()
    return { heapUsed: heapUsed / 2 ** 20, rss: rss / 2 ** 20 }
  }
  const evm = createEvm()
  let view = createView()
  const { below } = createRandom(12345)
  const random = () => below(2 ** 32)
  const start = memory()
  let half = start
  for (let call = 0; call < calls; call++) {
    // Now and then everything changes under the engine, as when a head moves.
    if (call % 10_000 === 0) view = createView()
    const slot = word(random())
    const to: Address = `0x${random().toString(16).padStart(40, '0')}`
    const message = {
      from: `0x${'ee'.repeat(20)}` as Address,
      to,
      value: 0n,
      data: slot,
      gasLimit: 200_000n,
      gasPrice: 0n,
    }
    const result = evm.run(message, block, view, { kind: 'call' })
    if (result.type !== 'done' || result.status !== 'success') throw new Error(JSON.stringify(result))
    const key: Word = `0x${Buffer.from(slot).toString('hex')}`
    const written = result.diff.slots.get(to)?.get(key)
    if (written !== (BigInt(key) & 0xffn) + 1n) throw new Error(`call ${call} wrote ${written} to ${key}`)
    if (call === Math.floor(calls / 2)) half = memory()
  }
  const end = memory()
  // biome-ignore lint/suspicious/noConsole: the figures are what a soak is for.
  console.info(
    `${calls} calls: heap ${half.heapUsed.toFixed(1)} -> ${end.heapUsed.toFixed(1)} MiB from half way to the end, ` +
      `resident ${start.rss.toFixed(0)} -> ${half.rss.toFixed(0)} -> ${end.rss.toFixed(0)} MiB from the start`,
  )
  expect(end.heapUsed - half.heapUsed).toBeLessThan(4)
  expect(end.rss - start.rss).toBeLessThan(limitMiB)
})
