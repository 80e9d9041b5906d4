import { request } from 'node:http'
import type { Page } from 'playwright-core'

/** When a text came into view, in milliseconds since the navigation began, by the page's own clock. */
export async function whenSeen(page: Page, text: string): Promise<number> {
  const seen = await page.waitForFunction((wanted) => {
    return document.body?.textContent.includes(wanted) ? performance.now() : undefined
  }, text)
  return (await seen.jsonValue()) as number
}

/** How much slower the machine is than when it has nothing else to do: a short work's usual time over its shortest. */
export async function contentionOf(page: Page): Promise<number> {
  const times = await page.evaluate(() =>
    Array.from({ length: 15 }, () => {
      const begin = performance.now()
      let sum = 0
      for (let step = 0; step < 1_500_000; step++) sum = (sum * 31 + step) % 1_000_003
      return performance.now() - begin + (sum < 0 ? 1 : 0)
    }),
  )
  return medianOf(times) / Math.min(...times)
}

/** The bytes of the scripts that a page has loaded, compressed with gzip. */
export async function scriptBytes(page: Page): Promise<number> {
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js')),
  )
  const sizes = await Promise.all(scripts.map(gzippedSize))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function gzippedSize(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      if (response.headers['content-encoding'] !== 'gzip') reject(new Error(`${url} came without gzip`))
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.on('end', () => resolve(size))
    })
      .on('error', reject)
      .end()
  })
}

export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
