import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { sample } from '../src/story.ts'

const key = 'correct-horse-battery'
const readKey = 'may-only-look-at-it'

describeDashboard(
  'a network with keys',
  (dashboard) => {
    it('asks for a key, refuses a wrong one, and opens with the right one', async () => {
      const page = await dashboard.open('/')
      await see(page, 'This network requires an API key')
      expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
      await page.getByLabel(/^Key/).fill('wrong')
      await page.getByRole('button', { name: 'Save key' }).click()
      await see(page, 'This API key is not allowed to do that')
      await page.getByLabel(/^Key/).fill(key)
      await page.getByRole('button', { name: 'Save key' }).click()
      await see(page, 'API key saved')
      await see(page, 'Forked at')
      await page.locator('[title="Live"]').waitFor()
      await page.reload()
      await see(page, 'Forked at')
    })

    it('offers a key that only reads no button that changes anything, and says so', async () => {
      const page = await dashboard.open('/')
      await page.getByLabel(/^Key/).fill(readKey)
      await page.getByRole('button', { name: 'Save key' }).click()
      await page.getByText('read only', { exact: true }).waitFor()
      await see(page, 'Forked at')
      const forbidden =
        /Mine block|Faucet|Impersonate|Follow(?!ed)|Wipe|Schedule|Resync|Create workspace|Override function|(Add|Edit|Remove) note/
      const { rpc } = dashboard.network
      const [from] = await rpc<string[]>('eth_accounts')
      const sent = await rpc<string>('eth_sendTransaction', { from, to: from })
      for (const path of ['/', '/overrides', `/tx/${sent}`, `/address/${sample.gold}`]) {
        await page.goto(dashboard.network.url + path)
        await page.getByText('read only', { exact: true }).waitFor()
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await page.getByRole('button', { name: forbidden }).allTextContents()).toEqual([])
      }
      // Once the account is known, which decides what its page offers.
      await page.getByText('contract', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: forbidden }).count()).toBe(0)
      await page.getByRole('tab', { name: 'State' }).click()
      await page.getByRole('button', { name: 'Raw slots' }).waitFor()
      expect(await page.getByRole('button', { name: 'Edit account' }).count()).toBe(0)
    })

    it('shows what was changed with which key, and what was refused', async () => {
      const { rpc } = dashboard.network
      await rpc('dev_setBalance', '0x00000000000000000000000000000000000000c1', '5')
      await rpc('dev_setNonce', '0x12', '1').catch(() => {})
      const page = await dashboard.open('/')
      await page.getByLabel(/^Key/).fill(key)
      await page.getByRole('button', { name: 'Save key' }).click()
      await see(page, 'API key saved')
      await page.getByRole('link', { name: 'Log' }).click()
      const row = page.getByRole('listitem').filter({ hasText: 'dev_setBalance' })
      await row.getByText(/^key [0-9a-f]{8}$/).waitFor()
      await row.getByRole('button', { name: '0x00000000000000000000000000000000000000c1' }).click()
      await row.getByRole('button', { expanded: true }).waitFor()
      await row.getByRole('button', { name: 'dev_setBalance' }).click()
      await page.waitForURL(/method=dev_setBalance/)
    })
  },
  { flags: ['--api-key', `${key}:admin`, '--api-key', `${readKey}:read`], key },
)
