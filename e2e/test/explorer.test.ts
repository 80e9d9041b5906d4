import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { importedSample } from '../src/sampleProject.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'

describeDashboard('blocks, transactions and addresses', (dashboard) => {
  let story: Story | undefined
  const told = async () => {
    story ??= await prepareStory(dashboard.network)
    return story
  }

  it('finds a block, a transaction, an address and a name', async () => {
    const { block, trade, sender } = await told()
    const page = await dashboard.open('/')
    await page.getByRole('heading', { name: 'Network' }).waitFor()
    for (const [text, path] of [
      [String(block), `/block/${block}`],
      [trade, `/tx/${trade}`],
      [sender, `/address/${sender}`],
      ['Account 3', '/address/0x90f79bf6eb2c4f870365e785982e1f101e93b906'],
    ] as const) {
      await page.keyboard.press('/')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${path}`)
    }
    // Names are suggested as they are typed: of tokens that moved, and of functions of workspaces.
    for (const [text, path] of [
      ['gold', `/address/${sample.gold}`],
      ['swap', `fn=0x`],
    ] as const) {
      await page.keyboard.press('/')
      await page.keyboard.type(text)
      const option = page.getByRole('option').filter({ hasText: text === 'gold' ? 'Sample Gold (GOLD)' : 'swap(' })
      await option.first().click()
      await page.waitForURL((url) => url.href.toLowerCase().includes(path.toLowerCase()))
    }
    await page.keyboard.press('/')
    await page.keyboard.type('nothing like that')
    await page.keyboard.press('Enter')
    await see(page, 'No results')
  })

  it('shows a block, its transactions and its neighbours', async () => {
    const { block, trade } = await told()
    const page = await dashboard.open(`/block/${block}`)
    await page.getByText('this network', { exact: true }).waitFor()
    await page.locator(`a[href="/tx/${trade}"]`).waitFor()
    await page.getByRole('link', { name: `← ${block - 1}` }).click()
    await page.waitForURL(`**/block/${block - 1}`)
    await page.goto(`${dashboard.network.url}/block/999999999`)
    await see(page, 'Block 999999999 does not exist')
  })

  it('shows what a transaction said and did', async () => {
    const { trade } = await told()
    const page = await dashboard.open(`/tx/${trade}`)
    await see(page, 'succeeded')
    await page
      .getByRole('heading', { level: 1, name: /^(Swap|Call 0x\w+) .* GOLD → .* USDS$|USDS → .* GOLD$/ })
      .waitFor()
    await page.getByRole('tab', { name: /Logs/ }).click()
    await page.getByText('Transfer', { exact: true }).first().waitFor()
    await page.waitForURL(/tab=logs/)
    await page.reload()
    await page.getByText('Transfer', { exact: true }).first().waitFor()
  })

  it('runs a transaction again with other input', async () => {
    const { trade } = await told()
    // The token that the pool calls has the error of the failure, and the pool has not.
    const { contracts } = await dashboard.network.rpc<{ contracts: { projectContractId: string }[] }>(
      'dev_importContracts',
      { contracts: [await importedSample('Token', 'Token')] },
    )
    const page = await dashboard.open(`/tx/${trade}?tab=simulate`)
    await page.getByRole('button', { name: 'Simulate' }).click()
    await see(page, 'succeeds')
    await page.getByLabel('From', { exact: true }).fill('0x00000000000000000000000000000000000000c6')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await see(page, /^reverts$/)
    await see(page, /^InsufficientAllowance\(/)
    await dashboard.network.rpc('dev_removeImportedContract', contracts[0]?.projectContractId)
  })

  it('lists blocks and transactions, and goes on before the fork', async () => {
    await told()
    await dashboard.network.rpc('anvil_mine', '0x1f4')
    const page = await dashboard.open('/settings')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.postData() ?? ''))
    await page.goto(`${dashboard.network.url}/transactions`)
    await see(page, /^\d+ on this network/)
    await page.getByRole('listitem').filter({ hasText: 'approve' }).first().waitFor()
    expect(asked.filter((body) => body.includes('eth_getBlockByNumber'))).toEqual([])
    await page.getByRole('button', { name: /from before the fork/ }).click()
    await page.getByRole('list', { name: 'Transactions before the fork' }).getByRole('listitem').first().waitFor()
    await page.goto(`${dashboard.network.url}/blocks`)
    await page.getByRole('list', { name: 'Blocks' }).getByRole('listitem').first().waitFor()
  })

  it('reads a function, and sends one', async () => {
    const { sender } = await told()
    const page = await dashboard.open(`/address/${sample.gold}?tab=contract`)
    await page.getByRole('button', { name: /^balanceOf/ }).click()
    await page.getByLabel('account').fill(sender)
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByTestId('answer').waitFor()
    await page.waitForURL(/fn=0x70a08231/)
    await page.reload()
    await page.getByLabel('account').fill('nobody')
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await see(page, /"nobody" is not an address/)

    await page.getByRole('button', { name: /^transfer\(/ }).click()
    await page.getByLabel('recipient').fill('0x00000000000000000000000000000000000000c7')
    await page.getByLabel('amount').fill('1.5e18')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('status').getByRole('link').click()
    await see(page, '1,500,000,000,000,000,000')
    await page.goBack()
    await page.getByLabel('recipient').fill('0x00000000000000000000000000000000000000c7')
    await page.getByLabel('amount').fill('1e30')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await see(page, /Reverted/)
  })

  it('lists the transactions of an address', async () => {
    const { sender, trade } = await told()
    const page = await dashboard.open(`/address/${sender}`)
    await page.locator(`a[href="/tx/${trade}"]`).waitFor()
  })

  it('sends as anybody, by impersonation', async () => {
    const { rpc } = dashboard.network
    const holder = sample.pool.toLowerCase()
    await rpc('dev_setBalance', holder, '1000000000000000000')
    const page = await dashboard.open(`/address/${sample.gold}?tab=contract&fn=0xa9059cbb`)
    await page.getByLabel('recipient').fill('0x00000000000000000000000000000000000000c8')
    await page.getByLabel('amount').fill('7')
    await page.getByLabel('From').fill(holder)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('status').getByRole('link').waitFor()
    expect(await rpc('dev_getImpersonatedAccounts')).toContain(holder)
  })

  it('edits the state of an account', async () => {
    const address = '0x00000000000000000000000000000000000000c9'
    const { rpc } = dashboard.network
    const page = await dashboard.open(`/address/${address}?tab=state`)
    await page.getByLabel('Balance').fill('2.5')
    await page.getByRole('button', { name: 'Set balance' }).click()
    await see(page, 'Balance updated')
    expect(await rpc('eth_getBalance', address, 'latest')).toBe('0x22b1c8c1227a0000')
    await page.getByLabel('Nonce').fill('9')
    await page.getByRole('button', { name: 'Set nonce' }).click()
    await see(page, 'Nonce updated')
    await page.getByLabel('Slot').fill('3')
    await page.getByLabel('Value').fill('77')
    await page.getByRole('button', { name: 'Set slot' }).click()
    await see(page, 'Slot updated')
    await page.getByLabel('Code').fill('0x6000')
    await page.getByRole('button', { name: 'Set code' }).click()
    await see(page, 'Code updated')
    await page.getByRole('tab', { name: 'Storage' }).click()
    await page.locator('li').filter({ hasText: /^3/ }).getByText('77', { exact: true }).waitFor()
    await page.getByLabel('Slot').fill('0x10')
    await page.getByRole('button', { name: 'Read slot' }).click()
    await page.getByText('0x10', { exact: true }).waitFor()
  })

  it('follows a slot of a contract of the live chain, once it knows whether it is followed', async () => {
    const page = await dashboard.open('/settings')
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/*', async (route) => {
      if (route.request().postData()?.includes('dev_getFollowed')) await mayAnswer
      await route.continue()
    })
    await page.goto(`${dashboard.network.url}/address/${sample.pool}?tab=storage`)
    const row = page.locator('li').filter({ hasText: /^3/ })
    await row.waitFor()
    expect(await row.getByRole('button', { name: 'Follow', disabled: false }).count()).toBe(0)
    answer()
    await row.getByRole('button', { name: 'Follow' }).click()
    await row.getByText('followed', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Unfollow' }).click()
    await row.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  })
})
