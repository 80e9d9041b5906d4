import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'

describeDashboard('A forecast', (dashboard) => {
  it('shows what becomes of each function beside the shares of the study, and offers it as a file', async () => {
    const page = await dashboard.open('/forecast')
    await see(page, 'No forecast yet')
    await page.getByRole('button', { name: 'Forecast', exact: true }).click()
    const functions = page.getByRole('list', { name: 'Functions' })
    await functions.getByText('swap', { exact: true }).waitFor()
    const broken = page.getByRole('row', { name: /^May break/ })
    expect((await broken.getByRole('cell').allTextContents()).slice(2)).toEqual(['0.29 %', '0.33 %'])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Markdown', exact: true }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^# Forecast of amsterdam\n[\s\S]*\| Pool \| swap\(/)
    // Contracts that nobody added are not asked about.
    await page.getByRole('button', { name: 'Workspaces', exact: true }).click()
    await page.getByRole('button', { name: 'Forecast', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/No workspace has a deployed contract/)
      .waitFor()
  })
})
