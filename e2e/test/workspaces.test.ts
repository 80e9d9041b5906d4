import { postJsonRpc } from '@understudy/testkit'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { importedSample } from '../src/sampleProject.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'

describeDashboard('workspaces', (dashboard) => {
  let story: Story
  /** A branch on which the story did not happen. */
  const plain = '/n/plain'
  const open = (index: 0 | 1, tab: string) => dashboard.open(`/workspace/${story.workspaces[index]}?tab=${tab}`)

  beforeAll(async () => {
    await dashboard.network.rpc('dev_createBranch', { name: 'plain' })
    story = await prepareStory(dashboard.network)
  })
  let before: string
  beforeEach(async () => {
    before = await dashboard.network.rpc<string>('evm_snapshot')
  })
  afterEach(async () => {
    expect(await dashboard.network.rpc('evm_revert', before)).toBe(true)
  })

  it('makes one from its form, and removes it', async () => {
    const page = await dashboard.open('/workspaces')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Savings')
    await page.getByRole('combobox', { name: /^Address/ }).fill('0x00000000000000000000000000000000000000d1')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/\/address\/0x0{38}d1/)
    await page.getByRole('heading', { name: 'Savings' }).waitFor()
    await page.getByRole('link', { name: 'Workspaces' }).first().click()
    await page.getByRole('listitem').filter({ hasText: 'Savings' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await see(page, 'Workspace removed')
  })

  it('makes one of an address with one click', async () => {
    const page = await dashboard.open('/address/0x00000000000000000000000000000000000000d2')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await see(page, 'Outgoing calls')
  })

  it('recognises a contract of the live chain by an import, links those of the sample project, and shows one workspace', async () => {
    const url = dashboard.network.url + plain
    const rpc = <T>(method: string, ...params: unknown[]) => postJsonRpc<T>(url, method, params)
    const contracts = await Promise.all(
      ['Token', 'Pool', 'PriceFeed', 'ProxiedToken', 'TokenProxy', 'Collectible', 'Permit2'].map((name) =>
        importedSample(name, name),
      ),
    )
    const { linkedDeployments } = await rpc<{ linkedDeployments: { address: string }[] }>('dev_importContracts', {
      contracts,
    })
    expect(linkedDeployments).toHaveLength(8)
    const page = await dashboard.open(`${plain}/address/${sample.priceFeed}`)
    await see(page, 'recognised as PriceFeed')
    await page.getByRole('heading', { name: 'PriceFeed', level: 1 }).waitFor()
    // Both deployments of one contract have the names of its variables.
    for (const token of [sample.gold, sample.dollar]) {
      const [from] = await rpc<string[]>('eth_accounts')
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sample.pool, 1n] })
      const hash = await rpc<string>('eth_sendTransaction', { from, to: token, data })
      await page.goto(`${url}/tx/${hash}?tab=state`)
      await page
        .getByText(/^balanceOf\[/)
        .first()
        .waitFor()
    }
    // The pool holds tokens of the live chain, too.
    await page.goto(`${url}/address/${sample.gold}?tab=transactions`)
    await page.getByRole('button', { name: 'Holders', exact: true }).click()
    await page.waitForURL(/view=holders/)
    const pool = page.getByRole('list', { name: 'Known holders' }).getByRole('listitem').filter({ hasText: 'Pool' })
    await pool.getByText(/GOLD/).waitFor()
    await pool.getByText(/^\d.*%$/).waitFor()
    const [minter] = await rpc<string[]>('eth_accounts')
    const mint = encodeFunctionData({ abi: parseAbi(['function mint(address)']), args: [sample.pool] })
    await rpc('eth_sendTransaction', { from: minter, to: sample.collectible, data: mint })
    await page.goto(`${url}/address/${sample.collectible}?tab=transactions&view=holders`)
    const ids = page.getByRole('list', { name: 'Known token ids' }).getByRole('listitem')
    await ids
      .filter({ hasText: 'Pool' })
      .getByText(/^#\d+$/)
      .waitFor()
  })

  it('says what to do when it cannot be made', async () => {
    const page = await dashboard.open('/workspaces')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Nothing')
    await page.getByRole('combobox', { name: /^Address/ }).fill('0x12')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/address/i)
      .first()
      .waitFor()
  })

  it('takes an ABI for an unknown contract, and keeps its one workspace when that is replaced', async () => {
    const { rpc } = dashboard.network
    const address = '0x00000000000000000000000000000000000000d7'
    await rpc('dev_setCode', address, '0x600760005260206000f3')
    const own = async () => {
      const all = await rpc<{ address?: string; name: string }[]>('dev_getWorkspaces')
      return all.filter((one) => JSON.stringify(one).toLowerCase().includes(address)).length
    }
    const page = await dashboard.open(`/address/${address}?tab=contract`)
    const abi = page.getByRole('textbox', { name: 'ABI' })
    await abi.fill('function nonsense(')
    await page.getByRole('button', { name: 'Save ABI' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.getByLabel('Workspace name').fill('Seven')
    await abi.fill('function seven() view returns (uint256)')
    await page.getByRole('button', { name: 'Save ABI' }).click()
    await page.getByRole('heading', { name: 'Seven', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Replace ABI' }).click()
    await abi.fill('function lucky() view returns (uint256)')
    await page.getByRole('button', { name: 'Save ABI' }).click()
    await page.getByRole('button', { name: /^lucky/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByTestId('answer').getByText('7', { exact: true }).waitFor()
    expect(await own()).toBe(1)
  })

  it('shows what a contract holds and what is frozen of it', async () => {
    const page = await open(0, 'overview')
    await see(page, 'Incoming calls')
    await see(page, /GOLD/)
    await see(page, /entries, imported/)
    const own = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Local changes' }) })
    await own.getByRole('listitem').filter({ hasText: 'reserve0' }).getByText('frozen').waitFor()
  })

  it('shows how much happened when, as bars that the keyboard reads out, over a window that a link keeps', async () => {
    const page = await open(0, 'overview')
    const chart = page.getByRole('slider', { name: 'Activity over time: transactions' })
    await see(page, /^24 transactions$/)
    await chart.focus()
    await chart.press('ArrowLeft')
    await see(page, /blocks [\d,]+–[\d,]+: \d+ transactions? · \d+ incoming calls?/)
    await page.getByRole('button', { name: 'Events', exact: true }).click()
    await see(page, /^48 events$/)
    await page.getByRole('button', { name: '10 min', exact: true }).click()
    await page.waitForURL(/period=10min/)
    await see(page, '10 s per bar')
    await see(page, /^48 events$/)
  })

  it('shows what a transaction was called with, and what it moved', async () => {
    const page = await open(0, 'transactions')
    await page.getByRole('button', { name: 'swap' }).first().click()
    await see(page, 'tokenIn')
    await page.getByText('erc20').nth(1).waitFor()
  })

  it('shows transactions, calls and events, decoded', async () => {
    const page = await open(0, 'transactions')
    await page.getByRole('button', { name: 'swap' }).first().waitFor()
    await page.getByRole('button', { name: 'Calls', exact: true }).click()
    await page.getByRole('button', { name: 'swap' }).first().click()
    await see(page, 'amountIn')
    await page.getByLabel('Outcome').selectOption('failed')
    await page.waitForURL(/outcome=failed/)
    await see(page, 'None on this network')
    await page.getByRole('button', { name: 'Events', exact: true }).click()
    await page.getByText('Swap', { exact: true }).first().waitFor()
    await see(page, 'amount0In')
  })

  it('shows how often each method is called, and its gas', async () => {
    const page = await open(0, 'methods')
    for (const name of ['Methods', 'Gas by version'])
      await page
        .getByRole('region', { name, exact: true })
        .getByRole('row', { name: /swap.*24/ })
        .waitFor()
  })

  it('shows storage as a typed tree, edits a variable, and gives it back', async () => {
    const { rpc } = dashboard.network
    const page = await open(0, 'storage')
    await see(page, 'Layout: Gold market')
    const row = (path: string) => page.locator(`li[data-path="${path}"] > div`)
    await row('reserve0').getByText('uint112').waitFor()
    await row('reserve0').getByText('frozen').waitFor()
    await page.getByLabel('Only values that differ from the live chain').check()
    await row('reserve0')
      .getByText(/^Live chain: /)
      .waitFor()
    expect(await page.locator('li[data-path="totalSupply"]').count()).toBe(0)
    await page.getByLabel('Only values that differ from the live chain').uncheck()
    await row('reserve0').getByText('last changed by').waitFor()
    await row('reserve0').getByRole('button', { name: 'History' }).click()
    const changes = page.getByRole('list', { name: 'History of reserve0' }).getByRole('listitem')
    await changes.nth(9).getByRole('link').first().waitFor()
    await row('reserve0').getByRole('button', { name: 'History' }).click()
    await row('balanceOf').getByText('mapping(address => uint256)').waitFor()
    const word = () => rpc<string>('eth_getStorageAt', sample.pool, '0x3', 'latest').then(BigInt)
    const others = (await word()) >> 112n
    await row('reserve0').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: /^reserve0/ }).fill('many')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await see(page, /expected a whole number/)
    await page.getByRole('textbox', { name: /^reserve0/ }).fill('77')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await see(page, 'reserve0 updated')
    await row('reserve0').getByText('77', { exact: true }).waitFor()
    expect(await word()).toBe((others << 112n) | 77n)
    await row('reserve0')
      .getByText(/^Live chain: /)
      .waitFor()
    await row('reserve0').getByRole('button', { name: 'Resync' }).click()
    await row('reserve0').getByText('frozen').waitFor({ state: 'detached' })
    expect(await word()).not.toBe((others << 112n) | 77n)
  })

  it('follows a variable with what shares its slot, and finds one by its path', async () => {
    const page = await open(0, 'storage')
    const row = (path: string) => page.locator(`li[data-path="${path}"] > div`)
    await row('reserve1').getByRole('button', { name: 'Follow' }).click()
    await row('reserve0').getByText('followed', { exact: true }).waitFor()
    await row('reserve1').getByRole('button', { name: 'Unfollow' }).click()
    await row('reserve1').getByRole('button', { name: 'Follow', exact: true }).waitFor()
    const path = `balanceOf[${sample.pool}]`
    await page.getByLabel('Path').fill(path)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/path=balanceOf/)
    await page.locator('li[data-path^="balanceOf["]').waitFor()
    expect(await page.locator('li[data-path]').count()).toBe(1)
    await page.reload()
    await page.locator('li[data-path^="balanceOf["]').waitFor()
  })

  it('shows the slots that a transaction changed by the names of their variables', async () => {
    const page = await dashboard.open(`/tx/${story.trade}?tab=state`)
    for (const name of ['reserve0', 'reserve1', 'updatedAt']) await page.getByText(name, { exact: true }).waitFor()
    // By how much, where both values look the same when they are shortened.
    await page
      .getByText(/^[+−-][\d.,]+ ETH$/)
      .first()
      .waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('reads a function with the ABI that was given', async () => {
    const page = await open(0, 'contract')
    await page.getByRole('button', { name: /^getReserves/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByTestId('answer').getByText('uint112').nth(1).waitFor()
  })

  it('charts what is tracked of it, and shows its versions, its source and its ABI', async () => {
    const page = await open(0, 'tracked')
    await page.locator('.u-wrap canvas').waitFor()
    await page.getByRole('tab', { name: 'Code' }).click()
    await see(page, 'Version 1')
    await see(page, 'contracts/Pool.sol')
    await page.locator('code').getByText('contract', { exact: true }).first().waitFor()
    await see(page, 'Pool.sol')
    await see(page, /error OutputTooLow\(/)
  })

  it("shows a wallet's transfers", async () => {
    const page = await open(1, 'transfers')
    await page.getByRole('listitem').getByText('ether').first().waitFor()
    expect(await page.getByRole('listitem').count()).toBe(1)
  })
})
