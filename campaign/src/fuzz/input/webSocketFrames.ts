import { connect } from 'node:net'
import type { Random } from '@understudy/testkit'
import type { Faults } from './faults.ts'

type Frame = { fin?: boolean; reserved?: number; opcode: number; masked?: boolean; payload: Buffer; length?: bigint }

const call = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
const subscribe = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
const part = (from: number, to: number) => call.subarray(from, to)
const closeWith = (code: number, reason = '') =>
  Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)])

/** Frames that RFC 6455 allows or forbids, by name. */
const crafted: readonly (readonly Frame[])[] = [
  [{ opcode: 1, payload: call }],
  [{ opcode: 2, payload: call }],
  [{ opcode: 1, payload: Buffer.alloc(0) }],
  [
    { opcode: 1, fin: false, payload: part(0, 10) },
    { opcode: 0, payload: part(10, 100) },
  ],
  [
    { opcode: 1, fin: false, payload: part(0, 10) },
    { opcode: 9, payload: Buffer.from('p') },
    { opcode: 0, payload: part(10, 100) },
  ],
  [
    ...Array.from(
      { length: 2000 },
      (_, index): Frame => ({ opcode: index === 0 ? 1 : 0, fin: false, payload: Buffer.from(' ') }),
    ),
    { opcode: 0, payload: call },
  ],
  [
    { opcode: 1, fin: false, payload: part(0, 10) },
    { opcode: 1, payload: call },
  ],
  [{ opcode: 0, payload: call }],
  [{ opcode: 1, fin: false, payload: part(0, 10) }],
  Array.from({ length: 5000 }, () => ({ opcode: 9, payload: Buffer.alloc(125) })),
  [{ opcode: 9, payload: Buffer.alloc(126) }],
  [{ opcode: 9, fin: false, payload: Buffer.from('p') }],
  Array.from({ length: 100 }, () => ({ opcode: 10, payload: Buffer.from('not requested') })),
  ...[3, 4, 7, 11, 15].map((opcode): Frame[] => [{ opcode, payload: call }]),
  ...[1, 2, 4, 7].map((reserved): Frame[] => [{ opcode: 1, reserved, payload: call }]),
  [{ opcode: 1, masked: false, payload: call }],
  [{ opcode: 1, payload: call, length: 2n ** 63n - 1n }],
  [{ opcode: 1, payload: call, length: 2n ** 64n - 1n }],
  [{ opcode: 1, payload: Buffer.alloc(6_000_000, 32) }],
  [{ opcode: 1, payload: Buffer.from([0xff, 0xfe]) }],
  ...[1000, 1001, 999, 1005, 1006, 1015, 2999, 3000, 4999, 5000, 65535].map((code): Frame[] => [
    { opcode: 8, payload: closeWith(code) },
  ]),
  [{ opcode: 8, payload: Buffer.from([3]) }],
  [{ opcode: 8, payload: closeWith(1000, 'x'.repeat(123)) }],
  [{ opcode: 8, payload: Buffer.from([3, 232, 0xff]) }],
  [
    { opcode: 8, payload: closeWith(1000) },
    { opcode: 1, payload: call },
  ],
  Array.from({ length: 1200 }, () => ({ opcode: 1, payload: subscribe })),
  Array.from({ length: 3000 }, () => ({ opcode: 1, payload: call })),
]

/** Sends frames after a good handshake, in pieces of any size, and looks at what comes back. */
export async function fuzzFrames(
  port: number,
  { count, random, faults }: { count: number; random: Random; faults: Faults },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const frames = random.pick(crafted)
    const bytes = Buffer.concat(frames.map((frame) => encode(frame)))
    if (random.below(3) === 0) bytes[random.below(Math.min(bytes.length, 200))] = random.below(256)
    const input = random.below(5) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes
    await faults.during(input.subarray(0, 200).toString('hex'), async () =>
      requireFrames(await exchange(port, input, random)),
    )
  }
}

function encode({
  fin = true,
  reserved = 0,
  opcode,
  masked = true,
  payload,
  length = BigInt(payload.length),
}: Frame): Buffer {
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode
  const size =
    length < 126n ? [Number(length)] : length < 65536n ? [126, ...bigEndian(length, 2)] : [127, ...bigEndian(length, 8)]
  size[0] = (size[0] as number) | (masked ? 0x80 : 0)
  const mask = Buffer.from([1, 2, 3, 4])
  const body = masked ? payload.map((byte, index) => byte ^ (mask[index % 4] as number)) : payload
  return Buffer.concat([Buffer.from([first, ...size]), masked ? mask : Buffer.alloc(0), body])
}

function bigEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * (bytes - 1 - index))) & 255n))
}

/** How long to wait on a quiet connection, in milliseconds. */
const quietMs = 200
/** How long a handshake may take, in milliseconds. */
const handshakeMs = 4000

function exchange(port: number, input: Buffer, random: Random): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    // The handshake is waited for: a busy machine may take longer to answer than a connection is quiet at its end.
    let pollsLeft = handshakeMs / quietMs
    socket.setTimeout(quietMs, () => {
      if (chunks.length > 0 || pollsLeft-- <= 0) socket.destroy()
      else socket.setTimeout(quietMs)
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.write(
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    const cut = random.below(input.length + 1)
    socket.write(input.subarray(0, cut))
    socket.write(input.subarray(cut))
  })
}

/** After the handshake: whole frames, unmasked, of known kinds. */
function requireFrames(answered: Buffer): void {
  const start = answered.indexOf('\r\n\r\n')
  if (start < 0 || !answered.toString('latin1', 0, 12).startsWith('HTTP/1.1 101'))
    throw new Error(`no handshake: ${answered.toString('latin1', 0, 200)}`)
  let at = start + 4
  while (at + 2 <= answered.length) {
    const opcode = (answered[at] as number) & 15
    const short = answered[at + 1] as number
    if (![1, 8, 9, 10].includes(opcode) || short > 127)
      throw new Error(`a frame that may not be: ${answered.subarray(at, at + 10).toString('hex')}`)
    const header = short === 127 ? 10 : short === 126 ? 4 : 2
    if (at + header > answered.length) return
    const length =
      short === 127 ? Number(answered.readBigUInt64BE(at + 2)) : short === 126 ? answered.readUInt16BE(at + 2) : short
    const payload = answered.subarray(at + header, at + header + length)
    if (opcode === 1 && payload.includes('-32603'))
      throw new Error(`an internal error: ${payload.toString().slice(0, 300)}`)
    at += header + length
  }
}
