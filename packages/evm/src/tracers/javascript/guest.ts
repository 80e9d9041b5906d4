import { bigIntSource } from './bigInt.ts'
import { layout, requests } from './layout.ts'

/**
 * The code around a tracer in its sandbox: what go-ethereum gives to tracers, and the functions that the host calls. The host
 * leaves a step in `shared`, because a call into the host takes longer than everything else.
 */
export const guestSource = String.raw`(function (shared, host) {
'use strict'
${bigIntSource}
globalThis.bigInt = bigInt
const numbers = new Float64Array(shared, 0, ${layout.numbers})
const words = new BigUint64Array(shared, ${layout.stackAt}, ${layout.stackWords * 4})
const wordAt = (index) => {
  const at = index * 4
  const [low, second, third, high] = [words[at], words[at + 1], words[at + 2], words[at + 3]]
  return high === 0n && third === 0n && second === 0n ? low : (high << 192n) | (third << 128n) | (second << 64n) | low
}
const names = JSON.parse(host(${requests.names}))
const fromHex = (hex) => {
  const digits = hex.replace(/^0x/i, '')
  const even = digits.length % 2 === 0 ? digits : '0' + digits
  const bytes = new Uint8Array(even.length / 2)
  for (let index = 0; index < bytes.length; index++) bytes[index] = parseInt(even.slice(index * 2, index * 2 + 2), 16)
  return bytes
}
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (bytes) => {
  let hex = '0x'
  for (let index = 0; index < bytes.length; index++) hex += hexDigits[bytes[index]]
  return hex
}
const bytesFrom = (value, allowsText) => {
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return Uint8Array.from(value)
  if (allowsText && (typeof value === 'string' || value instanceof String)) return fromHex(String(value))
  throw new Error('invalid buffer type')
}
const sized = (value, size) => {
  const bytes = bytesFrom(value, true)
  const result = new Uint8Array(size)
  const from = bytes.length > size ? bytes.length - size : 0
  result.set(bytes.subarray(from), size - (bytes.length - from))
  return result
}
const addressHex = (value) => hexOf(sized(value, 20))
const bytesOf = (buffer) => new Uint8Array(buffer)
Object.assign(globalThis, {
  toHex: (value) => hexOf(bytesFrom(value, false)),
  toWord: (value) => sized(value, 32),
  toAddress: (value) => sized(value, 20),
  toContract: (from, nonce) => bytesOf(host(${requests.contractAddress}, addressHex(from), String(nonce))),
  toContract2: (from, salt, code) =>
    bytesOf(host(${requests.contract2Address}, addressHex(from), hexOf(sized(salt, 32)), hexOf(bytesFrom(code, true)))),
  isPrecompiled: (value) => host(${requests.isPrecompile}, addressHex(value)),
  slice: (value, start, end) => {
    const bytes = bytesFrom(value, false)
    if (start < 0 || start > end || end > bytes.length)
      throw new Error('Tracer accessed out of bound memory: available ' + bytes.length + ', offset ' + start + ', size ' + (end - start))
    return bytes.slice(start, end)
  },
})
let frame
let error
const log = {
  op: {
    toNumber: () => numbers[1],
    toString: () => names[numbers[1]] || 'opcode 0x' + numbers[1].toString(16) + ' not defined',
    isPush: () => numbers[1] >= 0x5f && numbers[1] <= 0x7f,
  },
  stack: {
    length: () => (numbers[${layout.hasStack}] || host(${requests.needStack}), numbers[6]),
    peek: (index) => {
      const length = log.stack.length()
      if (index < 0 || index >= length)
        throw new Error('tracer accessed out of bound stack: size ' + length + ', index ' + index)
      return bigInt(index < ${layout.stackWords} ? wordAt(index) : BigInt(host(${requests.stackWord}, index)))
    },
  },
  memory: {
    length: () => (numbers[${layout.memoryLength}] < 0 ? host(${requests.memoryLength}) : numbers[${layout.memoryLength}]),
    slice: (start, end) => {
      if (end < start || start < 0)
        throw new Error('tracer accessed out of bound memory: offset ' + start + ', end ' + end)
      return bytesOf(host(${requests.memory}, start, end))
    },
    getUint: (offset) => {
      const length = log.memory.length()
      if (offset < 0 || length < offset + 32)
        throw new Error('tracer accessed out of bound memory: available ' + length + ', offset ' + offset + ', size 32')
      return bigInt(hexOf(bytesOf(host(${requests.memory}, offset, offset + 32))).slice(2), 16)
    },
  },
  contract: {
    getCaller: () => fromHex(frame.caller),
    getAddress: () => fromHex(frame.address),
    getValue: () => bigInt(frame.value),
    getInput: () => fromHex(frame.input),
  },
  getPC: () => numbers[0],
  getGas: () => numbers[2],
  getCost: () => numbers[3],
  getRefund: () => numbers[4],
  getDepth: () => numbers[5],
  getError: () => error,
}
const db = {
  getBalance: (address) => bigInt(host(${requests.balance}, addressHex(address))),
  getNonce: (address) => host(${requests.nonce}, addressHex(address)),
  getCode: (address) => bytesOf(host(${requests.code}, addressHex(address))),
  getState: (address, slot) => bytesOf(host(${requests.storage}, addressHex(address), hexOf(sized(slot, 32)))),
  exists: (address) => host(${requests.exists}, addressHex(address)),
}
let tracer
return {
  load(code, config) {
    tracer = (0, eval)('(' + code + '\n)')
    const has = (name) => typeof tracer?.[name] === 'function'
    if (!has('result')) throw new Error('trace object must expose a function result()')
    if (!has('fault')) throw new Error('trace object must expose a function fault()')
    if (has('enter') !== has('exit'))
      throw new Error('trace object must expose either both or none of enter() and exit()')
    if (has('setup')) tracer.setup(config)
    return (has('step') ? 1 : 0) + (has('enter') ? 2 : 0)
  },
  step: () => {
    error = undefined
    tracer.step(log, db)
  },
  /** A step that fails before the operation begins. */
  failedStep: (message) => {
    error = message
    tracer.step(log, db)
  },
  fault: (message) => {
    error = message
    tracer.fault(log, db)
  },
  frame(text) {
    frame = JSON.parse(text)
  },
  enter(text) {
    const call = JSON.parse(text)
    tracer.enter({
      getType: () => call.type,
      getFrom: () => fromHex(call.from),
      getTo: () => fromHex(call.to),
      getInput: () => fromHex(call.input),
      getGas: () => call.gas,
      getValue: () => (call.value === undefined ? undefined : bigInt(call.value)),
    })
  },
  exit(text) {
    const { gasUsed, output, error } = JSON.parse(text)
    tracer.exit({ getGasUsed: () => gasUsed, getOutput: () => fromHex(output), getError: () => error })
  },
  result(text) {
    const ctx = JSON.parse(text)
    for (const name of ['from', 'to', 'input', 'output', 'blockHash', 'txHash', 'coinbase'])
      if (ctx[name] !== undefined) ctx[name] = fromHex(ctx[name])
    for (const name of ['value', 'gasPrice']) ctx[name] = bigInt(ctx[name])
    return JSON.stringify(tracer.result(ctx, db))
  },
}
})`
