import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandRun, runCommand } from '@understudy/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, withoutTour } from '../src/browser.ts'
import { see } from '../src/dashboard.ts'

const owner = 'owner-of-everything-1'
const tenant = 'tenant-5ecret-000001'

describe.skipIf(!browserPath)('the list of networks', () => {
  let directory: string
  let server: CommandRun
  let url: string
  let browser: Browser
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'understudy-e2e-'))
    const file = join(directory, 'networks.json')
    const keys = [
      { key: owner, role: 'admin' },
      { key: tenant, role: 'admin', scope: 'own' },
    ]
    const options = { port: 0, 'data-dir': directory }
    writeFileSync(file, JSON.stringify({ options, networks: { alpha: {}, beta: { 'chain-id': 5 } }, keys }))
    server = runCommand(['serve', '--config', file])
    ;[url, browser] = await Promise.all([server.listening, launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    server?.child.kill()
    await server?.ended
    rmSync(directory, { recursive: true, force: true })
  })

  /** Opens a page on a phone, with a key. */
  async function open(path: string, key: string): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
    await withoutTour(context)
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(url + path)
    await page.getByRole('textbox', { name: /^Key/ }).fill(key)
    await page.getByRole('button', { name: 'Save key' }).click()
    return page
  }
  const isNarrow = async (page: Page) =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Networks' }).getByRole('listitem').filter({ hasText: name })

  it('makes and opens a network, switches between networks and branches, and removes it', {
    timeout: 120_000,
  }, async () => {
    const page = await open('/', owner)
    expect(new URL(page.url()).pathname).toBe('/networks')
    await rowOf(page, 'beta').getByText('of the configuration').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('gamma')
    await page.getByRole('button', { name: 'Make network' }).click()
    await rowOf(page, 'gamma').getByText('awake').waitFor()
    await isNarrow(page)

    await page.getByRole('link', { name: 'Open gamma' }).click()
    await page.waitForURL('**/n/gamma')
    await page.goto(`${url}/n/gamma/snapshots`)
    await page.getByRole('textbox', { name: /^Branch name/ }).fill('feature/vault')
    await page.getByRole('button', { name: 'Make branch' }).click()
    await see(page, 'from block')
    const choices = async () => {
      await page.getByRole('button', { name: 'Menu' }).click()
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await menu.getByTitle('Switch network').click()
      return menu.getByRole('navigation', { name: 'Networks' })
    }
    await (await choices()).getByRole('link', { name: 'feature/vault' }).click()
    await page.waitForURL('**/n/gamma/n/feature%2Fvault/')
    const there = await choices()
    await isNarrow(page)
    expect(await there.getByRole('link', { name: 'feature/vault' }).getAttribute('aria-current')).toBe('true')
    await there.getByRole('link', { name: 'beta' }).click()
    await page.waitForURL('**/n/beta/')
    await (await choices()).getByRole('link', { name: 'All networks' }).click()
    await rowOf(page, 'gamma').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await see(page, 'Network gamma removed')
    await rowOf(page, 'gamma').waitFor({ state: 'detached' })
  })

  it('shows a key its own networks, and why one was not made', { timeout: 60_000 }, async () => {
    const page = await open('/networks', tenant)
    await see(page, 'No networks')
    await page.getByRole('textbox', { name: 'Name' }).fill('alpha')
    await page.getByRole('button', { name: 'Make network' }).click()
    await page.getByRole('form', { name: 'New network' }).getByRole('alert').waitFor()
    await see(page, 'No networks')
    await isNarrow(page)
  })
})
