import { cpuTime } from '@understudy/testkit'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { hexFromBytes } from '../../shared/hex.ts'
import { encodeValues, parseJsonArguments } from './encodeValues.ts'
import { parseFunctionAbi } from './functionAbi.ts'
import { readOutput, resolveOutputPath } from './outputValue.ts'

const latestRoundData =
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)'

describe('the ABI of a function', () => {
  it('is the same from JSON text, from an object and from a signature', () => {
    const fragment = {
      name: 'balanceOf',
      type: 'function',
      stateMutability: 'view',
      inputs: [{ name: 'holder', type: 'address' }],
      outputs: [{ name: '', type: 'uint' }],
    }
    const parsed = [
      parseFunctionAbi(JSON.stringify(fragment)),
      parseFunctionAbi(fragment),
      parseFunctionAbi([fragment]),
      parseFunctionAbi('function balanceOf(address holder) view returns (uint256)'),
      parseFunctionAbi('balanceOf(address) returns (uint)'),
    ]
    for (const { selector, signature, fragment } of parsed)
      expect([selector, signature, fragment.outputs[0]?.type]).toEqual(['0x70a08231', 'balanceOf(address)', 'uint256'])
    expect(parsed[0]?.json).toBe(JSON.stringify(fragment))
  })

  it('tells overloaded functions apart, also when only a tuple differs', () => {
    const selectors = ['f(uint256)', 'f(int256)', 'f((uint256,address) a)', 'f((uint256,address)[] a)', 'f()'].map(
      (signature) => parseFunctionAbi(signature).selector,
    )
    expect(new Set(selectors).size).toBe(5)
    const asJson = {
      name: 'f',
      inputs: [{ type: 'tuple[]', components: [{ type: 'uint' }, { type: 'address' }] }],
    }
    expect(parseFunctionAbi(asJson).selector).toBe(selectors[3])
  })

  it.each([
    ['not an ABI', 'neither a JSON fragment'],
    ['{"name": "f", ', 'neither a JSON fragment'],
    ['event Transfer(address a)', 'expected a fragment of type "function"'],
    ['[]', 'expected the ABI fragment of one function, got an array of 0'],
    [42, 'expected the ABI fragment of one function, got 42'],
    [{ type: 'function' }, "expected the function's name, got nothing"],
    [{ name: 'f', inputs: [{ type: 'uint7' }] }, 'inputs[0].type: expected an ABI type, got "uint7"'],
    [{ name: 'f', outputs: [{ type: 'tuple' }] }, 'outputs[0].components: expected an array, got nothing'],
    [{ name: 'f', inputs: {} }, 'inputs: expected an array, got an object'],
  ])('is refused when it is %j', (input, problem) => {
    expect(() => parseFunctionAbi(input)).toThrow(`invalid params: functionAbi: ${problem}`)
  })
})

describe('an ABI that is too much', () => {
  const deep = (depth: number) => `f(${'('.repeat(depth)}uint256${')'.repeat(depth)})`
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'uint256' } : { type: 'tuple', components: [nested(depth - 1)] }
  const many = (length: number) => Array.from({ length }, () => ({ type: 'bool' }))
  const lists = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

  it('is taken up to the limits', () => {
    const { signature } = parseFunctionAbi(deep(16))
    expect(signature).toBe(deep(16))
    expect(parseFunctionAbi({ name: 'f', inputs: [nested(16)] }).signature).toBe(signature)
    const { inputs, outputs } = parseFunctionAbi({ name: 'f', inputs: many(500), outputs: many(500) }).fragment
    expect([inputs.length, outputs.length]).toEqual([500, 500])
  })

  it.each([
    ['text of 100 001 characters', `f(${'a'.repeat(99_998)})`, 'has more than 100000 characters'],
    ['an object of as much', { name: 'f', notes: 'a'.repeat(100_000) }, 'has more than 100000 characters'],
    ['17 tuples in text', deep(17), 'tuples are nested more than 16 deep'],
    ['17 tuples in JSON', { name: 'f', inputs: [nested(17)] }, 'tuples are nested more than 16 deep'],
    ['2 000 tuples in text', deep(2_000), 'tuples are nested more than 16 deep'],
    ['2 000 tuples in JSON', { name: 'f', inputs: [nested(2_000)] }, 'is nested more than 256 deep'],
    ['1 001 parameters in text', `f(${'bool,'.repeat(1_000)}bool)`, 'has more than 1000 parameters'],
    ['1 001 parameters in JSON', { name: 'f', inputs: many(501), outputs: many(500) }, 'more than 1000 parameters'],
    ['other fields that are deep', { name: 'f', notes: lists(20_000) }, 'is nested more than 256 deep'],
    ['tuples of nothing', { name: 'f', outputs: [{ type: 'tuple[9999]', components: [] }] }, 'at least one component'],
  ])('is refused by the name of the field: %s', (_, input, problem) => {
    expect(() => parseFunctionAbi(input)).toThrow(/^invalid params: functionAbi: /)
    expect(() => parseFunctionAbi(input)).toThrow(problem)
  })

  it.each([
    ['parentheses', '('.repeat(49_000)],
    ['both kinds', '()'.repeat(49_000)],
    ['commas', `f(${','.repeat(90_000)}`],
    ['arrays', `f(uint256${'[]'.repeat(49_000)} a)`],
    ['spaces', `f(${' '.repeat(99_000)}`],
    ['names', `f(uint256 ${'a'.repeat(99_000)}`],
    ['words that begin a clause', `f() ${'returns ('.repeat(10_000)}`],
    ['endings of dimensions', { name: 'f', inputs: [{ type: `uint256${'[1]'.repeat(30_000)}x` }] }],
  ])('is refused in no time when it is made of %s', (_, input) => {
    const before = cpuTime()
    expect(() => parseFunctionAbi(input)).toThrow('invalid params: functionAbi')
    expect(cpuTime() - before).toBeLessThan(250)
  })

  it('does not take the names of parameters into the signature', () => {
    const inputs = [{ type: 'uint256', name: ') payable (' }]
    expect(parseFunctionAbi({ name: 'f', inputs }).selector).toBe(parseFunctionAbi('f(uint256)').selector)
  })
})

describe('a signature in text', () => {
  it.each([
    ['function f()', { inputs: [], outputs: [], stateMutability: 'nonpayable' }],
    ['f(address payable to) external payable', { stateMutability: 'payable' }],
    ['f() view public returns(string memory)', { stateMutability: 'view', outputs: [{ type: 'string' }] }],
    ['f(tuple(uint a,bool)[2][] x)', { inputs: [{ type: 'tuple[2][]', name: 'x' }] }],
    ['f(\n  bytes calldata data,\n  uint8\n)', { inputs: [{ type: 'bytes', name: 'data' }, { type: 'uint8' }] }],
  ])('%j is read', (text, expected) => {
    expect(parseFunctionAbi(text).fragment).toMatchObject({ name: 'f', ...expected })
  })

  it.each([
    ['f', 'expected "(", got nothing'],
    ['f(uint256', 'expected ")", got nothing'],
    ['f(uint256 a b)', 'expected ")", got "b"'],
    ['f(,)', 'expected a type, got ","'],
    ['f(uint256[)', 'expected "]", got ")"'],
    ['f() view returns (bool) x', 'expected the end, got "x"'],
    ['function (uint256)', 'expected the function\'s name, got "("'],
  ])('%j is refused', (text, problem) => {
    expect(() => parseFunctionAbi(text)).toThrow(problem)
  })
})

describe('values that are written as text', () => {
  const encode = (types: string, values: unknown[]) =>
    hexFromBytes(encodeValues('returnValues', parseAbiParameters(types) as never, values))
  const viem = (types: string, values: unknown[]) =>
    encodeAbiParameters(parseAbiParameters(types) as never, values as never)

  it('are encoded as viem encodes them: negative numbers, bytes, strings, arrays, nested tuples', () => {
    const types =
      'int256 a, uint8 b, bool c, address d, bytes e, bytes4 f, string g, int16[] h, (uint256 x, (string y, bool[2] z) w)[] i'
    const address = '0xAbCdEfabcdefabcdefabcdefabcdefabcdefabcd'
    const encoded = encode(types, [
      '-5',
      '0xff',
      'true',
      address,
      '0x',
      '0x12345678',
      'text, with "quotes"',
      '[-1, "2", 300]',
      '[[123456789012345678901234567890, ["a", [true, "false"]]], {"w": {"z": [false, false], "y": ""}, "x": "7"}]',
    ])
    const z = { x: 7n, w: { y: '', z: [false, false] } }
    expect(encoded).toBe(
      viem(types, [
        -5n,
        255,
        true,
        address.toLowerCase(),
        '0x',
        '0x12345678',
        'text, with "quotes"',
        [-1, 2, 300],
        [{ x: 123456789012345678901234567890n, w: { y: 'a', z: [true, false] } }, z],
      ]),
    )
  })

  it.each([
    ['uint256 a, bool b', ['1'], 'returnValues: expected 2 values: uint256 a, bool b; got 1'],
    ['uint256', ['1', '2'], 'returnValues: expected 1 value: uint256; got 2'],
    ['uint8 size', ['256'], 'returnValues[0] (size): expected uint8, got "256"'],
    ['uint8', ['-1'], 'returnValues[0]: expected uint8, got "-1"'],
    ['int8', ['-129'], 'returnValues[0]: expected int8, got "-129"'],
    ['uint256', ['1.5'], 'returnValues[0]: expected uint256, got "1.5"'],
    ['uint256', [''], 'returnValues[0]: expected uint256, got ""'],
    ['bool', ['1'], 'returnValues[0]: expected a bool: true or false, got "1"'],
    ['address', ['0x12'], 'returnValues[0]: expected an address: 0x and 40 hex digits, got "0x12"'],
    ['bytes4', ['0x1234'], 'returnValues[0]: expected bytes4: 0x and 8 hex digits, got "0x1234"'],
    ['bytes', ['0x123'], 'returnValues[0]: expected bytes: 0x and an even number of hex digits, got "0x123"'],
    ['uint256[2]', ['[1]'], 'returnValues[0]: expected 2 elements of uint256, got an array of 1'],
    ['uint256[]', ['1'], 'returnValues[0]: expected a JSON array of uint256, got "1"'],
    ['uint256[] list', ['[1, "x"]'], 'returnValues[0] (list)[1]: expected uint256, got "x"'],
    ['(uint256 a, bool b) t', ['{"a": 1}'], 'returnValues[0] (t).b: expected bool, got nothing'],
    [
      '(uint256 a, bool b) t',
      ['{"a": 1, "c": 2}'],
      'returnValues[0] (t): expected a tuple (uint256 a, bool b), as an array',
    ],
    ['(uint256 a, bool b) t', ['[1]'], 'returnValues[0] (t): expected a tuple (uint256 a, bool b) of 2 values'],
  ])('are refused as %s when they are %j', (types, values, message) => {
    expect(() => encode(types, values)).toThrow(`invalid params: ${message}`)
  })

  it('keep numbers in JSON exact', () => {
    expect(
      parseJsonArguments(
        'functionArgs',
        '[115792089237316195423570985008687907853269984665640564039457584007913129639935, "a1"]',
      ),
    ).toEqual(['115792089237316195423570985008687907853269984665640564039457584007913129639935', 'a1'])
    expect(() => parseJsonArguments('functionArgs', '{"a": 1}')).toThrow('functionArgs: expected a JSON array')
    expect(() => parseJsonArguments('functionArgs', '[1')).toThrow('functionArgs: expected a JSON array')
  })

  it('come back from what was encoded', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n }),
        fc.string(),
        fc.boolean(),
        (number, text, flag) => {
          const data = encode('int256 a, string b, (bool[] c, bytes d) e', [
            number.toString(),
            text,
            JSON.stringify([[flag, !flag], '0x00ff']),
          ])
          expect(decodeAbiParameters(parseAbiParameters('int256, string, (bool[], bytes)'), data)).toEqual([
            number,
            text,
            [[flag, !flag], '0x00ff'],
          ])
        },
      ),
    )
  })
})

describe('the value in what a function returned', () => {
  const read = (signature: string, values: unknown[], path?: string) => {
    const { outputs } = parseFunctionAbi(signature).fragment
    const at = path === undefined ? undefined : resolveOutputPath(outputs, path, 'functionOutputPath')
    return readOutput(outputs, at, encodeAbiParameters(outputs, values))
  }
  const account = '0x52908400098527886E0F7030069857D2E4169EE7'

  it('is plain text for a single output', () => {
    expect(read('f() returns (int256)', [-5n])).toBe('-5')
    expect(read('f() returns (uint8)', [7])).toBe('7')
    expect(read('f() returns (bool)', [true])).toBe('true')
    expect(read('f() returns (address)', [account.toLowerCase()])).toBe(account)
    expect(read('f() returns (bytes4)', ['0x12345678'])).toBe('0x12345678')
    expect(read('f() returns (string)', ['[text]'])).toBe('[text]')
  })

  it('is JSON for arrays, tuples and several outputs', () => {
    expect(read('f() returns (uint256[])', [[1n, 2n]])).toBe('["1","2"]')
    expect(read('f() returns ((uint256 a, (bool b, bytes c) d))', [{ a: 1n, d: { b: false, c: '0x01' } }])).toBe(
      '{"a":"1","d":{"b":"false","c":"0x01"}}',
    )
    expect(read('f() returns ((uint256, bool))', [[1n, true]])).toBe('["1","true"]')
    expect(read(latestRoundData, [1n, -2n, 3n, 4n, 5n])).toBe('["1","-2","3","4","5"]')
  })

  it('is found by a path of names and positions', () => {
    expect(read(latestRoundData, [1n, -2n, 3n, 4n, 5n], 'answer')).toBe('-2')
    expect(read(latestRoundData, [1n, -2n, 3n, 4n, 5n], '1')).toBe('-2')
    const nested = 'f() returns ((uint256 balance, (address owner, uint8[] tags) meta) info)'
    const value = [{ balance: 9n, meta: { owner: account, tags: [4, 5] } }]
    for (const path of ['info.balance', '0.balance', 'balance', '0.0', '0']) expect(read(nested, value, path)).toBe('9')
    expect(read(nested, value, 'info.meta.owner')).toBe(account)
    expect(read(nested, value, 'meta.tags.1')).toBe('5')
    expect(read(nested, value, 'info.meta')).toBe(`{"owner":"${account}","tags":["4","5"]}`)
    expect(() => read(nested, value, 'meta.tags.2')).toThrow(
      'element 2 was requested of an array that has 2 elements now',
    )
  })

  it('has no path that the outputs do not have', () => {
    const { outputs } = parseFunctionAbi('f() returns (uint256 a, uint256[2] b)').fragment
    for (const path of ['c', '2', 'a.0', 'b.2', 'b.x', '', 'a.', '__proto__', '-1'])
      expect(() => resolveOutputPath(outputs, path, 'functionOutputPath')).toThrow(
        `functionOutputPath: ${JSON.stringify(path)} is not in the outputs: they are a: uint256, b: uint256[2]`,
      )
  })

  it('says what is wrong when nothing fitting was returned', () => {
    const { outputs } = parseFunctionAbi('f() returns (uint256)').fragment
    expect(() => readOutput(outputs, undefined, '0x')).toThrow('nothing was returned; is there a contract?')
    expect(() => readOutput(outputs, undefined, '0x01')).toThrow('the return data does not match the outputs')
  })
})
