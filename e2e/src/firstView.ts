import { request } from 'node:http'
import type { Page } from 'playwright-core'

/** When a text came into view, in milliseconds since the navigation began, by the page's own clock. */
export async function whenSeen(page: Page, text: string): Promise<number> {
  const seen = await page.waitForFunction((wanted) => {
    return document.body?.textContent.includes(wanted) ? performance.now() : undefined
  }, text)
  return (await seen.jsonValue()) as number
}

/**
 * Measures the time that the main thread of a page computes from now on, in milliseconds. Other processes on the machine do not
 * change it, as they change the time on the clock.
 */
export async function measureCpu(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await read()
  return async () => (await read()) - before
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
