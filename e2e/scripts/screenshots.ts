import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { browserPath, launchBrowser, withoutTour } from '../src/browser.ts'
import { linedProject } from '../src/linedProject.ts'
import { startSampleNetwork } from '../src/startSampleNetwork.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'

// Pictures of each page, light and dark, on a desktop and a phone: npm run screenshots -w e2e -- FOLDER [PAGE…]
// Only those that a folder has already, as the README's: npm run screenshots -w e2e -- --renew docs/screenshots

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const

type Shown = Story & { lined: Awaited<ReturnType<typeof linedProject>> }

const pages: Record<string, (shown: Shown) => string> = {
  network: () => '/',
  blocks: () => '/blocks',
  transactions: () => '/transactions',
  block: ({ block }) => `/block/${block}`,
  transaction: ({ trade }) => `/tx/${trade}`,
  logs: ({ trade }) => `/tx/${trade}?tab=logs`,
  state: ({ trade }) => `/tx/${trade}?tab=state`,
  flames: ({ lined: { deposit } }) => `/tx/${deposit}?tab=gas`,
  gas: ({ lined: { deposit, other } }) => `/tx/${deposit}?tab=gas&with=${other}`,
  debug: ({ lined: { deposit } }) => `/tx/${deposit}?tab=debug`,
  failed: ({ lined: { failed } }) => `/tx/${failed}`,
  coverage: ({ lined: { vault } }) => `/address/${vault}?tab=code`,
  history: ({ lined: { vault } }) => `/address/${vault}?tab=storage`,
  versions: ({ lined: { vault } }) => `/address/${vault}?tab=transactions&view=methods`,
  compare: ({ trade }) => `/tx/${trade}?tab=compare`,
  address: ({ sender }) => `/address/${sender}`,
  contract: () => `/address/${sample.gold}?tab=contract&fn=0x70a08231`,
  overrides: () => '/overrides',
  settings: () => '/settings',
  requests: () => '/wallet',
  workspaces: () => '/workspaces',
  workspace: ({ workspaces }) => `/workspace/${workspaces[0]}`,
  wallet: ({ workspaces }) => `/workspace/${workspaces[1]}`,
  calls: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=calls`,
  events: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=events`,
  methods: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=methods`,
  storage: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=storage`,
  tracked: ({ tracked }) => `/tracked?ids=${tracked.slice(0, 2).join(',')}`,
  import: () => '/import',
  source: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=source`,
  simulate: ({ trade }) => `/simulate?tx=${trade}`,
  shadow: () => '/shadow',
  forecast: () => '/forecast',
  log: () => '/log',
  search: () => '/search?q=gold',
}

/** What is done on a page before the picture. */
const actions: Record<string, (page: Page) => Promise<void>> = {
  history: (page) => page.getByRole('button', { name: 'History' }).last().click(),
}

async function main(args: readonly string[]): Promise<void> {
  const renews = args[0] === '--renew'
  const [given = 'screenshots', ...wanted] = renews ? args.slice(1) : args
  const folder = resolve(process.env.INIT_CWD ?? '.', given)
  const isWanted = renews ? (file: string) => existsSync(join(folder, file)) : () => true
  if (!browserPath) throw new Error('No chromium is here: npm run install-browser -w e2e')
  const network = await startSampleNetwork()
  const browser = await launchBrowser()
  try {
    await network.rpc('dev_startCoverage')
    const story = { ...(await prepareStory(network, { paceMs: 1000 })), lined: await linedProject(network) }
    const names = wanted.length > 0 ? wanted : Object.keys(pages)
    for (const name of names) {
      const path = pages[name]?.(story)
      if (path === undefined) throw new Error(`There is no page ${name}; there are ${Object.keys(pages).join(', ')}`)
      await picturesOf(browser, { name, url: network.url + path, folder, isWanted })
    }
  } finally {
    await browser.close()
    await network.stop()
  }
}

type Pictures = { name: string; url: string; folder: string; isWanted: (file: string) => boolean }

async function picturesOf(browser: Browser, { name, url, folder, isWanted }: Pictures) {
  for (const [size, viewport] of Object.entries(sizes))
    for (const theme of themes) {
      const file = `${name}-${size}-${theme}.png`
      if (!isWanted(file)) continue
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      await withoutTour(context)
      const page = await context.newPage()
      await page.goto(url)
      await page.waitForLoadState('load')
      await page.locator('h1').first().waitFor()
      await untilLoaded(page)
      await actions[name]?.(page)
      await untilLoaded(page)
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      await page.screenshot({ path })
      await context.close()
    }
}

/** Waits until nothing is loading, and nothing else has begun to for a while: what is loaded may say what to load next. */
async function untilLoaded(page: Page): Promise<void> {
  const loading = page
    .getByRole('status')
    .filter({ hasText: /^Loading/ })
    .first()
  for (let calm = 0; calm < 4; calm++) {
    await page.waitForTimeout(200)
    if ((await loading.count()) === 0) continue
    await loading.waitFor({ state: 'detached' })
    calm = -1
  }
}

await main(process.argv.slice(2))
