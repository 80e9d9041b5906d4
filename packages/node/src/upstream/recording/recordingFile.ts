import { createHash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { NetworkError } from '../../shared/errors.ts'
import { requireBoundedJson } from '../../shared/json/boundedJson.ts'
import { callLimit, methodName, type RecordedChain, Recording, textLimit } from './recording.ts'

/** Maximum size of a file, in bytes. */
const fileLimit = 64 * 1024 * 1024
/** Lines after which a part of a file ends on average, and the characters after which it ends in any case. */
const partLines = 64
const partLimit = 1024 * 1024

/** Maximum of bytes of the first line. */
const headerLimit = 4096

const title = 'understudy recording 1'
const decimal = z.string().regex(/^\d{1,30}$/)
const headerSchema = z.strictObject({
  calls: z.number().int().min(0).max(callLimit),
  sha256: z.string(),
  network: z.strictObject({ chainId: decimal, forkBlock: decimal.nullable() }),
})

const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown() })

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * Writes a recording, at once or not at all. The file is gzip of one line for each call, in their order. It is compressed
 * in parts that end at lines of certain checksums, so that a new line changes one part and Git stores a small
 * difference.
 */
export async function writeRecording(file: string, recording: Recording): Promise<void> {
  const { count: calls, network } = recording
  const hash = createHash('sha256')
  const parts: Buffer[] = []
  let part = ''
  const endPart = async () => {
    hash.update(part)
    parts.push(await compressed(part))
    part = ''
  }
  for (const line of recording.lines()) {
    part += line
    if (crc32(line) % partLines === 0 || part.length > partLimit) await endPart()
  }
  if (part !== '') await endPart()
  const header = await compressed(`${title}\t${JSON.stringify({ calls, sha256: hash.digest('hex'), network })}\n`)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    const handle = await open(temporary, 'w')
    try {
      await handle.writeFile(Buffer.concat([header, ...parts]))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw new NetworkError('RECORDING_UNWRITABLE', { file, problem: messageOf(error) }, { cause: error })
  }
}

async function compressed(text: string): Promise<Buffer> {
  const bytes = await compress(text, { level: 9 })
  // The operating system is part of the format; the file should not depend on it.
  bytes[9] = 255
  return bytes
}

/** Reads a recording, which may come from anyone. Throws `RECORDING_INVALID`. */
export async function readRecording(file: string): Promise<Recording> {
  const refuse = (problem: string, cause?: unknown) =>
    new NetworkError('RECORDING_INVALID', { file, problem }, { cause })
  const data = await readText(file).catch((error) => {
    throw refuse(messageOf(error), error)
  })
  const end = data.indexOf('\n')
  const [name, json = ''] = data.toString('utf8', 0, Math.min(end, headerLimit)).split('\t')
  if (name !== title) throw refuse(`it does not begin with "${title}"`)
  const header = headerSchema.safeParse(parse(json))
  if (!header.success) throw refuse('its first line is invalid')
  const { calls, sha256, network } = header.data
  const body = data.subarray(end + 1)
  if (createHash('sha256').update(body).digest('hex') !== sha256)
    throw refuse('its checksum is wrong: it was changed or cut off')

  const recording = new Recording()
  recording.network = network
  for (let at = 0; at < body.length; ) {
    const next = body.indexOf('\n', at)
    const [call, answer] = next === -1 ? [] : readLine(body.subarray(at, next))
    if (call === undefined || answer === undefined) throw refuse(`line ${recording.count + 2} is invalid`)
    recording.restore(call, answer)
    at = next + 1
  }
  if (recording.isFull || recording.count !== calls) throw refuse(`it has not ${calls} calls, as its first line says`)
  return recording
}

/** The chain of a recording. Throws `RECORDING_INVALID`. */
export function requireChain(file: string, recording: Recording): RecordedChain {
  try {
    const chain = recording.chain()
    if (chain) return chain
  } catch (error) {
    throw new NetworkError('RECORDING_INVALID', { file, problem: messageOf(error) }, { cause: error })
  }
  throw new NetworkError('RECORDING_INVALID', { file, problem: 'it has no head' })
}

/** Throws `RECORDING_INVALID` if the recorded head stood still, or a head is no block. */
export function requireHeads(file: string, recording: Recording): void {
  const refuse = (problem: string) => new NetworkError('RECORDING_INVALID', { file, problem })
  try {
    if (recording.heads().length > 0) return
  } catch (error) {
    throw refuse(messageOf(error))
  }
  throw refuse('its head stands still; record it with --record-heads to play it')
}

async function readText(file: string): Promise<Buffer> {
  const { size } = await stat(file)
  if (size > fileLimit) throw new Error(`it is larger than ${fileLimit} bytes`)
  return decompress(await readFile(file), { maxOutputLength: textLimit + headerLimit })
}

/** A call and its answer, as a recording keeps them; nothing if the line is invalid. */
function readLine(bytes: Buffer): [call: string, answer: string] | [] {
  try {
    requireBoundedJson(bytes)
  } catch {
    return []
  }
  const [method = '', params = '', kind = '', value = '', more] = bytes.toString().split('\t')
  const isValid =
    methodName.test(method) &&
    Array.isArray(parse(params)) &&
    (kind === 'result'
      ? parse(value) !== undefined
      : kind === 'error' && errorSchema.safeParse(parse(value)).success) &&
    more === undefined
  return isValid ? [`${method}\t${params}`, `${kind}\t${value}`] : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  switch (code) {
    case 'ENOENT':
      return 'it does not exist'
    case 'ERR_BUFFER_TOO_LARGE':
      return `it has more than ${textLimit} bytes when it is decompressed`
    case 'Z_BUF_ERROR':
      return 'it is cut off'
    case 'Z_DATA_ERROR':
      return `it is damaged, or not a recording (${message})`
    default:
      return message ?? String(error)
  }
}
