import type { Random } from '@understudy/testkit'
import { bytesFromBigint, bytesFromHex } from '../../src/bytes.ts'
import { opcodes } from '../../src/opcodes.ts'
import type { Address } from '../../src/port.ts'

const opcodeOf = new Map(opcodes.map(({ name, code }) => [name, code]))

function op(name: string): number {
  const code = opcodeOf.get(name)
  if (code === undefined) throw new Error(`no operation ${name}`)
  return code
}

const max = (1n << 256n) - 1n
const interesting = [0n, 1n, 2n, 3n, 31n, 32n, 33n, 64n, 255n, 256n, 1n << 64n, 1n << 128n, 1n << 255n, max, max - 1n]

/** What compilers write again and again, which the engine runs as one operation. DUP and SWAP are any of their kind. */
const common = [
  'PUSH1 PUSH1',
  'PUSH1 DUP',
  'PUSH1 ADD',
  'PUSH1 SHL',
  'PUSH1 SHR',
  'PUSH1 MLOAD',
  'PUSH1 MSTORE',
  'MASK',
  'MASK AND',
  'MASK DUP AND',
  'POP POP',
  'POP POP POP',
  'DUP AND',
  'DUP ADD',
  'DUP DUP',
  'SIZE NUMBER DUP2 MSTORE',
  'SWAP1 DUP',
  'SWAP SWAP',
  'SWAP POP',
]
/** What they write before a jump with a condition. */
const conditions = ['', '', 'ISZERO', 'EQ', 'LT', 'GT', 'LT ISZERO', 'GT ISZERO', 'DUP1 ISZERO', 'DUP1 PUSH4 EQ']

/** Operations that only need their operands. */
const plain = opcodes.filter(({ name }) => {
  if (/^(PUSH|DUP|SWAP|LOG|JUMP|CALL|CREATE|DELEGATECALL|STATICCALL)/.test(name) && !/^CALL(ER|VALUE|DATA)/.test(name))
    return false
  return !['STOP', 'RETURN', 'REVERT', 'SELFDESTRUCT'].includes(name)
})
const memoryRange = new Set([
  'KECCAK256',
  'CALLDATACOPY',
  'CODECOPY',
  'RETURNDATACOPY',
  'MCOPY',
  'MLOAD',
  'MSTORE',
  'MSTORE8',
])
const takesAddress = new Set(['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH', 'EXTCODECOPY'])
const takesKey = new Set(['SLOAD', 'SSTORE', 'TLOAD', 'TSTORE'])

/** Writes programs that mostly do what they mean to, so that they reach deep states. */
export class ProgramWriter {
  readonly #random: Random
  readonly #addresses: readonly Address[]
  readonly #code: number[] = []

  constructor(random: Random, addresses: readonly Address[]) {
    this.#random = random
    this.#addresses = addresses
  }

  write(length: number): Uint8Array {
    const random = this.#random
    while (this.#code.length < length) this.#statement()
    if (random.chance(0.7)) this.#end()
    if (random.chance(0.1)) this.#code.push(...random.bytes(random.integer(1, 30)))
    return Uint8Array.from(this.#code)
  }

  #push(value: bigint): void {
    const length = value === 0n ? 1 : Math.ceil(value.toString(16).length / 2)
    this.#code.push(0x5f + length, ...bytesFromBigint(value, length))
  }

  #number(): bigint {
    const random = this.#random
    if (random.chance(0.3)) return random.pick(interesting)
    if (random.chance(0.5)) return BigInt(random.integer(0, 1000))
    return BigInt(`0x${Buffer.from(random.bytes(random.integer(1, 32))).toString('hex')}`)
  }

  /** An offset or a length: mostly small. */
  #size(): bigint {
    return this.#random.chance(0.995) ? BigInt(this.#random.integer(0, 130)) : this.#number()
  }

  #address(): bigint {
    const random = this.#random
    if (random.chance(0.15)) return BigInt(random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0b, 0x0d, 0x10, 0x100]))
    if (random.chance(0.05)) return this.#number()
    return BigInt(random.pick(this.#addresses))
  }

  #key(): bigint {
    return BigInt(this.#random.integer(0, 4))
  }

  #statement(): void {
    const random = this.#random
    const kind = random.next()
    if (kind < 0.5) this.#plain()
    else if (kind < 0.62) this.#call()
    else if (kind < 0.66) this.#create()
    else if (kind < 0.7) this.#stackPlay()
    else if (kind < 0.74) this.#common(random.pick(common))
    else if (kind < 0.82) this.#store()
    else if (kind < 0.86) this.#log()
    else if (kind < 0.9) this.#branch()
    else if (kind < 0.93) this.#loop()
    else if (kind < 0.96) this.#fill()
    else if (kind < 0.975) this.#end()
    else if (kind < 0.978) this.#code.push(random.integer(0, 255))
    else this.#common(random.pick(common))
  }

  #plain(): void {
    const random = this.#random
    const { name, code, takes } = random.pick(plain)
    for (let i = 0; i < takes; i++) {
      const top = i === takes - 1
      if (random.chance(0.004)) continue
      if (name === 'RETURNDATACOPY' && !top) this.#push(random.chance(0.95) ? 0n : this.#size())
      else if (memoryRange.has(name) || name === 'EXTCODECOPY')
        this.#push(top && name === 'EXTCODECOPY' ? this.#address() : this.#size())
      else if (takesAddress.has(name)) this.#push(this.#address())
      else if (takesKey.has(name)) this.#push(top ? this.#key() : random.chance(0.4) ? 0n : this.#number())
      else if (name === 'EXP' && !top) this.#push(random.chance(0.8) ? BigInt(random.integer(0, 300)) : this.#number())
      else this.#push(this.#number())
    }
    this.#code.push(code)
    if (random.chance(0.3)) this.#keep()
  }

  /** Makes the top of the stack part of the result. */
  #keep(): void {
    this.#push(BigInt(this.#random.integer(0, 3) * 32))
    this.#code.push(op('MSTORE'))
  }

  #store(): void {
    const random = this.#random
    this.#push(random.chance(0.4) ? BigInt(random.integer(0, 1)) : this.#number())
    this.#push(this.#key())
    this.#code.push(op(random.chance(0.7) ? 'SSTORE' : 'TSTORE'))
  }

  #stackPlay(): void {
    const random = this.#random
    this.#push(this.#number())
    const depth = random.integer(0, random.chance(0.8) ? 2 : 15)
    this.#code.push((random.chance(0.5) ? op('DUP1') : op('SWAP1')) + depth)
    if (random.chance(0.3)) this.#code.push(op('SWAP1'), op('POP'))
    if (random.chance(0.2)) this.#code.push(op('POP'))
  }

  #common(sequence: string): void {
    const random = this.#random
    for (const name of sequence.split(' ')) {
      if (name === 'MASK') {
        this.#code.push(
          op('PUSH1'),
          1,
          op('PUSH1'),
          1,
          op('PUSH1'),
          random.pick([0, 8, 63, 64, 96, 128, 160, 224, 255]),
        )
        this.#code.push(op('SHL'), op('SUB'))
      } else if (name === 'SIZE' || name === 'NUMBER') {
        this.#push(name === 'SIZE' ? this.#size() : this.#number())
      } else if (name === 'DUP' || name === 'SWAP') {
        this.#code.push(op(`${name}1`) + random.integer(0, random.chance(0.9) ? 2 : 15))
      } else {
        this.#code.push(op(name))
        if (name === 'PUSH1') this.#code.push(random.integer(0, 255))
        if (name === 'PUSH4') this.#code.push(0, 0, 0, random.integer(0, 1))
      }
    }
    if (random.chance(0.3) && !conditions.includes(sequence)) this.#keep()
  }

  #call(): void {
    const random = this.#random
    const name = random.pick(['CALL', 'CALL', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
    this.#push(this.#size())
    this.#push(this.#size())
    this.#push(this.#size())
    this.#push(this.#size())
    if (name === 'CALL' || name === 'CALLCODE') this.#push(random.chance(0.7) ? 0n : BigInt(random.integer(1, 2000)))
    this.#push(this.#address())
    if (random.chance(0.6)) this.#code.push(op('GAS'))
    else this.#push(random.chance(0.7) ? BigInt(random.integer(0, 60000)) : this.#number())
    this.#code.push(op(name))
    if (random.chance(0.4)) this.#keep()
    if (random.chance(0.3)) {
      this.#code.push(op('RETURNDATASIZE'))
      this.#keep()
    }
  }

  #create(): void {
    const random = this.#random
    const inner = new ProgramWriter(random, this.#addresses)
    const initcode = random.chance(0.3) ? random.bytes(random.integer(0, 40)) : inner.write(random.integer(4, 40))
    for (let at = 0; at < initcode.length; at += 32) {
      const word = Buffer.alloc(32)
      word.set(initcode.subarray(at, at + 32))
      this.#code.push(op('PUSH32'), ...word)
      this.#push(BigInt(at))
      this.#code.push(op('MSTORE'))
    }
    const second = random.chance(0.5)
    if (second) this.#push(BigInt(random.integer(0, 1)))
    this.#push(random.chance(0.9) ? BigInt(initcode.length) : this.#size())
    this.#push(0n)
    this.#push(random.chance(0.8) ? 0n : BigInt(random.integer(1, 100)))
    this.#code.push(op(second ? 'CREATE2' : 'CREATE'))
    if (random.chance(0.4)) {
      // Calls what was created.
      this.#code.push(
        op('DUP1'),
        op('PUSH1'),
        0,
        op('DUP1'),
        op('DUP1'),
        op('DUP1'),
        op('DUP1'),
        op('SWAP1') + 4,
        op('GAS'),
        op('CALL'),
      )
    }
  }

  #log(): void {
    const topics = this.#random.integer(0, 4)
    for (let i = 0; i < topics; i++) this.#push(this.#number())
    this.#push(this.#size())
    this.#push(this.#size())
    this.#code.push(op('LOG0') + topics)
  }

  /** A jump over a few operations, taken or not. */
  #branch(): void {
    const random = this.#random
    const inside = new ProgramWriter(random, this.#addresses)
    inside.#plain()
    const conditional = random.chance(0.7)
    if (conditional) {
      this.#push(BigInt(random.integer(0, 2)))
      this.#push(BigInt(random.integer(0, 1)))
      const condition = random.pick(conditions)
      if (condition) this.#common(condition)
    } else if (random.chance(0.3)) {
      this.#push(1n)
      this.#code.push(op('DUP1'), op('ADD'))
    }
    const target = this.#code.length + 4 + inside.#code.length
    this.#code.push(op('PUSH2'), target >> 8, target & 255, op(conditional ? 'JUMPI' : 'JUMP'), ...inside.#code)
    this.#code.push(random.chance(0.95) ? op('JUMPDEST') : op('STOP'))
  }

  /** Counts down from a small number. */
  #loop(): void {
    const random = this.#random
    const inside = new ProgramWriter(random, this.#addresses)
    inside.#statement()
    this.#push(BigInt(random.integer(1, 12)))
    const start = this.#code.length
    this.#code.push(op('JUMPDEST'), ...inside.#code)
    this.#code.push(op('PUSH1'), 1, op('SWAP1'), op('SUB'), op('DUP1'))
    this.#code.push(op('PUSH2'), start >> 8, start & 255, op('JUMPI'))
  }

  #fill(): void {
    this.#code.push(op('PUSH32'), ...this.#random.bytes(32))
    this.#keep()
  }

  #end(): void {
    const random = this.#random
    const kind = random.next()
    if (kind < 0.1) {
      this.#push(this.#address())
      this.#code.push(op('SELFDESTRUCT'))
    } else if (kind < 0.9) {
      this.#push(this.#size())
      this.#push(this.#size())
      this.#code.push(op(kind < 0.65 ? 'RETURN' : 'REVERT'))
    } else {
      this.#code.push(kind < 0.95 ? op('STOP') : 0xfe)
    }
  }
}

/** The code of an account that delegates to another (EIP-7702). */
export function delegationTo(address: Address): Uint8Array {
  return Uint8Array.from([0xef, 0x01, 0x00, ...bytesFromHex(address)])
}
