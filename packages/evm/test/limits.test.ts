import { describe, expect, it } from 'vitest'
import { createEvm, type Evm } from '../src/engine.ts'
import { keccak256, keccak256Hex } from '../src/keccak.ts'
import type { Address, BlockContext, Done, Hex, Message, StateView, Step, Word } from '../src/port.ts'

const contract: Address = `0x${'c0'.repeat(20)}`
const block: BlockContext = {
  chainId: 1n,
  fork: 'osaka',
  number: 1n,
  timestamp: 1n,
  coinbase: `0x${'00'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 0n,
  prevRandao: 0n,
  blobBaseFee: 0n,
}

/** A state with one contract; `lacks` is not loaded. */
function viewOf(code: Hex, lacks?: Address): StateView {
  const bytes = Buffer.from(code.slice(2), 'hex')
  const empty = keccak256Hex(new Uint8Array())
  return {
    identity: {},
    account: (address) =>
      address === lacks
        ? undefined
        : { balance: 0n, nonce: 0n, codeHash: address === contract ? keccak256Hex(bytes) : empty },
    code: (address) => (address === contract ? bytes : new Uint8Array()),
    storage: () => 0n,
    blockHash: () => undefined,
  }
}

const messageTo = (data = '', gasLimit = 100_000_000n): Message => ({
  from: `0x${'f0'.repeat(20)}`,
  to: contract,
  value: 0n,
  data: Buffer.from(data, 'hex'),
  gasLimit,
  gasPrice: 0n,
})

/** JUMPDEST PUSH0 JUMP. */
const endless: Hex = '0x5b5f56'

describe('a run', () => {
  it('that lacks state does not go on for long', () => {
    const evm = createEvm()
    const absent: Address = `0x${'ab'.repeat(20)}`
    // BALANCE of the absent one, and then without end.
    const code: Hex = `0x73${absent.slice(2)}3150${'5b601856'}`
    let checks = 0
    const options = {
      kind: 'call',
      shouldPause: () => {
        checks++
        return false
      },
    } as const
    expect(evm.start(messageTo(), block, viewOf(code, absent), options)).toMatchObject({
      type: 'missing',
      accounts: [absent],
    })
    expect(checks).toBeLessThan(2000)
  })

  it.each([undefined, () => {}])('pauses, goes on, and is abandoned', (onStep) => {
    const evm = createEvm()
    const view = viewOf(endless)
    const message = messageTo('', 1_000_000n)
    const start = () => {
      const run = evm.start(message, block, view, { kind: 'call', shouldPause: () => true, onStep })
      if (run.type !== 'paused') throw new Error('It did not pause')
      return run
    }
    const abandoned = start()
    expect(() => evm.run(message, block, view, { kind: 'call' })).toThrow('A run is paused')
    abandoned.abandon()
    abandoned.abandon()
    expect(() => abandoned.resume()).toThrow('no longer paused')
    let run: ReturnType<Evm['start']> = start()
    while (run.type === 'paused') run = run.resume()
    expect(run).toMatchObject({ halt: 'out of gas', gasUsed: 1_000_000n })
  })

  it('that is abandoned leaves what is resident, and what it was told in between', () => {
    const evm = createEvm()
    let reads = 0
    // Adds one to the first slot, and then goes on for ever, or returns what was there when there is any input.
    const view: StateView = {
      ...viewOf('0x5f54806001015f555b36156008575f5260205ff3'),
      storage: () => {
        reads++
        return 41n
      },
    }
    const paused = evm.start(messageTo(), block, view, { kind: 'call', shouldPause: () => true })
    if (paused.type !== 'paused') throw new Error('It did not pause')
    const next = {}
    const slots = new Map([[contract, new Map([[`0x${'00'.repeat(32)}` as const, 7n]])]])
    evm.advance(view.identity, next, { accounts: new Map(), cleared: new Set(), slots })
    paused.abandon()
    const result = evm.run(messageTo('01'), block, { ...view, identity: next }, { kind: 'call' })
    expect(result).toMatchObject({ status: 'success', output: new Uint8Array([...new Uint8Array(31), 7]) })
    expect(reads).toBe(1)
  })

  it('on an earlier state reads again what differs, and nothing else', () => {
    const evm = createEvm()
    // Returns the slot that the input names.
    const base = viewOf('0x5f35545f5260205ff3')
    const values = new Map<string, bigint>()
    let asked: string[] = []
    const stateOf = (identity: object): StateView => ({
      ...base,
      identity,
      storage: (_, slot) => {
        asked.push(slot)
        return values.get(slot) ?? 0n
      },
    })
    const slot = (index: number): Word => `0x${index.toString(16).padStart(64, '0')}`
    const read = (identity: object, index: number) => {
      const run = evm.run(messageTo(slot(index).slice(2)), block, stateOf(identity), { kind: 'call' })
      return BigInt(`0x${Buffer.from((run as Done).output).toString('hex')}`)
    }
    const [first, second, third, fourth, fifth] = [{}, {}, {}, {}, {}]
    const write = (from: object, to: object, index: number, value: bigint, cleared: Address[] = []) => {
      const slots = new Map([[contract, new Map([[slot(index), value]])]])
      evm.advance(from, to, { accounts: new Map(), cleared: new Set(cleared), slots })
    }
    const keys = (indices: number[], cleared: Address[] = []) => ({
      accounts: new Set([contract]),
      cleared: new Set(cleared),
      slots: new Map([[contract, new Set(indices.map(slot))]]),
    })
    values.set(slot(1), 10n).set(slot(2), 20n)
    expect([read(first, 1), read(first, 2)]).toEqual([10n, 20n])
    write(first, second, 1, 11n)
    expect([read(second, 1), read(second, 2)]).toEqual([11n, 20n])
    asked = []
    evm.retreat(second, third, keys([1]))
    expect([read(third, 1), read(third, 2)]).toEqual([10n, 20n])
    expect(asked).toEqual([slot(1)])
    // Storage that was emptied, and written since.
    write(third, fourth, 1, 12n, [contract])
    expect([read(fourth, 1), read(fourth, 2)]).toEqual([12n, 0n])
    values.set(slot(1), 12n).set(slot(2), 0n)
    write(fourth, fifth, 2, 22n)
    const again = {}
    evm.retreat(fifth, again, keys([2]))
    expect([read(again, 1), read(again, 2)]).toEqual([12n, 0n])
    values.set(slot(1), 10n).set(slot(2), 20n)
    const before = {}
    evm.retreat(again, before, keys([1], [contract]))
    expect([read(before, 1), read(before, 2)]).toEqual([10n, 20n])
  })

  it.each([false, true])('pauses in one hash of a megabyte, and ends with the same', (isTraced) => {
    const evm = createEvm()
    // The hash of a megabyte of zeros, returned.
    const view = viewOf('0x621000005f205f5260205ff3')
    const run = (shouldPause: () => boolean) => {
      const costs: bigint[] = []
      const onStep = isTraced ? ({ cost }: Step) => costs.push(cost) : undefined
      let result = evm.start(messageTo(), block, view, { kind: 'call', shouldPause, ...(onStep && { onStep }) })
      let pauses = 0
      for (; result.type === 'paused'; pauses++) result = result.resume()
      const { output, gasUsed } = result as Done
      return { output, gasUsed, costs, pauses }
    }
    const [straight, paused] = [run(() => false), run(() => true)]
    expect(straight.output).toEqual(keccak256(new Uint8Array(1 << 20)))
    expect(paused.pauses).toBeGreaterThan(straight.pauses + 2)
    expect({ ...paused, pauses: 0 }).toEqual(straight)
  })

  it('pauses while a large result is read', () => {
    const evm = createEvm()
    // Calls the account at zero again and again until there is no gas left.
    const view = viewOf('0x5b5f5f5f5f5f5f5af1505f56')
    let asked = 0
    const options = { kind: 'call', shouldPause: () => ++asked > 0 } as const
    const drain = (reads: ('frames' | 'readSet')[]) => {
      asked = 0
      let run = evm.start(messageTo('', 3_000_000n), block, view, { ...options, reads })
      let pauses = 0
      for (; run.type === 'paused'; pauses++) run = run.resume()
      return { pauses, frames: run.type === 'done' ? run.frames : [] }
    }
    const [without, within] = [drain([]), drain(['frames', 'readSet'])]
    expect(within.frames).toEqual(without.frames)
    expect(within.pauses - without.pauses).toBe(Math.floor(within.frames.length / 512))
  })

  it('pauses while a large result is taken', () => {
    const evm = createEvm()
    // Calls an account with a megabyte, again and again until there is no gas left: each input is recorded.
    const view = viewOf('0x5b5f5f621000005f5f61ffff5af1505f56')
    let run = evm.start(messageTo('', 4_000_000n), block, view, { kind: 'call', shouldPause: () => true })
    while (run.type === 'paused') run = run.resume()
    const { frames, framesTruncated } = run as Done
    expect(framesTruncated).toBe(true)
    // The comparison of `expect` takes seconds for a megabyte.
    expect(Buffer.compare(frames[1]?.input ?? new Uint8Array(0), new Uint8Array(1 << 20))).toBe(0)
    const straight = evm.run(messageTo('', 4_000_000n), block, view, { kind: 'call' }) as Done
    expect(straight.frames.length).toBe(frames.length)
    expect(straight.frames.at(-1)).toEqual(frames.at(-1))
  })

  it('keeps overrides where transient storage is filled', () => {
    const evm = createEvm()
    // Writes 20 000 keys of transient storage, and stops.
    const code: Hex = '0x5f5b60010180805d80614e2011600157'
    const view = viewOf(code)
    const replaced = new Uint8Array(32).fill(7)
    const targets = Array.from({ length: 200 }, (_, index): [Address, Hex] => [
      contract,
      `0x${index.toString(16).padStart(8, '0')}`,
    ])
    const overrides = { targets, resolve: () => replaced }
    for (const [, selector] of targets)
      expect(evm.run(messageTo(selector.slice(2)), block, view, { kind: 'call', overrides })).toMatchObject({
        status: 'success',
        output: replaced,
      })
  })

  it('keeps nothing of the storage of contracts that it created: what others loaded stays resident', () => {
    const evm = createEvm()
    const view = viewOf('0x')
    const asked: Address[] = []
    const counting: StateView = {
      ...view,
      account(address) {
        asked.push(address)
        return view.account(address)
      },
    }
    // Writes the slots from 3000 down to 1: PUSH2 3000, JUMPDEST DUP1 DUP1 SSTORE PUSH1 1 SWAP1 SUB DUP1 PUSH1 3 JUMPI.
    const init = { ...messageTo('610bb85b8080556001900380600357'), to: undefined }
    for (let round = 0; round < 400; round++)
      expect(evm.run(init, block, counting, { kind: 'call' })).toMatchObject({ type: 'done', status: 'success' })
    // 400 times 3000 slots are more than may be resident.
    expect(asked).toEqual([...new Set(asked)])
  })
})
