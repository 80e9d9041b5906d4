import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { linedProject } from '../src/linedProject.ts'

describeDashboard('The gas of a transaction', (dashboard) => {
  let project: Awaited<ReturnType<typeof linedProject>>
  // A busy machine compiles for long.
  beforeAll(async () => {
    project = await linedProject(dashboard.network)
  }, 120_000)

  const flame = (page: Page, name: RegExp) => page.getByRole('treeitem', { name })
  const line = (page: Page) => page.getByRole('region', { name: 'Source with gas' }).locator('[aria-current]')

  it('is a flame graph that leads to the lines, by mouse and by keyboard', async () => {
    const page = await dashboard.open(`/tx/${project.deposit}?tab=gas`)
    await flame(page, /^Vault\.record, [\d,]+ gas/).click()
    await page.getByRole('status').getByText('Vault.record').waitFor()
    await expect.poll(() => line(page).textContent()).toMatch(/function record\(uint256 amount\)/)
    await page.keyboard.press('ArrowUp')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^Vault\.deposit,/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Home')
    await page.locator('[role=treeitem][aria-selected=true][aria-level="1"]').waitFor()
    await flame(page, /^Ledger\.credit, /)
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /Vault\.record src\/Vault\.sol/ })
      .first()
      .getByRole('button')
      .click()
    await expect.poll(() => line(page).textContent()).toMatch(/^[\d,]+\d{2} *entries\.push\(amount\);/)
    const cold = page.getByRole('region', { name: 'Cold accesses' })
    await cold.getByText('the account').waitFor()
    await cold.getByText('0x1', { exact: true }).first().waitFor()
    await see(page, /for cold ones/)
    await page
      .getByRole('region', { name: 'Memory' })
      .getByText(/ledger|Ledger/)
      .first()
      .waitFor()
  })

  it('shows refunds, and is compared with that of another transaction', async () => {
    const page = await dashboard.open(`/tx/${project.clear}?tab=gas`)
    await page.getByRole('region', { name: 'Refunds' }).getByText('Vault.clear').first().waitFor()
    await page.goto(`${dashboard.network.url}/tx/${project.deposit}?tab=gas`)
    const field = page.getByLabel('With another transaction')
    await field.fill('0x12')
    await page.getByRole('button', { name: 'Compare' }).click()
    await see(page, 'Enter the hash of a transaction: 0x and 64 hex digits')
    await field.fill(project.other)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('region', { name: 'Functions that differ' }).getByText('Vault.record').first().waitFor()
    expect(page.url()).toContain(`with=${project.other}`)
  })

  it('is listed by version of a contract, with what costs more', async () => {
    const page = await dashboard.open(`/address/${project.vault}?tab=transactions&view=methods`)
    const table = page.getByRole('region', { name: 'Gas by version' })
    const rows = table.getByRole('row', { name: /deposit\(uint256\)/ })
    await rows.nth(1).getByText('costs more').waitFor()
    expect(await rows.count()).toBe(2)
  })
})
