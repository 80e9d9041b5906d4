import { describe, expect, it } from 'vitest'
import type { Hex } from '../../src/port.ts'
import { addressOf, callTo, log, sender, traceSmall } from './smallRun.ts'

const [first, second, third] = [addressOf(1), addressOf(2), addressOf(0xa3)]
const trace = (codes: Record<Hex, Hex>, tracer: string, more: object = {}) => traceSmall({ codes, ...more }, tracer)
const noFault = 'fault() {}'

describe('tracers in JavaScript', () => {
  it('see each operation, and what they have counted at the end', async () => {
    const counter = `{ count: {}, step(log) { const op = log.op.toString(); this.count[op] = (this.count[op] || 0) + 1 },
      ${noFault}, result() { return this.count } }`
    expect(await trace({ [first]: `0x${log}600100` }, counter)).toEqual({ PUSH1: 3, LOG0: 1, STOP: 1 })
  })

  it('see each step once', async () => {
    // 12 operations for 35 gas, and 3 for what is left.
    const loop = '0x5b6001600101506001600101505b600056'
    const tracer = `{ n: 0, last: 1e9, ${noFault}, result() { return this.n },
      step(log) { if (log.getGas() >= this.last) throw 'twice'; this.last = log.getGas(); this.n++ } }`
    expect(await trace({ [first]: loop }, tracer, { gas: 121_000n })).toBe(Math.floor(100_000 / 35) * 12 + 3)
  })

  it('see the positions of a step', async () => {
    const tracer = `{ steps: [], ${noFault}, result() { return this.steps },
      step(log) { this.steps.push([log.getPC(), log.op.toNumber(), log.op.isPush(), log.getGas(), log.getCost(), log.getDepth(),
        log.getRefund(), log.getError() === undefined, log.stack.length()]) } }`
    expect(await trace({ [first]: '0x600100' }, tracer)).toEqual([
      [0, 0x60, true, 479_000, 3, 1, 0, true, 0],
      [2, 0, false, 478_997, 0, 1, 0, true, 1],
    ])
  })

  it('read the stack and the memory', async () => {
    const words = Array.from({ length: 25 }, (_, index) => `60${(index + 1).toString(16).padStart(2, '0')}`).join('')
    const tracer = `{ found: undefined, ${noFault}, result() { return this.found },
      step(log) { if (log.op.toString() === 'STOP') this.found = [log.stack.length(), log.stack.peek(0).toString(16),
        log.stack.peek(1).toJSNumber(), log.stack.peek(24), toHex(log.memory.slice(0, 4)), log.memory.length(),
        log.memory.getUint(0).toString(16), toHex(log.memory.slice(30, 34))] } }`
    const word = 'ab'.repeat(32)
    expect(await trace({ [first]: `0x7f${word}600052${words}7f${word}00` }, tracer)).toEqual([
      26,
      word,
      25,
      '2',
      '0xabababab',
      32,
      word,
      '0xabab0000',
    ])
  })

  it('find what is not named in their code', async () => {
    const tracer = `{ top: 0, ${noFault}, result() { return this.top },
      step(log) { if (log.op.toNumber() === 0) this.top = [log['sta' + 'ck'].peek(0).toJSNumber(), log['mem' + 'ory'].length()] } }`
    expect(await trace({ [first]: '0x6001600052602a00' }, tracer)).toEqual([42, 32])
  })

  it('see calls and their ends', async () => {
    const tracer = `{ seen: [], ${noFault}, result(ctx) { return this.seen },
      enter(frame) { this.seen.push([frame.getType(), toHex(frame.getFrom()), toHex(frame.getTo()), toHex(frame.getInput()),
        frame.getGas() > 0, frame.getValue() === undefined ? 'none' : frame.getValue().toString()]) },
      exit(res) { this.seen.push([res.getGasUsed(), toHex(res.getOutput()), res.getError() || '']) } }`
    const codes = {
      [first]: `0x${callTo(second)}6000600060006000620000${'03'}5afa00`,
      [second]: '0x602a60005260206000fd',
    }
    expect(await trace(codes, tracer)).toEqual([
      ['CALL', first, second, '0x', true, '0'],
      [18, `0x${'0'.repeat(62)}2a`, 'execution reverted'],
      ['STATICCALL', first, `0x${'0'.repeat(39)}3`, '0x', true, 'none'],
      [600, expect.stringMatching(/^0x0{24}[\da-f]{40}$/), ''],
    ])
  })

  it('see the contract that runs', async () => {
    const tracer = `{ seen: [], ${noFault}, result() { return this.seen },
      step(log) { if (log.op.toString() === 'CALLER') this.seen.push([toHex(log.contract.getCaller()),
        toHex(log.contract.getAddress()), log.contract.getValue().toString(), toHex(log.contract.getInput())]) } }`
    const delegate = `60006000600060006000${''}73${second.slice(2)}5af450`
    const codes = { [first]: `0x33${delegate}33`, [second]: '0x33' }
    const outer = [sender, first, '7', '0x1234']
    expect(await trace(codes, tracer, { value: 7n, data: '0x1234' })).toEqual([
      outer,
      [sender, first, '7', '0x'],
      outer,
    ])
  })

  it('see failures: before an operation in step, and in it as a fault', async () => {
    const tracer = `{ seen: [], result(ctx) { return [this.seen, ctx.error] },
      step(log) { if (log.getError()) this.seen.push(['step', log.getError()]) },
      fault(log) { this.seen.push(['fault', log.op.toString(), log.getError()]) } }`
    expect(await trace({ [first]: '0x50' }, tracer)).toEqual([
      [['step', 'stack underflow (0 <=> 1)']],
      'stack underflow (0 <=> 1)',
    ])
    expect(await trace({ [first]: '0x600056' }, tracer)).toEqual([
      [['fault', 'JUMP', 'invalid jump destination']],
      'invalid jump destination',
    ])
  })

  it('read the state as it is at that moment', async () => {
    const tracer = `{ seen: [], ${noFault}, result(ctx, db) { return [this.seen, db.getBalance(toAddress('${third}')).toString()] },
      step(log, db) { if (log.op.toString() !== 'JUMPDEST') return
        this.seen.push([toHex(db.getState(toAddress('${first}'), toWord('0x5'))), db.getBalance(toAddress('${third}')).toString(),
          db.getNonce(toAddress('${sender}')), db.getCode(toAddress('${second}')).length, db.exists(toAddress('${third}'))]) } }`
    // SSTORE(5, 9); CALL(third) with 3 wei
    const pay = `6000600060006000600373${third.slice(2)}5af150`
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
    const codes = { [first]: `0x5b60096005555b${pay}5b`, [second]: '0x0102' } as const
    expect(await trace(codes, tracer, { value: 4n, storage: { [first]: { [word(5)]: 8n } } })).toEqual([
      [
        [word(8), '0', 1, 2, false],
        [word(9), '0', 1, 2, false],
        [word(9), '3', 1, 2, true],
      ],
      '3',
    ])
  })

  it('get the context, their settings, and the functions of go-ethereum', async () => {
    const tracer = `{ setup(config) { this.config = JSON.parse(config) }, ${noFault}, result(ctx) { return {
      config: this.config, type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to), input: toHex(ctx.input), gas: ctx.gas,
      value: ctx.value.toString(), block: ctx.block, output: toHex(ctx.output),
      word: toHex(toWord('0x1')), slice: toHex(slice(toWord('0x1234'), 30, 32)),
      precompiled: [isPrecompiled(toAddress('0x9')), isPrecompiled(toAddress('0x99'))],
      contract: toHex(toContract(toAddress('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0'), 1)),
      contract2: toHex(toContract2('0x0000000000000000000000000000000000000000', '0x0', '0x00')) } } }`
    expect(await traceSmall({ codes: { [first]: '0x00' }, value: 5n, data: '0xff' }, tracer, { a: 1 })).toEqual({
      config: { a: 1 },
      type: 'CALL',
      from: sender,
      to: first,
      input: '0xff',
      gas: 500_000,
      value: '5',
      block: 1,
      output: '0x',
      word: `0x${'0'.repeat(63)}1`,
      slice: '0x1234',
      precompiled: [true, false],
      // Known addresses: of ethereumjs, and of EIP-1014.
      contract: '0x343c43a37d37dff08ae8c4a11544c718abb4fcf8',
      contract2: '0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38',
    })
  })

  it('calculate with bigInt', async () => {
    const tracer = `{ ${noFault}, result() { const a = bigInt('ff', 16), b = bigInt('1000000000000000000000')
      return [a.plus(1), b.times(b).toString(), b.divide(3).toString(), b.mod(7).toJSNumber(), a.equals(255), b.gt(a),
        a.and(15).toString(16), a.shiftLeft(4).toString(16), a.negate().toString(), bigInt.max(a, b).toString(16),
        a.isZero(), a.compareTo(b), bigInt(2).pow(10).toString(), a.bitLength().toString(), bigInt(3).modInv(11).toString()] } }`
    expect(await trace({ [first]: '0x00' }, tracer)).toEqual([
      '256',
      `1${'0'.repeat(42)}`,
      '333333333333333333333',
      6,
      true,
      true,
      'f',
      'ff0',
      '-255',
      '3635c9adc5dea00000',
      false,
      -1,
      '1024',
      '8',
      '4',
    ])
  })

  it('are ended where their code fails', async () => {
    const failing = (tracer: string) => trace({ [first]: '0x600100' }, tracer)
    await expect(failing('{ result() {} }')).rejects.toThrow('trace object must expose a function fault()')
    await expect(failing('{ fault() {} }')).rejects.toThrow('trace object must expose a function result()')
    await expect(failing(`{ ${noFault}, result() {}, enter() {} }`)).rejects.toThrow(
      'both or none of enter() and exit()',
    )
    await expect(failing('{ not javascript')).rejects.toThrow('SyntaxError')
    await expect(failing(`{ ${noFault}, result() {}, step(log) { log.stack.peek(5) } }`)).rejects.toThrow(
      "tracer accessed out of bound stack: size 0, index 5    in server-side tracer function 'step'",
    )
    await expect(failing(`{ ${noFault}, result() {}, step(log) { log.memory.slice(-1, -2) } }`)).rejects.toThrow(
      'tracer accessed out of bound memory: offset -1, end -2',
    )
    await expect(failing(`{ ${noFault}, result() { return this.nothing.at } }`)).rejects.toThrow('TypeError')
  })

  it('reach nothing outside, and end when they take too much', async () => {
    const failing = (tracer: string) => trace({ [first]: '0x600100' }, tracer)
    const names = "['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'std', 'os', 'console', 'module']"
    expect(await failing(`{ ${noFault}, result() { return ${names}.filter((name) => name in globalThis) } }`)).toEqual(
      [],
    )
    await expect(failing(`{ ${noFault}, result() { for (;;); } }`)).rejects.toThrow('computed for more than')
    await expect(failing(`{ ${noFault}, result() {}, step() { try { for (;;); } catch (error) {} } }`)).rejects.toThrow(
      'computed for more than',
    )
    await expect(
      failing(
        `{ ${noFault}, result() { const all = []; for (let size = 1e6; ; size *= 100) all.push(new Uint8Array(size)) } }`,
      ),
    ).rejects.toThrow('out of memory')
    await expect(failing(`{ ${noFault}, result() { const f = () => f() + 1; return f() } }`)).rejects.toThrow()
    // QuickJS does not look at the clock in it.
    await expect(
      failing(`{ ${noFault}, result() { return [].lastIndexOf.call({ length: 1e15 }, 1) } }`),
    ).rejects.toThrow('computed for more than')
    expect(await failing(`{ ${noFault}, result() { return 1 } }`)).toBe(1)
  })

  it.each([
    ["toContract('0x00', '9'.repeat(1e5))", 'invalid nonce: 99999999999999999999'],
    ["toContract('0x00', '9'.repeat(2e6))", 'an argument has more than 1048576 characters'],
    ["toContract('0x00', -1)", 'invalid nonce: -1'],
    ["toContract('0x00', '18446744073709551616')", 'invalid nonce: 18446744073709551616'],
    ["'\\u0800'.repeat(25e6)", 'out of memory'],
  ])('cannot make the host compute for long: %s', async (code, message) => {
    const tracer = `{ ${noFault}, result() { return ${code} } }`
    await expect(trace({ [first]: '0x00' }, tracer)).rejects.toThrow(message)
  })
})
