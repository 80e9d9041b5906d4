import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { browserPath, launchBrowser, withoutTour } from './browser.ts'
import { type SampleNetwork, startSampleNetwork } from './startSampleNetwork.ts'

export type Dashboard = {
  network: SampleNetwork
  /**
   * Opens a page of the dashboard, with nothing stored; with options in a browser of its own, which has loaded nothing
   * yet. The tour is shown on a `firstVisit` alone.
   */
  open(path: string, options?: BrowserContextOptions & { firstVisit?: boolean }): Promise<Page>
}

if (!browserPath)
  process.stderr.write('\nSKIPPED: the tests of the dashboard need chromium: npm run install-browser -w e2e\n\n')

/** Tests of the dashboard in a real browser, on a network of their own that forks the sample chain. Skipped without a browser. */
export function describeDashboard(
  name: string,
  tests: (dashboard: Dashboard) => void,
  { flags, key }: { flags?: readonly string[]; key?: string } = {},
): void {
  describe.skipIf(!browserPath)(name, () => {
    let browser: Browser
    let shared: BrowserContext
    const contextWith = async ({
      firstVisit = false,
      ...options
    }: BrowserContextOptions & { firstVisit?: boolean }) => {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      if (!firstVisit) await withoutTour(context)
      return context
    }
    const problems: string[] = []
    const dashboard = {
      async open(path, options) {
        const context = options ? await contextWith(options) : shared
        const page = await context.newPage()
        page.setDefaultTimeout(20_000)
        page.on('pageerror', (error) => problems.push(String(error)))
        page.on('console', (message) => {
          if (/Content Security Policy/i.test(message.text())) problems.push(message.text())
        })
        await page.goto(dashboard.network.url + path)
        return page
      },
    } as Dashboard
    beforeAll(async () => {
      const [started, launched] = await Promise.all([startSampleNetwork(flags, key), launchBrowser()])
      dashboard.network = started
      browser = launched
      shared = await contextWith({})
    })
    afterAll(async () => {
      await browser?.close()
      await dashboard.network?.stop()
    })
    afterEach(async () => {
      for (const page of shared.pages()) {
        await page.evaluate(() => localStorage.clear()).catch(() => {})
        await page.close()
      }
      for (const context of browser.contexts()) if (context !== shared) await context.close()
      if (problems.length > 0) throw new Error(`The page failed: ${problems.splice(0).join('\n')}`)
    })
    tests(dashboard)
  })
}

/** Says so when something does not come into view. */
export function see(page: Page, text: string | RegExp): Promise<void> {
  return page.getByText(text).first().waitFor()
}
