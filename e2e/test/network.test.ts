import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'

describeDashboard('the network page', (dashboard) => {
  const head = async () => Number(await dashboard.network.rpc<string>('eth_blockNumber'))

  // Within a second on a machine that does nothing else; the figure is printed.
  it('is there soon, from less than 200 KB of script', async () => {
    const times: number[] = []
    let bytes = 0
    for (let round = 0; round < 3; round++) {
      const before = performance.now()
      const page = await dashboard.open('/')
      await page.getByText('Head here').waitFor()
      times.push(performance.now() - before)
      bytes = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
      )
    }
    process.stderr.write(
      `first view: ${Math.round(Math.min(...times))} ms, ${Math.round(bytes / 1024)} KiB of script\n`,
    )
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(200_000)
    expect(Math.min(...times)).toBeLessThan(3000)
  })

  it('shows a new block as it is sealed, without being asked', async () => {
    const page = await dashboard.open('/')
    await see(page, 'Head here')
    await page.locator('[title="Live: news is pushed"]').waitFor()
    await dashboard.network.rpc('evm_mine')
    const number = (await head()).toLocaleString('en-US')
    await page
      .getByTestId('head')
      .getByText(number)
      .or(page.getByRole('link', { name: number }).first())
      .first()
      .waitFor()
  })

  it('seals a block when asked', async () => {
    const page = await dashboard.open('/')
    const before = await head()
    await page.getByRole('button', { name: 'Mine a block' }).click()
    await see(page, 'Sealed a block')
    expect(await head()).toBeGreaterThan(before)
  })

  it('switches how blocks come about', async () => {
    const page = await dashboard.open('/')
    await page.getByRole('button', { name: 'Mode instant' }).click()
    await page.getByLabel('Mode', { exact: true }).selectOption('interval')
    await page.getByLabel('Seconds').fill('30')
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.getByRole('button', { name: 'Mode interval:30' }).click()
    await page.getByLabel('Mode', { exact: true }).selectOption('instant')
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.getByRole('button', { name: 'Mode instant' }).waitFor()
  })

  it('says what is wrong with what was entered, and what to do', async () => {
    const page = await dashboard.open('/')
    await page.getByRole('button', { name: 'Faucet' }).click()
    await page.getByLabel('Address', { exact: true }).fill('0x12')
    await page.getByLabel('Amount').fill('much')
    await page.getByRole('button', { name: 'Fund', exact: true }).click()
    await see(page, '"much" is no amount')
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Fund', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/address/i)
      .first()
      .waitFor()
  })

  it('funds an account, and shows every digit on a click', async () => {
    const address = '0x00000000000000000000000000000000000000c5'
    const page = await dashboard.open('/')
    await page.getByRole('button', { name: 'Faucet' }).click()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByLabel('Amount').fill('1.234567891234')
    await page.getByRole('button', { name: 'Fund', exact: true }).click()
    await see(page, 'Funded')
    await page.goto(`${dashboard.network.url}/address/${address}`)
    await page.getByRole('button', { name: '1.2345 ETH' }).click()
    await see(page, '1.234567891234 ETH')
  })

  it('impersonates an account, and stops', async () => {
    const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    const page = await dashboard.open('/')
    await page.getByRole('button', { name: 'Impersonate' }).click()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByRole('dialog').getByRole('button', { name: 'Impersonate' }).click()
    await see(page, 'impersonated')
    expect(await dashboard.network.rpc('dev_getImpersonatedAccounts')).toEqual([address])
    await page.getByRole('button', { name: 'Stop impersonating' }).click()
    await see(page, 'It needs a signature again')
    expect(await dashboard.network.rpc('dev_getImpersonatedAccounts')).toEqual([])
  })

  it('follows an account of the live chain, and stops', async () => {
    const address = '0x252bfe6ba05b239912fe0f8f514b3564f40a7a96'
    const page = await dashboard.open('/')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByRole('dialog').getByRole('button', { name: 'Follow' }).click()
    await see(page, 'whole account')
    await page.getByRole('button', { name: 'Unfollow' }).click()
    await see(page, 'Nothing is followed')
    expect(await dashboard.network.rpc('dev_getFollowed')).toEqual({ accounts: [], slots: {} })
  })

  it('schedules wipes and wipes at once', async () => {
    const page = await dashboard.open('/')
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page.getByLabel('Every').fill('12h')
    await page.getByRole('button', { name: 'Save' }).click()
    await see(page, '12 h')
    expect(await dashboard.network.rpc('mock_getWipeSchedule')).toMatchObject({ intervalMs: 43_200_000 })
    await page.getByRole('button', { name: 'Wipe now' }).click()
    await page.getByRole('button', { name: 'Wipe local state' }).click()
    await see(page, /Gave back \d+ accounts/)
  })

  it('tells when the network is lost, and goes on by itself when it is back', async () => {
    const page = await dashboard.open('/')
    await see(page, 'Head here')
    await dashboard.network.kill()
    await see(page, /The network does not answer\. Check that it still runs/)
    await dashboard.network.revive()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await dashboard.network.rpc('evm_mine')
    const number = await head()
    await expect
      .poll(async () => Number(((await page.getByTestId('head').textContent()) ?? '').replaceAll(/\D/g, '')), {
        timeout: 10_000,
      })
      .toBeGreaterThanOrEqual(number)
  })
})
