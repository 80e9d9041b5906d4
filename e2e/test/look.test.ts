import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeDashboard } from '../src/dashboard.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const paths = ({ block, trade, sender, tracked, workspaces: [contract, wallet] }: Story) => [
  '/',
  '/blocks',
  '/transactions',
  `/block/${block}`,
  `/tx/${trade}`,
  `/tx/${trade}?tab=state`,
  `/tx/${trade}?tab=logs`,
  `/simulate?tx=${trade}`,
  `/address/${sender}`,
  `/address/${sample.gold}?tab=contract&fn=0x70a08231`,
  `/address/${sample.gold}?tab=state&view=slots`,
  `/address/${sample.gold}?tab=state&view=edit`,
  '/workspaces',
  ...['overview', 'transactions', 'calls', 'events', 'storage', 'methods', 'tracked', 'source'].map(
    (tab) => `/workspace/${contract}?tab=${tab}`,
  ),
  `/workspace/${wallet}?tab=transfers`,
  `/tx/${trade}?tab=transfers`,
  `/tracked?ids=${tracked[0]}`,
  '/overrides',
  '/snapshots',
  '/import',
  '/log',
  '/settings',
  '/search?q=nothing',
]

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
/** The one rule that depends on the theme. */
const contrast = ['color-contrast']

/** The one that depends on the width most: what is tapped has 24 pixels, or room around it. */
const targets = ['target-size']

/** Rules of WCAG 2 A and AA that a page breaks, of those that are named. */
async function breaches(page: Page, rules: readonly string[]): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as never as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }).axe.run({
        runOnly,
        resultTypes: ['violations'],
      }),
    rules,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
type Violation = { id: string; nodes: { html: string }[] }

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const loading = page.locator('[aria-label^=Loading]')
  for (let left = await loading.count(); left > 0; left--) await loading.first().waitFor({ state: 'detached' })
}

describeDashboard('how it looks', (dashboard) => {
  let story: Story | undefined
  const told = async () => {
    story ??= await prepareStory(dashboard.network)
    return story
  }

  it('every page meets WCAG AA in both themes, and is no wider than a phone', { timeout: 240_000 }, async () => {
    const page = await dashboard.open('/')
    const found: Record<string, string[]> = {}
    for (const path of paths(await told())) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(dashboard.network.url + path)
      await settle(page)
      for (const [colorScheme, rules] of [
        ['light', wcag],
        ['dark', contrast],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        const broken = await breaches(page, rules)
        if (broken.length > 0) found[`${path} ${colorScheme}`] = broken
      }
      await page.setViewportSize({ width: 390, height: 844 })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 390) found[`${path} phone`] = [`${width} pixels wide`]
      const small = await breaches(page, targets)
      if (small.length > 0) found[`${path} phone targets`] = small
    }
    expect(found).toEqual({})
  })

  it('opens its menu on a phone', async () => {
    const page = await dashboard.open('/', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Overrides' }).first().click()
    await page.getByRole('heading', { name: 'Function overrides' }).waitFor()
  })

  it('keeps the theme that was chosen', async () => {
    const page = await dashboard.open('/', { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  })

  it('is reached by keyboard: the content is one step away, tabs move with arrows', async () => {
    const { sender } = await told()
    const page = await dashboard.open(`/address/${sender}`)
    await settle(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/tab=transactions/)
  })

  it('reports a page that does not exist', async () => {
    const page = await dashboard.open('/nowhere')
    await page.getByText('Page not found').waitFor()
  })
})
