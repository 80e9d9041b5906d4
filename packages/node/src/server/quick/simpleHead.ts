import type { IncomingHttpHeaders } from 'node:http'

/** The head of an HTTP request, in which only the length of the body may change from request to request. */
export type SimpleHead = {
  headers: IncomingHttpHeaders
  /** The branch in the path; empty for the network itself. */
  branch: string
  /** What comes before and after the digits of the length. */
  before: Buffer
  after: Buffer
  /** The size in bytes of a request with such a body. */
  size(length: number): number
}

/** Longer heads are rare. In bytes. */
const longestHead = 4096
const name = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i
const value = /^[\t\x20-\x7e]*$/
/** With these, the general path answers a request: it is of a page of a browser, for which there are rules, or a body that is sent in another way. */
const unusual = ['origin', 'sec-fetch-site', 'transfer-encoding', 'expect', 'upgrade', 'http2-settings']

/** Of a network, or of a branch with its encoded name. */
const simpleRequestLine = /^POST \/(?:n\/((?:[\w.~-]|%[\dA-Fa-f]{2})+))? HTTP\/1\.1$/

/** Reads the head of `POST /` or `POST /n/BRANCH` with a body of a known length. `undefined` for any other, and for whatever is wrong or unclear. */
export function readSimpleHead(chunk: Buffer): SimpleHead | undefined {
  const text = chunk.toString('latin1', 0, Math.min(chunk.length, longestHead))
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [requestLine, ...lines] = text.slice(0, end).split('\r\n')
  if (requestLine === undefined) return undefined
  const branch = branchOf(requestLine)
  if (branch === undefined) return undefined
  const headers: IncomingHttpHeaders = Object.create(null)
  let lengthAt: number | undefined
  let at = requestLine.length + 2
  for (const line of lines) {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(0, colon)).toLowerCase()
    const content = line.slice(colon + 1)
    // Fields that come twice have rules of their own.
    if (!name.test(key) || !value.test(content) || key in headers) return undefined
    headers[key] = content.trim()
    if (key === 'content-length') lengthAt = at + colon + 1 + content.search(/[^\t ]|$/)
    at += line.length + 2
  }
  const length = headers['content-length']
  if (lengthAt === undefined || !length || !/^\d+$/.test(length) || !headers.host) return undefined
  if (!/^(keep-alive)?$/i.test(headers.connection ?? '') || unusual.some((key) => key in headers)) return undefined
  const before = Buffer.from(text.slice(0, lengthAt), 'latin1')
  const after = Buffer.from(text.slice(lengthAt + length.length, end + 4), 'latin1')
  const size = (body: number) => before.length + String(body).length + after.length + body
  return { headers, branch, before, after, size }
}

/** `undefined` if the request is another one. */
function branchOf(requestLine: string): string | undefined {
  const path = simpleRequestLine.exec(requestLine)
  try {
    return path ? decodeURIComponent(path[1] ?? '') : undefined
  } catch {
    return undefined
  }
}

const zero = 48

/** The length of the body of a request with this head; `undefined` if its head is another one. */
export function bodyLength({ before, after }: SimpleHead, chunk: Buffer): number | undefined {
  if (chunk.length < before.length || before.compare(chunk, 0, before.length) !== 0) return undefined
  let length = 0
  let at = before.length
  for (; at < chunk.length; at++) {
    const digit = (chunk[at] as number) - zero
    if (digit < 0 || digit > 9) break
    // A length has no leading zero, and a body is not empty.
    if (length === 0 && at > before.length) return undefined
    length = length * 10 + digit
  }
  const end = at + after.length
  const isSame = length > 0 && chunk.length >= end && after.compare(chunk, at, end) === 0
  return isSame ? length : undefined
}
