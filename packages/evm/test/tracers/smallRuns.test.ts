import { expect, it } from 'vitest'
import { hexFromBytes } from '../../src/bytes.ts'
import { keccak256Hex } from '../../src/keccak.ts'
import { wordHex } from '../../src/tracers/tracer.ts'
import { vmTracer } from '../../src/tracers/vmTracer.ts'
import { delegationTo } from '../fuzz/program.ts'
import { addressOf, callTo, log, sender, traceSmall, traceSmallWith } from './smallRun.ts'

const [first, second, third, fourth] = [addressOf(1), addressOf(2), addressOf(0xa3), addressOf(0xa4)]

it('shows the delegate of the target alone, as it was before the transaction', async () => {
  const codes = { [first]: `0x${callTo(fourth)}`, [second]: '0x600160005500' } as const
  const delegated = [
    { authority: third, target: first },
    { authority: fourth, target: second },
  ]
  const during = await traceSmall({ codes, to: third, authorizations: delegated }, 'prestateTracer')
  expect(Object.keys(during as object)).toEqual([sender])
  const code = hexFromBytes(delegationTo(first))
  const before = { codes: { ...codes, [third]: code }, to: third }
  expect(await traceSmall(before, 'prestateTracer')).toMatchObject({
    [first]: { code: codes[first] },
    [third]: { code },
  })
  expect(await traceSmall(before, 'prestateTracer', { disableCode: true })).not.toMatchObject({ [third]: { code } })
  const diff = { diffMode: true, disableCode: true }
  const shown = (await traceSmall({ codes, to: third, authorizations: delegated }, 'prestateTracer', diff)) as {
    post: Record<string, unknown>
  }
  expect(shown.post).toMatchObject({
    [third]: { nonce: 1, codeHash: expect.any(String) },
    [fourth]: { storage: expect.any(Object) },
  })
  expect(JSON.stringify(shown)).not.toContain('"code"')
})

it('shows the logs of the frames that succeeded, with their positions', async () => {
  const codes = {
    [first]: `0x${log}${callTo(second)}${log}${callTo(third)}${log}`,
    [second]: `0x${log}${callTo(third)}60006000fd`,
    [third]: `0x${log}`,
  } as const
  const trace = await traceSmall({ codes }, 'callTracer', { withLog: true })
  const logAt = (index: number, position: number) =>
    expect.objectContaining({ index: `0x${index}`, position: `0x${position}` })
  expect(trace).toMatchObject({
    logs: [logAt(0, 0), logAt(1, 1), logAt(3, 2)],
    calls: [
      { error: 'execution reverted', calls: [{ to: third }] },
      { to: third, logs: [logAt(2, 0)] },
    ],
  })
  const failed = (trace as { calls: { logs?: unknown; calls: { logs?: unknown }[] }[] }).calls[0]
  expect([failed?.logs, failed?.calls[0]?.logs]).toEqual([undefined, undefined])
})

it('shows what the frames that succeeded wrote, with its position among their calls and logs', async () => {
  const write = (value: number, slot: number) => `60${hex2(value)}60${hex2(slot)}55`
  const codes = {
    [first]: `0x${write(5, 1)}${log}${write(6, 1)}${callTo(second)}${callTo(third)}${write(6, 1)}${write(7, 2)}`,
    [second]: `0x${write(1, 1)}${callTo(third)}60006000fd`,
    [third]: `0x${write(3, 3)}${write(0, 3)}`,
  } as const
  const trace = await traceSmall({ codes }, 'callTracer', { withStorage: true })
  const word = (value: number) => wordHex(BigInt(value))
  const change = (address: string, slot: number, [before, after]: [number, number], [calls, logs] = [0, 0]) => ({
    ...{ address, slot: word(slot), before: word(before), after: word(after) },
    ...{ position: `0x${calls}`, logPosition: `0x${logs}` },
  })
  expect(trace).toMatchObject({
    writes: [change(first, 1, [0, 5]), change(first, 1, [5, 6], [0, 1]), change(first, 2, [0, 7], [2, 1])],
    calls: [{ error: 'execution reverted' }, { writes: [change(third, 3, [0, 3]), change(third, 3, [3, 0])] }],
  })
  const failed = (trace as { calls: { writes?: unknown; calls: { writes?: unknown }[] }[] }).calls[0]
  expect([failed?.writes, failed?.calls[0]?.writes]).toEqual([undefined, undefined])
})

const hex2 = (value: number) => value.toString(16).padStart(2, '0')

it('shows a destruction as a call without a result', async () => {
  const trace = await traceSmall({ codes: { [first]: `0x73${third.slice(2)}ff` }, value: 5n }, 'flatCallTracer')
  expect((trace as unknown[])[1]).toEqual({
    type: 'suicide',
    action: { address: first, balance: '0x5', refundAddress: third },
    subtraces: 0,
    traceAddress: [0],
  })
})

it('counts what bundlers check of each frame', async () => {
  const slot = wordHex(7n)
  const codes = {
    // SLOAD(7); SSTORE(7, 1); GAS, POP; EXTCODESIZE(second), ISZERO; EXTCODEHASH(second), POP; KECCAK256(0, 32); TLOAD(0)
    [first]: `0x60075450600160075560075450${'5a50'}73${second.slice(2)}3b1573${second.slice(2)}3f50602060002050${'60005c50'}${callTo(second)}`,
    [second]: '0x5b600056',
  } as const
  const trace = await traceSmall({ codes, storage: { [first]: { [slot]: 5n } } }, 'erc7562Tracer')
  expect(trace).toMatchObject({
    type: 'CALL',
    accessedSlots: {
      reads: { [slot]: [wordHex(5n)] },
      writes: { [slot]: 1 },
      transientReads: { [wordHex(0n)]: 1 },
      transientWrites: {},
    },
    extCodeAccessInfo: [second],
    usedOpcodes: { '0x5a': 1, '0x54': 2, '0x55': 1, '0x3b': 1, '0x3f': 1, '0x20': 1, '0x5c': 1, '0xf1': 1, '0x0': 1 },
    contractSize: { [second]: { contractSize: 4, opcode: 0x3b } },
    outOfGas: false,
    keccak: [wordHex(0n)],
    calls: [{ outOfGas: true, usedOpcodes: { '0x5b': expect.any(Number) }, accessedSlots: { reads: {} } }],
  })
})

it('shows what was hashed', async () => {
  const codes = { [first]: '0x602a600052602060002060006000205000' } as const
  const [word, empty] = [new Uint8Array(32).fill(42, 31), new Uint8Array(0)]
  expect(await traceSmall({ codes }, 'keccak256PreimageTracer')).toEqual({
    [keccak256Hex(word)]: wordHex(42n),
    [keccak256Hex(empty)]: '0x',
  })
})

it('leaves out what is hashed far beyond the memory, as go-ethereum does', async () => {
  // KECCAK256(0, 2 MiB), then KECCAK256(0, 2^40), for which there is too little gas.
  for (const [code, gas] of [
    ['0x6220000060002000', 12_000_000n],
    ['0x65010000000000600020', 100_000n],
  ] as const) {
    const run = { codes: { [first]: code }, gas }
    expect(await traceSmall(run, 'keccak256PreimageTracer')).toEqual({})
    expect(await traceSmall(run, 'erc7562Tracer')).not.toHaveProperty('keccak')
  }
})

it('shows what each operation did', async () => {
  // SSTORE(0, 1); MSTORE(0, 5); CALL of the second, with what it returns at 64; DUP1; SWAP1; STOP
  const codes = {
    [first]: `0x600160005560056000526020604060006000600073${second.slice(2)}5af1809000`,
    [second]: '0x602a60005260206000f3',
  } as const
  const { code, ops } = await traceSmallWith({ codes }, vmTracer)
  expect(code).toBe(codes[first])
  const did = (op: string) => ops.find((each) => each.op === op)
  expect(ops[0]).toEqual({
    cost: 3,
    ex: { mem: null, push: ['0x1'], store: null, used: 478_997 },
    op: 'PUSH1',
    pc: 0,
    sub: null,
  })
  expect(did('SSTORE')?.ex).toMatchObject({ store: { key: '0x0', val: '0x1' }, push: [], used: 478_994 - 22_100 })
  expect(did('MSTORE')?.ex?.mem).toEqual({ off: 0, data: wordHex(5n) })
  expect(did('CALL')).toMatchObject({
    ex: { push: ['0x1'], mem: { off: 64, data: wordHex(42n) } },
    sub: { code: codes[second], ops: expect.any(Array) },
  })
  expect(did('CALL')?.sub?.ops.at(-1)).toMatchObject({ op: 'RETURN', ex: { push: [], mem: null }, cost: 0 })
  expect([did('DUP1')?.ex?.push, did('SWAP1')?.ex?.push]).toEqual([
    ['0x1', '0x1'],
    ['0x1', '0x1'],
  ])
  const failing = await traceSmallWith({ codes: { [first]: '0x6001fe' } }, vmTracer)
  expect(failing.ops.map(({ ex }) => ex === null)).toEqual([false, true])
})
