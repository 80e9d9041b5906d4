import type { Page } from 'playwright-core'
import { browserPath, launchBrowser, withoutTour } from '../src/browser.ts'
import { sendMany } from '../src/manyTransactions.ts'
import { startSampleNetwork } from '../src/startSampleNetwork.ts'

// How the dashboard bears many transactions, and its memory in traffic: npm run load -w e2e -- [TRANSACTIONS] [MINUTES]

const perSecond = 5
/** Each is one more account that differs from the live chain. */
const newAccountEvery = 10
const sampleMs = 20_000

const print = (text: string) => process.stdout.write(`${text}\n`)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function main([transactions = '100000', minutes = '10']: readonly string[]): Promise<void> {
  if (!browserPath) throw new Error('No chromium is here: npm run install-browser -w e2e')
  const network = await startSampleNetwork()
  const browser = await launchBrowser()
  try {
    const { rpc, url } = network
    const timed = async (what: string, act: () => Promise<unknown>) => {
      const start = performance.now()
      await act()
      print(`${what}: ${Math.round(performance.now() - start)} ms`)
    }
    await timed(`Sent ${transactions} transactions`, () => sendMany(network, Number(transactions), newAccountEvery))
    await timed('dev_getLocalState, first page', () => rpc('dev_getLocalState', { limit: 20 }))
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await withoutTour(context)
    const page = await context.newPage()
    const rows = page.locator('li[aria-posinset]')
    await timed('Transactions page, first rows', async () => {
      await page.goto(`${url}/transactions`)
      await rows.first().waitFor()
    })
    await timed('Scrolled to transaction 2000', () =>
      page.waitForFunction(
        () => {
          window.scrollTo(0, document.body.scrollHeight)
          return Number(document.querySelector('li[aria-posinset]')?.getAttribute('aria-posinset')) > 2000
        },
        undefined,
        { timeout: 120_000 },
      ),
    )
    print(`Rows in the document: ${await rows.count()}, heap: ${(await heapOf(page)).toFixed(1)} MiB`)
    await timed('Network page, frozen accounts', async () => {
      await page.goto(url)
      await page.getByRole('button', { name: 'Show all 20+' }).waitFor()
    })
    await timed('A page of frozen accounts further', async () => {
      await page.getByRole('button', { name: 'Show all 20+' }).click()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2', { exact: true }).waitFor()
    })
    await rpc('dev_setMiningMode', 'instant')
    await watchHeap(page, Number(minutes), async () => {
      const [from, to] = await rpc<string[]>('eth_accounts')
      await rpc('eth_sendTransaction', { from, to, value: '0x1' })
    })
  } finally {
    await browser.close()
    await network.stop()
  }
}

/** Prints the heap while transactions arrive, and what it grew by after the first minute. */
async function watchHeap(page: Page, minutes: number, send: () => Promise<void>): Promise<void> {
  const end = Date.now() + minutes * 60_000
  let isOver = false
  const traffic = (async () => {
    while (!isOver) {
      await send()
      await wait(1000 / perSecond)
    }
  })()
  const heaps: number[] = []
  while (Date.now() < end) {
    await wait(Math.min(sampleMs, Math.max(1, end - Date.now())))
    heaps.push(await heapOf(page))
    print(
      `Heap: ${heaps.at(-1)?.toFixed(1)} MiB, ${await page.evaluate(() => document.querySelectorAll('*').length)} elements`,
    )
  }
  isOver = true
  await traffic
  const warm = heaps[Math.min(heaps.length - 1, 60_000 / sampleMs)] ?? 0
  print(`From the first minute to the last: ${((heaps.at(-1) ?? 0) - warm).toFixed(1)} MiB`)
}

/** What is in use after a garbage collection, in MiB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}

await main(process.argv.slice(2))
