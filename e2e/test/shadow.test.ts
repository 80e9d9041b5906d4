import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { sample } from '../src/story.ts'

type Counts = { counts: { diverged: number } }

describeDashboard('Shadowing', (dashboard) => {
  // Every trade of the live chain's bots fails here.
  beforeAll(async () => {
    const { rpc } = dashboard.network
    await rpc('dev_setCode', sample.pool, '0x60006000fd')
    const check = { left: { type: 'native-token-balance', address: sample.pool }, is: '>', right: '0' }
    await rpc('dev_addInvariant', { name: 'has ether', check })
    await rpc('dev_setShadow', { enabled: true })
  })

  it('shows what diverged by cause and side by side, and offers it as a file', { timeout: 90_000 }, async () => {
    const { rpc } = dashboard.network
    await expect
      .poll(async () => (await rpc<Counts>('dev_getShadow')).counts.diverged, { timeout: 60_000 })
      .toBeGreaterThan(0)
    const page = await dashboard.open('/shadow')
    await page
      .getByRole('list', { name: 'Divergences by function and cause' })
      .getByText(/^It fails here/)
      .first()
      .waitFor()
    await page.getByRole('slider', { name: 'Shadowed transactions over the blocks' }).waitFor()
    await page.getByRole('list', { name: 'Invariants' }).getByText('broken').waitFor()
    await see(page, '0, expected > 0')

    const divergences = page.getByRole('list', { name: 'Divergences', exact: true })
    await divergences.getByRole('button', { name: 'Compare' }).first().click()
    await divergences.getByRole('columnheader', { name: 'Live chain' }).waitFor()
    const status = divergences.getByRole('row', { name: /^Status/ })
    expect(await status.getByRole('cell').allTextContents()).toEqual(['success', expect.stringMatching(/^failed/)])

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JUnit', exact: true }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toMatch(
      /<testsuite name="divergences" tests="\d+" failures="[1-9]/,
    )

    await divergences.getByRole('link', { name: 'Debug' }).click()
    await page.waitForURL(/\/tx\/0x[\da-f]{64}\?tab=debug/)
  })
})
