import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { breaches, loadAxe, ofColours, wcag } from '../src/accessibility.ts'
import { describeDashboard, see } from '../src/dashboard.ts'
import { deployedProject } from '../src/deployedProject.ts'
import { enter, press, tabTo } from '../src/keyboard.ts'
import { linedProject } from '../src/linedProject.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'

const paths = ({ block, trade, sender, tracked, workspaces: [contract, wallet] }: Story) => [
  '/',
  '/blocks',
  '/transactions',
  `/block/${block}`,
  ...['', '?tab=state', '?tab=logs', '?tab=transfers', '?tab=gas', '?tab=debug'].map((tab) => `/tx/${trade}${tab}`),
  '/simulate',
  `/simulate?tx=${trade}`,
  `/address/${sender}`,
  `/address/${sample.gold}?tab=contract&fn=0x70a08231`,
  ...['slots', 'edit'].map((view) => `/address/${sample.gold}?tab=state&view=${view}`),
  '/workspaces',
  ...['overview', 'transactions', 'calls', 'events', 'methods', 'state', 'contract', 'code', 'tracking'].map(
    (tab) => `/workspace/${contract}?tab=${tab}`,
  ),
  `/workspace/${wallet}?tab=transfers`,
  `/tracked?ids=${tracked[0]}`,
  '/overrides',
  '/snapshots',
  '/shadow',
  '/forecast',
  '/import',
  '/log',
  '/wallet',
  '/settings',
  '/search?q=nothing',
  '/search?q=gold',
  '/nowhere',
]

/** It shows what the narrow or the wide page shows, in the same colours. */
const betweenWidth = 768
const widths = [1440, betweenWidth, 390]

const withoutColours = Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }]))

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const loading = page.getByRole('status').filter({ hasText: /^Loading/ })
  for (let left = await loading.count(); left > 0; left--) await loading.first().waitFor({ state: 'detached' })
}

/** Lists measure their rows in the frame after that in which their width changed. */
const drawAgain = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

describeDashboard('how it looks', (dashboard) => {
  let story: Story
  beforeAll(async () => {
    story = await prepareStory(dashboard.network)
  })

  it('every page meets WCAG AA in both themes at three widths, and is no wider than them', {
    timeout: 480_000,
  }, async () => {
    const page = await dashboard.open('/', { colorScheme: 'light' })
    const found: Record<string, string[]> = {}
    const note = (where: string, problems: string[]) => {
      if (problems.length > 0) found[where] = problems
    }
    const { deposit, other, vault } = await linedProject(dashboard.network)
    const call = { from: story.sender, to: vault, data: '0xd0e30db0', value: '0x1' }
    const { saved } = await dashboard.network.rpc<{ saved: string[] }>('dev_simulate', { calls: [call], save: true })
    const lined = [
      `/tx/${deposit}?tab=gas&with=${other}`,
      `/address/${vault}?tab=transactions&view=methods`,
      `/simulation/${saved[0]}`,
    ]
    for (const path of [...paths(story), ...lined]) {
      await page.goto(dashboard.network.url + path)
      await settle(page)
      await loadAxe(page)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await drawAgain(page)
        const drawn = await page.evaluate(() => document.documentElement.scrollWidth)
        note(`${path} at ${width}`, drawn > width ? [`${drawn} pixels wide`] : [])
        if (width === betweenWidth) {
          note(`${path} at ${width}`, await breaches(page, { runOnly: wcag, rules: withoutColours }))
          continue
        }
        note(`${path} at ${width}, light`, await breaches(page, { runOnly: wcag }))
        await page.emulateMedia({ colorScheme: 'dark' })
        note(`${path} at ${width}, dark`, await breaches(page, { runOnly: ofColours }))
        await page.emulateMedia({ colorScheme: 'light' })
      }
    }
    expect(found).toEqual({})
  })

  it('opens its menu on a phone', async () => {
    const page = await dashboard.open('/', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Overrides' }).first().click()
    await page.getByRole('heading', { name: 'Overrides', level: 1 }).waitFor()
  })

  it('keeps the theme that was chosen', async () => {
    const page = await dashboard.open('/', { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  })

  it('is reached by keyboard: the content is one step away, tabs move with arrows', async () => {
    const { sender } = story
    const page = await dashboard.open(`/address/${sender}`)
    await settle(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/tab=transactions/)
  })

  it('does ten tasks with the keyboard alone', { timeout: 120_000 }, async () => {
    const { rpc } = dashboard.network
    const { trade, sender } = story
    const page = await dashboard.open('/', { colorScheme: 'light' })
    const find = async (text: string) => {
      await page.keyboard.press('/')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }

    // 1 and 2: finds a transaction, and reads its state changes.
    await settle(page)
    await find(trade)
    await page.waitForURL(`**/tx/${trade}`)
    await tabTo(page, page.getByRole('tab', { selected: true }))
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/tab=transfers/)

    // 3: follows an account, after reading what is lost.
    await find(sample.dollar)
    await press(page, 'button', 'Follow')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Unfollow' }).waitFor()

    // 4: tracks a balance.
    await press(page, 'link', 'Tracked values')
    await press(page, 'button', 'Track value')
    await enter(page, 'Name', 'By keyboard')
    await enter(page, 'Account', sender)
    await page.keyboard.press('Enter')
    await see(page, 'By keyboard is recorded from the next block')

    // 5: overrides a function.
    await press(page, 'link', 'Overrides')
    await press(page, 'button', 'Override function')
    await enter(page, 'Contract', sample.gold)
    await tabTo(page, page.getByRole('combobox', { name: 'Function' }))
    await page.keyboard.type('decimals')
    const answer = page.getByLabel(/^Return value/)
    await expect.poll(() => answer.inputValue()).toBe('18')
    await tabTo(page, answer)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByText('decimals').first().waitFor()

    // 6: imports a project.
    const { project, remove } = await deployedProject(dashboard.network)
    await press(page, 'link', 'Import')
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'button', 'Select folder')
    await (await chooser).setFiles(project)
    await see(page, '1 new')
    remove()

    // 7: simulates a transfer.
    await press(page, 'link', 'Simulate')
    await enter(page, 'From', sender)
    await enter(page, /^To/, sample.gold)
    await press(page, 'button', 'Simulate')
    await page.waitForURL(/simulate\?s=/)

    // 8: mines a block.
    await press(page, 'link', 'Network')
    const head = await rpc<string>('eth_blockNumber')
    await press(page, 'button', 'Mine block')
    await see(page, 'Block mined')
    expect(Number(await rpc<string>('eth_blockNumber'))).toBeGreaterThan(Number(head))

    // 9: takes a snapshot, and reverts to it.
    await press(page, 'link', 'Snapshots')
    await enter(page, /^Name/, 'Before')
    await page.keyboard.press('Enter')
    await see(page, 'Before')
    await press(page, 'button', 'Revert')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await see(page, 'No snapshots')

    // 10: chooses the dark theme.
    await press(page, 'button', 'Dark theme')
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')

    expect(await rpc('dev_getFollowed')).toMatchObject({ accounts: [sample.dollar.toLowerCase()] })
    expect(await rpc('dev_getTrackedData')).toContainEqual(expect.objectContaining({ name: 'By keyboard' }))
    expect(await rpc('dev_getFunctionOverridesByContract', sample.gold)).toHaveLength(1)
  })

  it('shows a tour on the first visit, which keys alone go through, and again from the settings', async () => {
    const page = await dashboard.open('/', { firstVisit: true, viewport: { width: 390, height: 844 } })
    const tour = page.getByRole('region', { name: 'Tour' })
    await settle(page)
    await tour.waitFor()
    await loadAxe(page)
    expect(await breaches(page, { runOnly: wcag })).toEqual([])
    for (const title of ['Follow', 'Override']) {
      await press(page, 'button', 'Next')
      await tour.getByRole('heading', { name: title }).waitFor()
    }
    await press(page, 'link', 'Open Overrides')
    await page.waitForURL('**/overrides')
    await page.keyboard.press('Escape')
    await tour.waitFor({ state: 'detached' })
    await page.goto(`${dashboard.network.url}/settings`)
    await settle(page)
    expect(await tour.count()).toBe(0)
    await press(page, 'button', 'Show tour')
    await tour.getByRole('heading', { name: 'A network that stays in sync' }).waitFor()
    await page.keyboard.press('Escape')
    await tour.waitFor({ state: 'detached' })
  })

  it('reports a page that does not exist', async () => {
    const page = await dashboard.open('/nowhere')
    await page.getByText('Page not found').waitFor()
  })
})
