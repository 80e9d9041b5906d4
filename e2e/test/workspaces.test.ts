import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { prepareStory, type Story } from '../src/story.ts'

describeDashboard('workspaces', (dashboard) => {
  let story: Story | undefined
  const told = async () => {
    story ??= await prepareStory(dashboard.network)
    return story
  }
  const open = async (index: 0 | 1, tab: string) => {
    const { workspaces } = await told()
    return dashboard.open(`/workspace/${workspaces[index]}?tab=${tab}`)
  }

  it('makes one from its form, and removes it', async () => {
    const page = await dashboard.open('/workspaces')
    await page.getByRole('button', { name: 'Make a workspace' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Savings')
    await page.getByRole('textbox', { name: /^Address/ }).fill('0x00000000000000000000000000000000000000d1')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/workspace\/wlt_/)
    await page.getByRole('heading', { name: 'Savings' }).waitFor()
    await page.getByRole('link', { name: 'Workspaces' }).first().click()
    await page.getByRole('listitem').filter({ hasText: 'Savings' }).getByRole('button', { name: 'Remove' }).click()
    await see(page, 'The workspace is removed')
  })

  it('makes one of an address with one click', async () => {
    const page = await dashboard.open('/address/0x00000000000000000000000000000000000000d2')
    await page.getByRole('button', { name: 'Make a workspace' }).click()
    await page.waitForURL(/\/workspace\/wlt_/)
  })

  it('says what to do when it cannot be made', async () => {
    const page = await dashboard.open('/workspaces')
    await page.getByRole('button', { name: 'Make a workspace' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Nothing')
    await page.getByRole('textbox', { name: /^Address/ }).fill('0x12')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page
      .getByRole('alert')
      .getByText(/address/i)
      .first()
      .waitFor()
  })

  it('shows what a contract holds and what is frozen of it', async () => {
    const page = await open(0, 'overview')
    await see(page, 'Calls to it')
    await see(page, /GOLD/)
    await see(page, '7 entries, as it was given')
  })

  it('shows transactions, calls and events, decoded', async () => {
    const page = await open(0, 'transactions')
    await page.getByRole('listitem').getByText('swap').first().waitFor()
    await page.getByRole('tab', { name: 'Calls' }).click()
    await page.getByRole('button', { name: 'swap' }).first().click()
    await see(page, 'amountIn')
    await page.getByLabel('Outcome').selectOption('failed')
    await see(page, 'None on this network')
    await page.getByRole('tab', { name: 'Events' }).click()
    await page.getByText('Swap', { exact: true }).first().waitFor()
    await see(page, 'amount0In')
  })

  it('shows how often each method is called, and its gas', async () => {
    const page = await open(0, 'methods')
    await page.getByRole('row', { name: /swap.*24/ }).waitFor()
  })

  it('edits a slot in place', async () => {
    const page = await open(0, 'storage')
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.locator('form').last().getByRole('textbox').fill('77')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await see(page, /is set/)
  })

  it('reads a function with the ABI that was given', async () => {
    const page = await open(0, 'contract')
    await page.getByRole('button', { name: /^getReserves/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByTestId('answer').getByText('reserve1').waitFor()
  })

  it('charts what is tracked of it, and shows its versions and its ABI', async () => {
    const page = await open(0, 'tracked')
    await page.locator('.u-wrap canvas').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await see(page, 'Version 1')
    await page.getByRole('tab', { name: 'Source' }).click()
    await see(page, /error OutputTooLow/)
  })

  it("shows a wallet's transfers", async () => {
    const page = await open(1, 'transfers')
    await page.getByRole('listitem').getByText('ether').first().waitFor()
    expect(await page.getByRole('listitem').count()).toBe(1)
  })
})
