import { createHash } from 'node:crypto'
import { type Hole, lengthWithoutMetadata, sourceHashes } from './metadata.ts'

/** Identifies compiled code: a hash in which all parts that are filled in later are zero. */
export type CodeTemplate = {
  /** Length in bytes, without the metadata at the end. */
  length: number
  /** In order, without overlaps. */
  holes: Hole[]
  /** A hash of the first `prefixLength` bytes, which already differ for most other code. */
  prefix: string
  prefixLength: number
  hash: string
}

/** Compiled code: bytes, with zeros for library addresses. */
export type UnlinkedCode = { bytes: Uint8Array; holes: Hole[] }

/** As compilers write it: file → library → positions, in bytes. */
export type LinkReferences = Record<string, Record<string, readonly { start: number; length: number }[]>>

/** A placeholder for a library address: 40 characters that start with `__`. */
const placeholder = /__[^"'\s]{38}/g
/** Zero PUSH operands of at least this size are immutables, or the address that a library compares itself with. */
const smallestImmutable = 20
const prefixLimit = 256

/** Parses hex with or without `0x`, with placeholders of libraries. `undefined` if it is invalid. */
export function readUnlinkedCode(text: string, references: LinkReferences = {}): UnlinkedCode | undefined {
  const digits = /^0x/i.test(text) ? text.slice(2) : text
  const holes: Hole[] = []
  const linked = digits.includes('_')
    ? digits.replace(placeholder, (found, at: number) => {
        holes.push([at / 2, 20])
        return '0'.repeat(found.length)
      })
    : digits
  if (linked.length % 2 !== 0) return undefined
  const bytes = Buffer.from(linked, 'hex')
  if (bytes.length !== linked.length / 2) return undefined
  for (const libraries of Object.values(references))
    for (const references of Object.values(libraries))
      for (const { start, length } of references) holes.push([start, length])
  return { bytes, holes: normalize(holes, bytes.length) }
}

/** The template of deployed (runtime) code. */
export function runtimeTemplate({ bytes, holes }: UnlinkedCode): CodeTemplate {
  const length = lengthWithoutMetadata(bytes)
  return templateOf(bytes, length, [...holes, ...immutables(bytes.subarray(0, length)), ...sourceHashes(bytes)])
}

/** The template of creation code, which is a prefix of creation input. */
export function creationTemplate({ bytes, holes }: UnlinkedCode): CodeTemplate {
  return templateOf(bytes, bytes.length, [...holes, ...sourceHashes(bytes)])
}

function templateOf(bytes: Uint8Array, length: number, allHoles: Hole[]): CodeTemplate {
  const holes = normalize(allHoles, length)
  const prefixLength = Math.min(prefixLimit, length, holes[0]?.[0] ?? length)
  return {
    length,
    holes,
    prefix: hashOf(bytes.subarray(0, prefixLength)),
    prefixLength,
    hash: maskedHash(bytes, length, holes),
  }
}

/** A hash of the first `length` bytes of code, with zeros in the holes. */
export function maskedHash(code: Uint8Array, length: number, holes: readonly Hole[]): string {
  if (holes.length === 0) return hashOf(code.subarray(0, length))
  const masked = Uint8Array.from(code.subarray(0, length))
  for (const [start, size] of holes) masked.fill(0, start, start + size)
  return hashOf(masked)
}

/** Only distinguishes code of one user's contracts; speed matters. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64')
}

function immutables(code: Uint8Array): Hole[] {
  const found: Hole[] = []
  for (let at = 0; at < code.length; at++) {
    const op = code[at] ?? 0
    if (op < 0x60 || op > 0x7f) continue
    const size = op - 0x5f
    const operand = code.subarray(at + 1, at + 1 + size)
    if (size >= smallestImmutable && operand.length === size && operand.every((byte) => byte === 0))
      found.push([at + 1, size])
    at += size
  }
  return found
}

/** In order, within the code, without overlaps. */
function normalize(holes: readonly Hole[], length: number): Hole[] {
  const sorted = holes
    .filter(([start, size]) => Number.isInteger(start) && size > 0 && start >= 0 && start < length)
    .sort(([a], [b]) => a - b)
  const merged: Hole[] = []
  for (const [start, size] of sorted) {
    const end = Math.min(start + size, length)
    const last = merged.at(-1)
    if (last && start <= last[0] + last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[0] + last[1], end) - last[0]]
    else merged.push([start, end - start])
  }
  return merged
}
