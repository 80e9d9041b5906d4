import { readFileSync } from 'node:fs'
import { foundryBinary } from './foundryBinary.ts'

/** `R_X86_64_RELATIVE` and `R_AARCH64_RELATIVE`. */
const relative = new Set([8n, 0x403n])
const relocations = 4
const noBits = 8
const methodName = /^[a-z\d]{2,20}_[A-Za-z\d_]{2,60}$/

/**
 * The names of the methods of the installed anvil, aliases included, as its parser lists them: the longest table of slices
 * (pointer and length) in the binary whose texts look like methods. `undefined` where binaries are not ELF.
 */
export function anvilMethods(): string[] | undefined {
  const bytes = readFileSync(foundryBinary('anvil'))
  if (bytes.readUInt32BE(0) !== 0x7f454c46) return undefined
  const sections = sectionsOf(bytes)
  const positionOf = (address: number) => {
    const found = sections.find(
      ({ at, size, type }) => type !== noBits && at > 0 && address >= at && address < at + size,
    )
    return found && address - found.at + found.position
  }
  let longest: string[] = []
  let table: string[] = []
  let before = 0
  for (const { position, size } of sections.filter(({ type }) => type === relocations)) {
    for (let at = position; at < position + size; at += 24) {
      if (!relative.has(bytes.readBigUInt64LE(at + 8) & 0xffffffffn)) continue
      const address = Number(bytes.readBigUInt64LE(at))
      const slice = positionOf(address)
      const length = slice === undefined ? 0n : bytes.readBigUInt64LE(slice + 8)
      const text = length > 3n && length < 90n ? positionOf(Number(bytes.readBigInt64LE(at + 16))) : undefined
      const name = text === undefined ? '' : bytes.toString('latin1', text, text + Number(length))
      if (address !== before + 16) table = []
      before = address
      if (methodName.test(name)) table.push(name)
      else table = []
      if (table.length > longest.length) longest = table
    }
  }
  return longest
}

function sectionsOf(bytes: Buffer) {
  const first = Number(bytes.readBigUInt64LE(0x28))
  return Array.from({ length: bytes.readUInt16LE(0x3c) }, (_, index) => {
    const header = first + index * 64
    const field = (offset: number) => Number(bytes.readBigUInt64LE(header + offset))
    return { type: bytes.readUInt32LE(header + 4), at: field(16), position: field(24), size: field(32) }
  })
}
