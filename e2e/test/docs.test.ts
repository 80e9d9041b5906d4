import { expect, it } from 'vitest'
import { breaches, loadAxe, ofColours, wcag } from '../src/accessibility.ts'
import { describeDashboard } from '../src/dashboard.ts'

/** One page of each kind. */
const kinds = [
  '',
  'tutorials/change-a-price',
  'explanations/state',
  'testing',
  'methods',
  'methods/dev_addFunctionOverride',
  'methods/eth_subscribe',
  'errors',
  'options',
  'packages/client',
  'no/such/page',
]

/** Runs in a page: the words of code in tables, and those that are on more than one line. */
function wordsOfCode(): { count: number; broken: string[] } {
  let count = 0
  const broken: string[] = []
  for (const code of document.querySelectorAll('td code'))
    for (const node of code.childNodes)
      for (const { 0: word, index } of node.textContent?.matchAll(/\w+/g) ?? []) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        count += 1
        if (range.getClientRects().length > 1) broken.push(word)
      }
  return { count, broken }
}

describeDashboard('the documentation', (dashboard) => {
  it.each(kinds)(
    '/docs/%s meets WCAG AA in both themes, on a desktop and on a phone, and is no wider',
    async (path) => {
      const page = await dashboard.open(`/docs/${path}`, { colorScheme: 'light' })
      await loadAxe(page)
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        await page.emulateMedia({ colorScheme: 'light' })
        expect(await breaches(page, { runOnly: wcag })).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await breaches(page, { runOnly: ofColours })).toEqual([])
      }
    },
  )

  it('asks this network alone, and every page that a page links to is there', async () => {
    const page = await dashboard.open('/docs/')
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    const seen = new Set<string>()
    const waiting = [`${dashboard.network.url}/docs/`]
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (seen.has(url)) continue
      seen.add(url)
      const response = await page.request.get(url)
      expect([url, response.status()]).toEqual([url, 200])
      if (!response.headers()['content-type']?.startsWith('text/html')) continue
      for (const [, href = ''] of (await response.text()).matchAll(/\s(?:href|src)="([^"]+)"/g)) {
        const found = new URL(href.replaceAll('&amp;', '&'), url)
        if (found.origin === dashboard.network.url) waiting.push(found.origin + found.pathname)
      }
    }
    expect(seen.size).toBeGreaterThan(300)
    for (const path of kinds) await page.goto(`${dashboard.network.url}/docs/${path}`)
    expect([...asked]).toEqual([dashboard.network.url])
  })

  it('finds a method by words and by its name, with the keyboard alone', async () => {
    const page = await dashboard.open('/docs/')
    for (const text of ['dev_setBalance', 'set balance of account']) {
      await page.keyboard.press('/')
      await page.keyboard.type(text)
      const result = page.getByRole('option', { name: /^dev_setBalance/ })
      await result.waitFor()
      await loadAxe(page)
      expect(await breaches(page, { runOnly: wcag })).toEqual([])
      for (let steps = 0; (await result.getAttribute('aria-selected')) !== 'true'; steps++) {
        expect(steps).toBeLessThan(5)
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/methods/dev_setBalance')
      await page.getByRole('heading', { name: 'dev_setBalance', level: 1 }).waitFor()
    }
  })

  it('finds the part of a guide, and says so when there is nothing', async () => {
    const page = await dashboard.open('/docs/methods/eth_call')
    await page.getByRole('button', { name: 'Search' }).click()
    const input = page.getByRole('combobox', { name: 'Search the documentation' })
    await input.fill('audit log entry')
    await page.getByRole('option', { name: /^Audit log/ }).click()
    await page.waitForURL('**/docs/operating#audit-log')
    await page.keyboard.press('/')
    await input.fill('xyzzyxyzzy')
    await page.getByText('Nothing found for “xyzzyxyzzy”').waitFor()
  })

  it('searches for the words of an address that has no page', async () => {
    const page = await dashboard.open('/docs/methods/set_balance')
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Search the documentation' }).click()
    await page.getByRole('option', { name: /^dev_setBalance/ }).click()
    await page.waitForURL('**/docs/methods/dev_setBalance')
    await page.goto(`${dashboard.network.url}/docs/no/such/page`)
    await page.getByRole('link', { name: 'start page' }).click()
    await page.waitForURL('**/docs/')
  })

  it('breaks code in tables after separators alone, on a phone', async () => {
    const page = await dashboard.open('/docs/', { viewport: { width: 390, height: 844 } })
    for (const path of [
      'methods/dev_importContracts',
      'methods/dev_getDivergences',
      'methods/dev_addInvariant',
      'options',
      'errors',
    ]) {
      await page.goto(`${dashboard.network.url}/docs/${path}`)
      const { count, broken } = await page.evaluate(wordsOfCode)
      expect(count).toBeGreaterThan(10)
      expect([path, broken]).toEqual([path, []])
    }
  })

  it('shows the request of a method as the client that was chosen once', async () => {
    const page = await dashboard.open('/docs/methods/dev_setBalance')
    const shown = page.locator('.tab:visible')
    expect(await shown.textContent()).toContain('curl -s')
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight')
    expect(await shown.textContent()).toContain('@understudy/client')
    await page.goto(`${dashboard.network.url}/docs/methods/dev_getDrift`)
    expect(await shown.textContent()).toContain('@understudy/client')
    const beside = page.getByRole('navigation', { name: 'Pages' })
    await beside.getByRole('link', { name: 'dev_setBalance' }).click()
    await page.waitForURL('**/docs/methods/dev_setBalance')
  })

  it('is one step away from the dashboard', async () => {
    const page = await dashboard.open('/blocks')
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.waitForURL('**/docs/')
    await page.getByRole('heading', { name: 'Understudy', level: 1 }).waitFor()
  })

  it('has a menu on a phone, and keeps the theme that was chosen', async () => {
    const page = await dashboard.open('/docs/', { viewport: { width: 390, height: 844 }, colorScheme: 'light' })
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Branches' })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await page.waitForURL('**/docs/branches')
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  })
})
