import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { deployedProject } from '../src/deployedProject.ts'
import { drop } from '../src/drop.ts'
import { sample, trackItems } from '../src/story.ts'

describeDashboard('what is overridden, tracked and imported', (dashboard) => {
  // Each test begins with nothing of these.
  afterEach(async () => {
    const { rpc } = dashboard.network
    for (const { id } of await rpc<{ id: string }[]>('dev_getFunctionOverrides'))
      await rpc('dev_removeFunctionOverride', id)
    for (const { id } of await rpc<{ id: string }[]>('dev_getTrackedData')) await rpc('dev_removeTrackedData', id)
    for (const { projectContractId } of await rpc<{ projectContractId: string }[]>('dev_getImportedContracts'))
      await rpc('dev_removeImportedContract', projectContractId)
    // Also those that a promotion takes; later ones go with the oldest.
    const oldest = (await rpc<{ id: string }[]>('dev_getSnapshots')).at(-1)
    if (oldest) await rpc('evm_revert', oldest.id)
  })

  it('overrides a function from its form, edits, disables and removes that', async () => {
    const { rpc } = dashboard.network
    const page = await dashboard.open(`/address/${sample.gold}?tab=contract&fn=0x313ce567`)
    await page.getByRole('link', { name: 'Override', exact: true }).click()
    await expect.poll(() => page.getByLabel(/^Return value/).inputValue()).toBe('18')
    await page.getByLabel(/^Return value/).fill('6')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await see(page, 'Override added')
    const decimals = () => rpc<string>('eth_call', { to: sample.gold, data: '0x313ce567' }, 'latest').then(Number)
    expect(await decimals()).toBe(6)
    // The page is another one once the form is closed.
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(/Return value 0/).fill('8')
    await page.getByRole('button', { name: 'Save' }).click()
    await see(page, 'Override updated')
    expect(await decimals()).toBe(8)
    const reader = await dashboard.open(`/address/${sample.gold}?tab=contract&fn=0x313ce567`)
    await reader.getByRole('button', { name: 'Read', exact: true }).click()
    await reader.getByTestId('answer').getByText('overridden').waitFor()
    await reader.getByTestId('real-answer').getByText('18', { exact: true }).waitFor()
    await reader.close()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect(await decimals()).toBe(18)
    await page.getByRole('button', { name: 'Remove' }).click()
    await see(page, 'No overrides')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect(await decimals()).toBe(18)
  })

  it('says what is wrong with an override', async () => {
    const page = await dashboard.open('/overrides')
    await page.getByRole('button', { name: 'Override function' }).click()
    await page.getByLabel('Contract').fill(sample.priceFeed)
    await page.getByLabel('Function', { exact: false }).fill('function latestAnswer() view returns (int256)')
    await page.getByLabel(/^Return value/).fill('much')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/much|int256/)
      .first()
      .waitFor()
  })

  it('says so where a link names no function', async () => {
    const page = await dashboard.open(`/overrides?abi=${encodeURIComponent('{"type":"function"}')}`)
    await see(page, 'Enter a name, or function name(types) returns (types)')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  })

  it('tracks a balance, charts it, exports it, and removes it', async () => {
    const { rpc } = dashboard.network
    const [account = ''] = await rpc<string[]>('eth_accounts')
    const page = await dashboard.open('/tracked')
    await page.getByRole('button', { name: 'Track value' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Savings')
    await page.getByLabel('Account', { exact: true }).fill(account)
    await page.getByRole('button', { name: 'Track', exact: true }).click()
    await see(page, 'Savings is recorded from the next block')
    for (let step = 0; step < 3; step++)
      await rpc('eth_sendTransaction', {
        from: account,
        to: '0x00000000000000000000000000000000000000ca',
        value: '0x1',
      })
    await page.locator('.u-wrap canvas').waitFor()
    await page.getByRole('button', { name: '1 h', exact: true }).click()
    await page.waitForURL(/period=1h/)
    await page.locator('.u-wrap canvas').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv.split('\n')[0]).toBe('item,timestamp,block,value,transaction')
    expect(csv).toContain('Savings,')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Treasury')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await see(page, 'Treasury updated')
    await page.getByRole('button', { name: 'Remove' }).click()
    await see(page, 'Its recorded history is deleted with it')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await see(page, 'No tracked values')
  })

  it('charts several items at once, as the address says', async () => {
    const { rpc } = dashboard.network
    const [account = ''] = await rpc<string[]>('eth_accounts')
    const tracked = await trackItems(rpc, account)
    for (let block = 0; block < 3; block++) await rpc('evm_mine')
    const page = await dashboard.open(`/tracked?ids=${tracked.slice(0, 2).join(',')}`)
    await page.locator('.u-wrap canvas').waitFor()
    expect(await page.locator('.u-legend .u-series').count()).toBe(3)
    await page.getByLabel('Chart Ether of account 0').check()
    await page.locator('.u-legend .u-series').nth(3).waitFor()
    await page.getByLabel('Filter by tag').selectOption('pool')
    await page.getByText('Ether of account 0').first().waitFor({ state: 'detached' })
  })

  it('imports a chosen folder of artifacts, finds its deployment and removes it', async () => {
    const { project, remove } = await deployedProject(dashboard.network)
    const page = await dashboard.open('/import')
    await page.getByLabel('Project folder').setInputFiles(project)
    await see(page, '1 new')
    await see(page, 'deployed at')
    const row = page
      .getByRole('list', { name: 'Imported contracts' })
      .getByRole('listitem')
      .filter({ hasText: 'Counter' })
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    remove()
  })

  it('imports a project that is dropped on the page, folders and all, with its sources', async () => {
    const { project, remove } = await deployedProject(dashboard.network)
    const page = await dashboard.open('/import')
    await page.getByTestId('drop').waitFor()
    await drop(page, '[data-testid=drop]', [project])
    await see(page, '1 new')
    const imported = page.getByRole('list', { name: 'Imported contracts' }).getByRole('link', { name: 'Counter' })
    await imported.first().click()
    await page.waitForURL(/\/(workspace\/pc_|address\/0x)/)
    await page.getByRole('tab', { name: 'Code' }).click()
    await see(page, 'src/Counter.sol')
    await page.locator('code').getByText('uint256', { exact: true }).first().waitFor()
    remove()
  })

  it('says what is wrong with what was dropped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nothing-'))
    writeFileSync(join(folder, 'package.json'), '{}')
    const page = await dashboard.open('/import')
    await page.getByTestId('drop').waitFor()
    await drop(page, '[data-testid=drop]', [folder])
    await see(page, 'No compiled contracts found')
    rmSync(folder, { recursive: true })
  })

  it('takes snapshots, and says what a revert deletes before it reverts', { timeout: 120_000 }, async () => {
    const { rpc } = dashboard.network
    const account = '0x00000000000000000000000000000000000000cb'
    const hostile = `<img src=x onerror=alert(1)>${'W'.repeat(220)}`
    const page = await dashboard.open('/snapshots', { viewport: { width: 390, height: 844 } })
    await see(page, 'No snapshots')
    const take = page.getByRole('button', { name: 'Take snapshot' })
    for (const name of ['Before the upgrade', hostile]) {
      await page.getByRole('textbox', { name: /^Name/ }).fill(name)
      await take.click()
      await see(page, name)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await rpc('dev_setBalance', account, '7')
    await rpc('anvil_mine', '0x3')
    const row = page.getByRole('list', { name: 'Snapshots' }).getByRole('listitem').filter({ hasText: 'Before the' })
    await row.getByRole('button', { name: 'Revert' }).click()
    await see(page, /This deletes \d+ blocks with their transactions, this snapshot and 1 later one/)
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    await see(page, 'No snapshots')
    expect(BigInt(await rpc<string>('eth_getBalance', account, 'latest'))).toBe(0n)
  })

  it('makes a branch, opens it, compares, promotes and removes it', { timeout: 120_000 }, async () => {
    const { rpc, url } = dashboard.network
    const account = '0x00000000000000000000000000000000000000cc'
    const page = await dashboard.open('/snapshots', { viewport: { width: 390, height: 844 } })
    await see(page, 'No branches')
    await page.getByRole('textbox', { name: /^Branch name/ }).fill('feature/vault')
    await page.getByRole('button', { name: 'Make branch' }).click()
    const row = page.getByRole('list', { name: 'Branches' }).getByRole('listitem').filter({ hasText: 'feature/vault' })
    const path = await row.getByRole('link', { name: 'Open' }).getAttribute('href')
    expect(path).toBe('/n/feature%2Fvault')

    const branch = await dashboard.open(`${path}/settings`)
    await see(branch, `${url}${path}`)
    await branch.getByRole('link', { name: 'Blocks' }).click()
    await branch.getByRole('heading', { name: 'Blocks', level: 1 }).waitFor()
    expect(new URL(branch.url()).pathname).toBe(`${path}/blocks`)
    const ask = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      return (await (await fetch(`${url}${path}`, { method: 'POST', body })).json()).result
    }
    await ask('dev_setBalance', account, '7')
    const [from] = await ask('eth_accounts')
    const hash = await ask('eth_sendTransaction', { from, to: from })
    const receipt = () => ask('eth_getTransactionReceipt', hash)
    await expect.poll(receipt).not.toBeNull()
    // Its own block arrives at its page, which adds it at once or when it is asked to.
    const block = Number((await receipt()).blockNumber)
    const shown = branch.getByRole('link', { name: String(block), exact: true })
    await shown
      .or(branch.getByRole('button', { name: /^Show \d+ new/ }))
      .first()
      .waitFor()
    await branch.close()

    await row.getByRole('button', { name: 'Compare' }).click()
    await see(page, /the branch is at block/)
    await row.getByRole('cell', { name: '0.000000000000000007 ETH', exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await row.getByRole('button', { name: 'Promote' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click()
    await see(page, /Promoted feature\/vault/)
    expect(BigInt(await rpc<string>('eth_getBalance', account, 'latest'))).toBe(7n)
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await see(page, 'No branches')
  })
})
