import { expect } from 'vitest'

/** Calls Tenderly's REST interface as its clients do. */
export type Rest = <Body = unknown>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: Body }>

export const restOf =
  (url: () => string, key?: string): Rest =>
  async (method, path, body, headers) => {
    const response = await fetch(url() + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { 'x-access-key': key }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

/** What a refusal is answered with. */
export const problem = (status: number, slug: string, message: RegExp) => ({
  status,
  body: { error: { id: expect.any(String), slug, message: expect.stringMatching(message) } },
})
