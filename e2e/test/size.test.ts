import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { measureCpu } from '../src/firstView.ts'
import { sendMany } from '../src/manyTransactions.ts'

describeDashboard('large lists and charts', (dashboard) => {
  it('lists 10 000 transactions, and draws only those in view', { timeout: 180_000 }, async () => {
    await sendMany(dashboard.network, 10_000)
    const page = await dashboard.open('/transactions')
    await see(page, '100+ on this network')
    const rows = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem')
    await rows.first().waitFor()
    expect(await rows.count()).toBeLessThan(100)
    await page.waitForFunction(() => {
      window.scrollTo(0, document.body.scrollHeight)
      return Number(document.querySelector('li[aria-posinset]')?.getAttribute('aria-posinset')) > 300
    })
    expect(await rows.count()).toBeLessThan(100)
  })

  it('charts 100 000 samples', { timeout: 60_000 }, async () => {
    const { rpc, kill, revive, directory } = dashboard.network
    const [address] = await rpc<string[]>('eth_accounts')
    const item = {
      address,
      name: 'Long history',
      type: 'native-token-balance',
      recordTrigger: 'cron',
      trackingFrequency: 3600,
    }
    const { id } = await rpc<{ id: string }>('dev_addTrackedData', item)
    // All is in the database's file after a clean stop only.
    await kill('SIGTERM')
    const script = fileURLToPath(new URL('../scripts/recordSamples.mjs', import.meta.url))
    const { status } = spawnSync(process.execPath, [script, join(directory, 'network.sqlite'), id, '100000'], {
      stdio: 'inherit',
    })
    expect(status).toBe(0)
    await revive()
    const page = await dashboard.open(`/tracked?ids=${id}`)
    await see(page, /100,\d\d\d recorded values/)
    await page.locator('.u-wrap canvas').waitFor()
    const cpu = await measureCpu(page)
    await page.getByRole('button', { name: '1 d', exact: true }).click()
    await page.locator('.u-wrap canvas').waitFor()
    expect(await cpu()).toBeLessThan(2000)
  })
})
