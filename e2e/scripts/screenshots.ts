import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { browserPath, launchBrowser } from '../src/browser.ts'
import { startSampleNetwork } from '../src/startSampleNetwork.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'

// Pictures of each page, light and dark, on a desktop and a phone: npm run screenshots -w e2e -- FOLDER [PAGE…]

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const

const pages: Record<string, (story: Story) => string> = {
  network: () => '/',
  blocks: () => '/blocks',
  transactions: () => '/transactions',
  block: ({ block }) => `/block/${block}`,
  transaction: ({ trade }) => `/tx/${trade}`,
  logs: ({ trade }) => `/tx/${trade}?tab=logs`,
  state: ({ trade }) => `/tx/${trade}?tab=state`,
  address: ({ sender }) => `/address/${sender}`,
  contract: () => `/address/${sample.gold}?tab=contract&fn=0x70a08231`,
  overrides: () => '/overrides',
  settings: () => '/settings',
  workspaces: () => '/workspaces',
  workspace: ({ workspaces }) => `/workspace/${workspaces[0]}`,
  wallet: ({ workspaces }) => `/workspace/${workspaces[1]}`,
  calls: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=calls`,
  events: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=events`,
  methods: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=methods`,
  storage: ({ workspaces }) => `/workspace/${workspaces[0]}?tab=storage`,
  tracked: ({ tracked }) => `/tracked?ids=${tracked.slice(0, 2).join(',')}`,
  import: () => '/import',
}

async function main([folder = 'screenshots', ...wanted]: readonly string[]): Promise<void> {
  if (!browserPath) throw new Error('No chromium is here: npm run install-browser -w e2e')
  const network = await startSampleNetwork()
  const browser = await launchBrowser()
  try {
    const story = await prepareStory(network, { paceMs: 1000 })
    const names = wanted.length > 0 ? wanted : Object.keys(pages)
    for (const name of names) {
      const path = pages[name]?.(story)
      if (path === undefined) throw new Error(`There is no page ${name}; there are ${Object.keys(pages).join(', ')}`)
      await picturesOf(browser, { name, url: network.url + path, folder: resolve(process.env.INIT_CWD ?? '.', folder) })
    }
  } finally {
    await browser.close()
    await network.stop()
  }
}

async function picturesOf(browser: Browser, { name, url, folder }: { name: string; url: string; folder: string }) {
  for (const [size, viewport] of Object.entries(sizes))
    for (const theme of themes) {
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(url)
      await page.waitForLoadState('load')
      await page.locator('h1').first().waitFor()
      const loading = page.locator('[aria-label^=Loading]')
      for (let left = await loading.count(); left > 0; left--) await loading.first().waitFor({ state: 'detached' })
      await page.waitForTimeout(300)
      const path = join(folder, `${name}-${size}-${theme}.png`)
      mkdirSync(dirname(path), { recursive: true })
      await page.screenshot({ path })
      await context.close()
    }
}

await main(process.argv.slice(2))
