import { Agent } from 'undici'
import { OversizedJsonError, requireBoundedJson } from '../../shared/json/boundedJson.ts'
import { pauses, SourceFailure } from './abiSource.ts'

export type JsonAnswer = { status: number; body: unknown }

/** Gets JSON over HTTP or HTTPS. */
export type JsonClient = {
  /** Throws `SourceFailure` if there is no answer, if it is too large, or if it is a 429 or 5xx. */
  get(url: URL, signal: AbortSignal): Promise<JsonAnswer>
  close(): Promise<void>
}

/** Maximum size of an answer in bytes. The largest verified contracts, with all sources, have a few megabytes. */
const bodyLimit = 16 * 1024 * 1024

export function createJsonClient({ timeoutMs }: { timeoutMs: number }): JsonClient {
  const agent = new Agent({
    connections: 2,
    keepAliveTimeout: 10_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })

  async function read(url: URL, signal: AbortSignal): Promise<{ status: number; bytes: Buffer; retryAfter: number }> {
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { accept: 'application/json', 'user-agent': 'understudy' },
        signal,
      })
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of body) {
        size += (chunk as Buffer).length
        if (size > bodyLimit) throw new SourceFailure('answered more than 16 MiB', { pauseMs: 0 })
        chunks.push(chunk as Buffer)
      }
      const retryAfter = Number(headers['retry-after'] ?? Number.NaN) * 1000
      return { status: statusCode, bytes: Buffer.concat(chunks), retryAfter }
    } catch (error) {
      if (error instanceof SourceFailure) throw error
      const { code, name } = error as { code?: string; name?: string }
      throw new SourceFailure(`could not be reached (${code ?? name ?? 'unknown'})`, {
        pauseMs: pauses.down,
        cause: error,
      })
    }
  }

  return {
    async get(url, signal) {
      const { status, bytes, retryAfter } = await read(url, signal)
      if (status === 429)
        throw new SourceFailure('limits the rate of requests', { pauseMs: retryAfter || pauses.rateLimited })
      if (status >= 500) throw new SourceFailure(`answered HTTP ${status}`, { pauseMs: pauses.down })
      if (status === 401 || status === 403)
        throw new SourceFailure(`refused the request (HTTP ${status})`, { pauseMs: pauses.refused })
      try {
        requireBoundedJson(bytes)
        return { status, body: JSON.parse(bytes.toString()) }
      } catch (error) {
        if (error instanceof OversizedJsonError) throw new SourceFailure(error.message, { pauseMs: 0, cause: error })
        throw new SourceFailure(`answered something other than JSON (HTTP ${status})`, {
          pauseMs: pauses.down,
          cause: error,
        })
      }
    },
    close: () => agent.destroy(),
  }
}
