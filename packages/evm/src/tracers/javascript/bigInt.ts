/**
 * The `bigInt` of tracers, as guest code: what the library big-integer offers, which go-ethereum gives to tracers, on top of
 * native integers, which take a fraction of the time to load and to compute.
 */
export const bigIntSource = String.raw`
const bigInt = (() => {
  const unwrap = (value, radix = 10) => {
    if (value instanceof BigInteger) return value.value
    if (typeof value === 'bigint') return value
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value)) throw new Error('Invalid integer: ' + value)
      return BigInt(value)
    }
    if (value === undefined) return 0n
    const text = String(value).trim()
    const sign = text[0] === '-' ? -1n : 1n
    const digits = text.replace(/^[-+]/, '').toLowerCase()
    if (radix === 10 && /^\d+$/.test(digits)) return sign * BigInt(digits)
    if (radix === 16 && /^[\da-f]+$/.test(digits)) return sign * BigInt('0x' + digits)
    if (radix === 10) throw new Error('Invalid integer: ' + value)
    let sum = 0n
    for (const digit of digits) {
      const index = parseInt(digit, 36)
      if (!(index < radix)) throw new Error(digit + ' is not a valid digit in base ' + radix + '.')
      sum = sum * BigInt(radix) + BigInt(index)
    }
    return sign * sum
  }
  const abs = (value) => (value < 0n ? -value : value)
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
  const divide = (a, b) => {
    if (b === 0n) throw new Error('Cannot divide by zero')
    return a / b
  }
  const power = (base, exponent, modulus) => {
    let result = 1n
    for (base %= modulus; exponent > 0n; exponent >>= 1n) {
      if (exponent & 1n) result = (result * base) % modulus
      base = (base * base) % modulus
    }
    return result % modulus
  }
  const gcd = (a, b) => (b === 0n ? abs(a) : gcd(b, a % b))
  const witnesses = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n]
  const isPrime = (n) => {
    if (n < 2n) return false
    for (const prime of witnesses) if (n % prime === 0n) return n === prime
    let [odd, twos] = [n - 1n, 0]
    for (; (odd & 1n) === 0n; odd >>= 1n) twos++
    return witnesses.every((witness) => {
      let x = power(witness, odd, n)
      if (x === 1n || x === n - 1n) return true
      for (let i = 1; i < twos; i++) {
        x = (x * x) % n
        if (x === n - 1n) return true
      }
      return false
    })
  }
  const shift = (value, bits) => (bits < 0 ? value >> BigInt(-bits) : value << BigInt(bits))
  class BigInteger {
    constructor(value) { this.value = value }
    add(other) { return new BigInteger(this.value + unwrap(other)) }
    subtract(other) { return new BigInteger(this.value - unwrap(other)) }
    multiply(other) { return new BigInteger(this.value * unwrap(other)) }
    divide(other) { return new BigInteger(divide(this.value, unwrap(other))) }
    mod(other) {
      const by = unwrap(other)
      return new BigInteger(this.value - divide(this.value, by) * by)
    }
    divmod(other) { return { quotient: this.divide(other), remainder: this.mod(other) } }
    pow(other) { return new BigInteger(this.value ** unwrap(other)) }
    modPow(exponent, modulus) { return new BigInteger(power(this.value, unwrap(exponent), unwrap(modulus))) }
    modInv(other) {
      const modulus = unwrap(other)
      let [a, b, x, y] = [((this.value % modulus) + modulus) % modulus, modulus, 1n, 0n]
      while (b !== 0n) {
        const q = a / b
        ;[a, b, x, y] = [b, a - q * b, y, x - q * y]
      }
      if (a !== 1n) throw new Error(this + ' and ' + other + ' are not co-prime')
      return new BigInteger(x < 0n ? x + modulus : x)
    }
    negate() { return new BigInteger(-this.value) }
    abs() { return new BigInteger(abs(this.value)) }
    square() { return new BigInteger(this.value * this.value) }
    next() { return new BigInteger(this.value + 1n) }
    prev() { return new BigInteger(this.value - 1n) }
    compare(other) {
      if (other === Infinity) return -1
      if (other === -Infinity) return 1
      return order(this.value, unwrap(other))
    }
    compareAbs(other) { return order(abs(this.value), abs(unwrap(other))) }
    equals(other) { return this.value === unwrap(other) }
    notEquals(other) { return !this.equals(other) }
    greater(other) { return this.compare(other) > 0 }
    greaterOrEquals(other) { return this.compare(other) >= 0 }
    lesser(other) { return this.compare(other) < 0 }
    lesserOrEquals(other) { return this.compare(other) <= 0 }
    isEven() { return (this.value & 1n) === 0n }
    isOdd() { return !this.isEven() }
    isPositive() { return this.value > 0n }
    isNegative() { return this.value < 0n }
    isZero() { return this.value === 0n }
    isUnit() { return abs(this.value) === 1n }
    isDivisibleBy(other) {
      const by = unwrap(other)
      return by !== 0n && this.value % by === 0n
    }
    isPrime() { return isPrime(abs(this.value)) }
    isProbablePrime() { return this.isPrime() }
    and(other) { return new BigInteger(this.value & unwrap(other)) }
    or(other) { return new BigInteger(this.value | unwrap(other)) }
    xor(other) { return new BigInteger(this.value ^ unwrap(other)) }
    not() { return new BigInteger(~this.value) }
    shiftLeft(bits) { return new BigInteger(shift(this.value, Number(unwrap(bits)))) }
    shiftRight(bits) { return new BigInteger(shift(this.value, -Number(unwrap(bits)))) }
    bitLength() {
      const value = this.value < 0n ? ~this.value : this.value
      return new BigInteger(value === 0n ? 0n : BigInt(value.toString(2).length))
    }
    toArray(radix) {
      const digits = [...abs(this.value).toString(radix)].map((digit) => parseInt(digit, 36))
      return { value: digits, isNegative: this.value < 0n }
    }
    toString(radix = 10) { return this.value.toString(radix) }
    toJSNumber() { return Number(this.value) }
    valueOf() { return Number(this.value) }
    toJSON() { return this.toString() }
  }
  const aliases = {
    plus: 'add', minus: 'subtract', times: 'multiply', over: 'divide', remainder: 'mod', compareTo: 'compare', eq: 'equals',
    neq: 'notEquals', gt: 'greater', geq: 'greaterOrEquals', lt: 'lesser', leq: 'lesserOrEquals',
  }
  for (const alias in aliases) BigInteger.prototype[alias] = BigInteger.prototype[aliases[alias]]
  const bigInt = (value, radix) => new BigInteger(unwrap(value, radix === undefined ? 10 : Number(radix)))
  const pick = (isBetter) => (a, b) => (isBetter(bigInt(a).compare(b)) ? bigInt(a) : bigInt(b))
  return Object.assign(bigInt, {
    zero: bigInt(0), one: bigInt(1), minusOne: bigInt(-1),
    max: pick((order) => order > 0), min: pick((order) => order < 0),
    gcd: (a, b) => new BigInteger(gcd(unwrap(a), unwrap(b))),
    lcm: (a, b) => {
      const [x, y] = [unwrap(a), unwrap(b)]
      return new BigInteger(abs(x * y) / gcd(x, y))
    },
    isInstance: (value) => value instanceof BigInteger,
    fromArray: (digits, radix = 10, isNegative = false) => {
      const sum = digits.reduce((sum, digit) => sum * unwrap(radix) + unwrap(digit), 0n)
      return new BigInteger(isNegative ? -sum : sum)
    },
    randBetween: (a, b) => {
      const [low, high] = [unwrap(pick((order) => order < 0)(a, b)), unwrap(pick((order) => order > 0)(a, b))]
      return new BigInteger(low + (BigInt(Math.floor(Math.random() * 2 ** 53)) * (high - low + 1n)) / 2n ** 53n)
    },
  })
})()
`
