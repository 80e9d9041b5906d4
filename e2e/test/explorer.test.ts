import { artifacts, startAnvil, startShapedChain, startUnderstudy } from '@understudy/testkit'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { importedSample } from '../src/sampleProject.ts'
import { prepareStory, type Story, sample } from '../src/story.ts'
import { installWallet } from '../src/wallet.ts'

describeDashboard('blocks, transactions and addresses', (dashboard) => {
  let story: Story
  beforeAll(async () => {
    story = await prepareStory(dashboard.network)
  })
  let before: string
  beforeEach(async () => {
    before = await dashboard.network.rpc<string>('evm_snapshot')
  })
  afterEach(async () => {
    expect(await dashboard.network.rpc('evm_revert', before)).toBe(true)
  })

  it('finds a block, a transaction, an address and a name', async () => {
    const { block, trade, sender } = story
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
    const { block, trade } = story
    const page = await dashboard.open(`/block/${block}`)
    await page.getByText('this network', { exact: true }).waitFor()
    await page.locator(`a[href="/tx/${trade}"]`).waitFor()
    await page.getByRole('link', { name: `← ${block - 1}` }).click()
    await page.waitForURL(`**/block/${block - 1}`)
    await page.goto(`${dashboard.network.url}/block/999999999`)
    await see(page, 'Block 999999999 does not exist')
    await page.goto(`${dashboard.network.url}/address/0x12`)
    await see(page, 'Enter 0x and 40 hex digits')
  })

  it('shows what a transaction said and did', async () => {
    const { trade } = story
    const page = await dashboard.open(`/tx/${trade}`)
    await see(page, 'succeeded')
    await page
      .getByRole('heading', { level: 1, name: /^(Swap|Call 0x\w+) .* GOLD → .* USDS$|USDS → .* GOLD$/ })
      .waitFor()
    // Calls, events and writes in the order in which they happened.
    const trace = page.getByRole('list', { name: 'Calls' })
    await trace.getByText('EVENT').first().waitFor()
    const kinds = (await trace.textContent())?.match(/CALL|WRITE|EVENT/g)
    expect(kinds?.slice(0, 5)).toEqual(['CALL', 'CALL', 'WRITE', 'WRITE', 'EVENT'])
    await trace.getByText('reserve0').waitFor()
    // What a pool swaps is not in the unit of the pool's own token.
    await trace
      .getByText(/ USDS\)/)
      .first()
      .waitFor()
    expect(await trace.textContent()).not.toContain('SPS')
    await page.getByText('Hash, input, fees and nonce').click()
    await page.getByText(trade).waitFor()
    await page.getByRole('tab', { name: /Events/ }).click()
    await page.getByText('Transfer', { exact: true }).first().waitFor()
    await page.waitForURL(/tab=logs/)
    await page.reload()
    await page.getByText('Transfer', { exact: true }).first().waitFor()
  })

  it('keeps notes on transactions, which other pages see', async () => {
    const { trade } = story
    const page = await dashboard.open(`/tx/${trade}`)
    const other = await dashboard.open('/transactions')
    const row = other.getByRole('listitem').filter({ has: other.locator(`a[href="/tx/${trade}"]`) })
    await row.waitFor()
    expect(await other.getByRole('img', { name: /^Note/ }).count()).toBe(0)
    await page.bringToFront()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByLabel('Text').fill('<b>The swap</b>\nthat moved the price')
    await page.getByRole('button', { name: 'Save note' }).click()
    await see(page, '<b>The swap</b>')
    await row.getByRole('img', { name: 'Note: <b>The swap</b> that moved the price' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Edit note' }).click()
    await page.getByLabel('Text').fill('The last swap')
    await page.getByRole('button', { name: 'Save note' }).click()
    await row.getByRole('img', { name: 'Note: The last swap' }).waitFor()
    await page.getByRole('button', { name: 'Remove note' }).click()
    await row.getByRole('img').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row.getByRole('img', { name: 'Note: The last swap' }).waitFor()
  })

  it('runs a transaction again with other input', { timeout: 120_000 }, async () => {
    const { trade } = story
    // The token that the pool calls has the error of the failure, and the pool has not.
    const { contracts } = await dashboard.network.rpc<{ contracts: { projectContractId: string }[] }>(
      'dev_importContracts',
      { contracts: [await importedSample('Token', 'Token')] },
    )
    const page = await dashboard.open(`/tx/${trade}`)
    await page.getByRole('link', { name: 'Simulate again' }).click()
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('The call succeeds').waitFor()
    await result.getByText(/^succeeds$/).waitFor()
    await result.getByText('Balance changes by address').waitFor()
    await page.getByLabel('From', { exact: true }).fill('0x00000000000000000000000000000000000000c6')
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await result.getByText(/^reverts$/).waitFor()
    await result
      .getByText(/^InsufficientAllowance\(/)
      .first()
      .waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await dashboard.network.rpc('dev_removeImportedContract', contracts[0]?.projectContractId)
  })

  it('lists blocks and transactions, and goes on before the fork', async () => {
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
    // Filters are in the address of the page, and kept under a name.
    await page.getByLabel('Status').selectOption('Failed')
    await page.waitForURL(/status=failed/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Involves').fill(sample.priceFeed)
    await see(page, 'No such transaction')
    await page.getByLabel('Involves').fill(sample.pool)
    await page.getByLabel('Status').selectOption('Succeeded')
    const rows = page.getByRole('list', { name: 'Transactions', exact: true }).getByRole('listitem')
    await rows.filter({ hasText: 'swap' }).first().waitFor()
    expect(await rows.filter({ hasText: 'approve' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Trades')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.goto(`${dashboard.network.url}/transactions`)
    await rows.filter({ hasText: 'approve' }).first().waitFor()
    await page.getByLabel('Saved views').selectOption('Trades')
    await page.waitForURL(new RegExp(`address=${sample.pool}&status=success`))
    await rows.filter({ hasText: 'approve' }).first().waitFor({ state: 'detached' })
    expect(await page.getByLabel('Involves').inputValue()).toBe(sample.pool)
    await page.getByRole('button', { name: 'Remove view' }).click()
    await page.getByLabel('Saved views').waitFor({ state: 'detached' })
    await page.goto(`${dashboard.network.url}/blocks`)
    await page.getByRole('list', { name: 'Blocks' }).getByRole('listitem').first().waitFor()
  })

  it('knows the contracts of the sample chain', async () => {
    const page = await dashboard.open(`/address/${sample.priceFeed}?tab=contract`)
    await page.getByRole('button', { name: /^latestRoundData/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByTestId('answer').getByText('updatedAt').waitFor()
  })

  it('reads a function, and sends one', async () => {
    const { sender } = story
    const page = await dashboard.open(`/address/${sample.gold}?tab=contract`)
    await page.getByRole('button', { name: /^balanceOf/ }).click()
    await page.getByLabel('account').fill(sender)
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByTestId('answer').getByText('GOLD', { exact: true }).waitFor()
    await page.waitForURL(/fn=0x70a08231/)
    await page.reload()
    await page.getByLabel('account').fill('nobody')
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await see(page, /"nobody" is not an address/)

    await page.getByRole('button', { name: /^transfer\(/ }).click()
    await page.getByLabel('recipient').fill('0x00000000000000000000000000000000000000c7')
    await page.getByPlaceholder('1.5 GOLD or 1000').fill('1.5 SILVER')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await see(page, 'Enter 1000, 0x3e8, 1.5e18 or 1.5 GOLD')
    await page.getByLabel('amount').fill('1.5 gold')
    await see(page, 'uint256 · 1.5 GOLD')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('status').getByRole('link').click()
    const trace = page.getByRole('list', { name: 'Calls' })
    await trace
      .getByText(/1\.5 GOLD\)/)
      .first()
      .waitFor()
    await page.goBack()
    await page.getByLabel('recipient').fill('0x00000000000000000000000000000000000000c7')
    await page.getByLabel('amount').fill('1e30')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await see(page, /Reverted/)
  })

  it('shows the line that failed, and what the contract logged', async () => {
    const { rpc } = dashboard.network
    const { abi, bytecode, deployedBytecode } = artifacts.Talker
    const lines = { files: ['src/Talker.sol'], functions: ['Talker.fail'], runtime: `0:25:0:-${';'.repeat(2000)}` }
    const source = `${'\n'.repeat(24)}        revert("the line");\n`
    const contract = {
      ...{ name: 'Talker', abi: JSON.stringify(abi), bytecode: deployedBytecode, deployedBytecode, lines },
      ...{ sourcePath: 'src/Talker.sol', source },
    }
    await rpc('dev_importContracts', { contracts: [contract] })
    const [from] = await rpc<string[]>('eth_accounts')
    const created = await rpc<string>('eth_sendTransaction', { from, data: bytecode })
    const { contractAddress: to } = await rpc<{ contractAddress: string }>('eth_getTransactionReceipt', created)
    const data = encodeFunctionData({ abi, functionName: 'fail' })
    const hash = await rpc<string>('eth_sendTransaction', { from, to, data, gas: '0x30000' })
    const page = await dashboard.open(`/tx/${hash}`)
    await see(page, 'Reverted: no')
    const trace = page.getByRole('list', { name: 'Stack trace' })
    expect(await trace.textContent()).toBe('atTalker.failsrc/Talker.sol:25')
    await see(page, /sent by 0x/)
    await page.getByRole('tab', { name: 'Gas' }).click()
    const rows = page.getByRole('row', { name: /Talker\.fail src\/Talker\.sol:25/ })
    await rows.first().waitFor()
    await page.getByRole('tab', { name: 'Debug' }).click()
    const status = page.getByRole('status').getByText(/^Operation/)
    const begin = await status.textContent()
    await page.locator('li[aria-current=step]').getByText('revert', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next revert' }).click()
    await see(page, /^Fails here/)
    expect(await status.textContent()).not.toBe(begin)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expect.poll(() => status.textContent()).toBe(begin)
  })

  it('shows a transaction of the live chain whose type a later fork brings, with its frames or its type', async () => {
    const sender: Hex = `0x${'dd'.repeat(20)}`
    const [frames, strange] = [`0x${'06'.repeat(32)}`, `0x${'5f'.repeat(32)}`]
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sender, 5n] })
    const frame = { flags: '0x0', limits: { execution: '0xc350', state: '0x64' }, value: '0x0', target: sample.gold }
    const fields = {
      [frames]: {
        ...{ type: '0x6', chainId: '0x1', nonce: '0x3', sender, from: sender },
        frames: [
          { ...frame, mode: '0x1', flags: '0x3', target: '0x', data: '0x1234' },
          { ...frame, mode: '0x2', data },
        ],
        signatures: [{ scheme: '0x1', signer: '0x', msg: '0x', signature: `0x00${'11'.repeat(64)}` }],
        ...{ maxPriorityFeePerGas: '0x1', maxFeePerGas: '0x2' },
      },
      [strange]: { type: '0x5f' },
    }
    const live = await startShapedChain({
      anvil: {},
      missing: ['debug_traceTransaction'],
      answer: ({ method, params }) => {
        const hash = String(params?.[0])
        const position = { hash, blockNumber: '0x0', blockHash: hash, transactionIndex: '0x0' }
        if (!fields[hash]) return undefined
        if (method === 'eth_getTransactionByHash') return { result: { ...position, ...fields[hash] } }
        const receipt = { ...position, transactionHash: hash, gasUsed: '0x5208', effectiveGasPrice: '0x1', logs: [] }
        return method === 'eth_getTransactionReceipt' ? { result: receipt } : undefined
      },
    })
    const network = await startUnderstudy(['--fork-url', live.url, '--ephemeral'])
    try {
      const page = await dashboard.open('/')
      await page.goto(`${network.url}/tx/${frames}`)
      await page.getByRole('heading', { name: 'Transaction of 2 frames' }).waitFor()
      const rows = page.getByRole('list', { name: 'Frames' }).getByRole('listitem')
      await rows.getByText('may approve execution and payment').waitFor()
      await rows.getByText('transfer', { exact: true }).waitFor()
      await rows.getByText('50,000 gas, 100 for state').first().waitFor()
      await page.getByRole('list', { name: 'Signatures' }).getByText('secp256k1').waitFor()
      await see(page, 'These fields do not give the hash of the transaction')
      await page.goto(`${network.url}/tx/${strange}`)
      await page.getByRole('heading', { name: 'Transaction of type 0x5f' }).waitFor()
      await see(page, 'in a block')
    } finally {
      await network.end()
      await live.stop()
    }
  })

  it('says why a transaction differs from the same on the live chain, and from another', async () => {
    const { trade } = story
    const page = await dashboard.open(`/tx/${trade}?tab=compare`)
    await see(page, /^The first value that differs is read by/)
    const writers = page.getByRole('region', { name: 'Who wrote it on this network' }).getByRole('listitem')
    await writers.first().getByRole('link').first().waitFor()
    await page.getByRole('button', { name: 'No overrides' }).click()
    await see(page, 'Both run the same operations with the same values.')
    expect(new URL(page.url()).searchParams.get('with')).toBe('plain')
    await page.getByRole('button', { name: 'Another block' }).click()
    const block = page.getByLabel('Number of the block on whose state its call runs')
    await block.fill('0x12')
    await see(page, 'Expected the number of a block')
    await block.fill('1')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await see(page, 'Its call on block 1')
    await see(page, 'Why they differ')
    await page.getByRole('button', { name: 'Another transaction' }).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).waitFor()
    await page.getByLabel('Hash of the other transaction').fill('0x12')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await see(page, 'Expected the hash of a transaction')
    await page.getByLabel('Hash of the other transaction').fill(trade)
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await see(page, 'Both run the same operations with the same values.')
  })

  it('lists the transactions of an address', async () => {
    const { rpc } = dashboard.network
    const [from] = await rpc<string[]>('eth_accounts')
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sample.pool, 0n] })
    const hash = await rpc<string>('eth_sendTransaction', { from, to: sample.gold, data })
    const page = await dashboard.open(`/address/${from}`)
    const row = page.locator('div.grid').filter({ has: page.locator(`a[href="/tx/${hash}"]`) })
    await row.last().getByText('transfer', { exact: true }).first().waitFor()
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

  it('adds the network to a wallet, which then signs for its account', { timeout: 120_000 }, async () => {
    const { rpc, url } = dashboard.network
    const page = await dashboard.open('/settings')
    await see(page, 'No wallet found in this browser')
    const wallet = await installWallet(page)
    const chainId = await rpc<Hex>('eth_chainId')
    const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Wallet' }) })
    const row = panel.getByRole('listitem').filter({ hasText: 'Fox' })
    wallet.rejects = true
    await row.getByRole('button', { name: 'Add this network' }).click()
    await row.getByRole('alert').getByText('The request was rejected in Fox.').waitFor()
    wallet.rejects = false
    await row.getByRole('button', { name: 'Add this network' }).click()
    await see(page, 'Network added to Fox')
    expect([...wallet.urls]).toEqual([[chainId, url]])
    await row.getByRole('button', { name: 'Connect' }).click()
    await row.getByText('connected', { exact: true }).waitFor()

    // It is connected on the next visit, too, and used as sender. It changes to the chain of the network.
    wallet.chainId = '0x1'
    await rpc('dev_setBalance', wallet.account, '1000000000000000000')
    await rpc('dev_setERC20Balance', wallet.account, sample.gold, '100')
    await page.goto(`${url}/address/${sample.gold}?tab=contract&fn=0xa9059cbb`)
    await see(page, 'signed by Fox')
    await page.getByLabel('recipient').fill('0x00000000000000000000000000000000000000d1')
    await page.getByLabel('amount').fill('7')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    wallet.rejects = true
    await send.click()
    await see(page, 'Nothing was changed or sent')
    wallet.rejects = false
    await send.click()
    const link = page.getByRole('status').getByRole('link')
    const refusal = page.getByRole('alert')
    await link.or(refusal).first().waitFor()
    expect(await refusal.allTextContents()).toEqual([])
    const hash = (await link.getAttribute('href'))?.split('/').at(-1)
    expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ from: wallet.account.toLowerCase(), chainId })
    expect(await rpc('dev_getImpersonatedAccounts')).not.toContain(wallet.account.toLowerCase())
    expect(wallet.chainId).toBe(chainId)

    // The simulator sends all calls with it. A wallet that reaches another chain of this id gets nothing to sign.
    const call = { from: wallet.account, to: '0x00000000000000000000000000000000000000d2', value: '0.1' }
    const scenario = JSON.stringify({ calls: [call, { ...call, value: '0.2' }] })
    await page.goto(`${url}/simulate?${new URLSearchParams({ s: scenario })}`)
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    const other = await startAnvil({ chainId: Number(chainId) })
    wallet.urls.set(chainId, other.url)
    await page.getByRole('button', { name: 'Send all 2' }).click()
    await see(page, /^Fox uses another network with the chain ID/)
    await other.stop()
    wallet.urls.set(chainId, url)
    await page.getByRole('button', { name: 'Send all 2' }).click()
    await page.getByRole('status').getByRole('link').nth(1).waitFor()
    expect(BigInt(await rpc<Hex>('eth_getBalance', call.to, 'latest'))).toBe(3n * 10n ** 17n)
    await page.close()

    const older = await dashboard.open('/settings')
    await installWallet(older, 'injected')
    await older.getByText('Browser wallet', { exact: true }).waitFor()
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
    await page.getByRole('button', { name: 'Raw slots' }).click()
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
    await page.goto(`${dashboard.network.url}/address/${sample.pool}?tab=state&view=slots`)
    const row = page.locator('li').filter({ hasText: /^3/ })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await row.getByRole('button', { name: 'Follow', disabled: false }).count()).toBe(0)
    answer()
    await row.getByRole('button', { name: 'Follow' }).click()
    await row.getByText('followed', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Unfollow' }).click()
    await row.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  })

  it('simulates calls in turn with other state, shares them by a link, and sends them', {
    timeout: 120_000,
  }, async () => {
    const { rpc } = dashboard.network
    const [from, to, third] = ['e1', 'e2', 'e3'].map((end) => `0x${'0'.repeat(38)}${end}`) as [string, string, string]
    const page = await dashboard.open('/')
    await page.getByRole('link', { name: 'Simulate' }).first().click()
    const simulate = page.getByRole('button', { name: 'Simulate', exact: true })
    await page.getByLabel('From', { exact: true }).fill(from)
    await page.getByLabel('To', { exact: false }).first().fill(to)
    await page.getByLabel('Value').first().fill('1.25')
    await page.getByRole('button', { name: 'Add call' }).click()
    await page.getByLabel('From', { exact: true }).nth(1).fill(to)
    await page.getByLabel('To', { exact: false }).nth(1).fill(third)
    await page.getByLabel('Value').nth(1).fill('zero')
    await simulate.click()
    await see(page, /Call 2, "zero" is not an amount/)
    // The second call spends what the first one brings, and the first one what the override gives.
    await page.getByLabel('Value').nth(1).fill('0.75')
    await page.getByRole('button', { name: 'Add state override' }).click()
    await page.getByLabel('Address', { exact: true }).fill(from)
    await page.getByLabel('Balance').fill('2')
    await simulate.click()
    await see(page, 'Every call succeeds')
    await see(page, '+0.75 ETH')
    const link = await page.evaluate(() => location.href)
    await page.goto('about:blank')
    await page.goto(link)
    await simulate.click()
    await see(page, '+0.75 ETH')
    // Each call has a page of its own, which says the same.
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const [saved] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .getByRole('status')
        .getByRole('link', { name: 'Call 2' })
        .click({ modifiers: ['ControlOrMeta'] }),
    ])
    await saved.waitForURL(/\/simulation\//)
    await see(saved, 'The call succeeds')
    await see(saved, '+0.75 ETH')
    await saved.getByRole('button', { name: 'Share', exact: true }).click()
    await saved.getByText('shared', { exact: true }).waitFor()
    await saved.close()
    // On another order, the first call has nothing to spend.
    await page.getByRole('button', { name: 'Move call 2 up' }).click()
    await simulate.click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Move call 1 down' }).click()
    await simulate.click()
    await rpc('dev_setBalance', from, String(2n * 10n ** 18n))
    await page.getByRole('button', { name: 'Send all 2' }).click()
    await page.getByRole('status').getByRole('link').nth(1).waitFor()
    expect(BigInt(await rpc<string>('eth_getBalance', third, 'latest'))).toBe(75n * 10n ** 16n)
  })

  it('says why a simulated call differs without overrides, on another block, and from a transaction', async () => {
    const { trade } = story
    const page = await dashboard.open(`/simulate?tx=${trade}`)
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await page.getByRole('button', { name: 'No overrides' }).click()
    await see(page, 'Alone, without overrides')
    await see(page, 'Both run the same operations with the same values.')
    await page.getByRole('button', { name: 'Another block' }).click()
    const block = page.getByLabel('Number of the block on whose state it runs')
    await block.fill('first')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await see(page, 'Expected the number of a block')
    await block.fill('1')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await see(page, 'On block 1')
    await see(page, 'Why they differ')
    await page.getByRole('button', { name: 'A transaction', exact: true }).click()
    await page.getByLabel('Hash of the transaction').fill(trade)
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await see(page, 'Why they differ')
    await page
      .getByRole('link', { name: trade.slice(0, 6), exact: false })
      .first()
      .waitFor()
  }, 120_000)

  it('fills in the simulator from the form of a function, and from no hostile link', { timeout: 120_000 }, async () => {
    const { sender } = story
    const page = await dashboard.open(`/address/${sample.gold}?tab=contract&fn=0xa9059cbb`)
    await page.getByLabel('recipient').fill(sample.pool)
    await page.getByLabel('amount').fill('1e30')
    await page.getByRole('link', { name: 'Simulate', exact: true }).last().click()
    await page.waitForURL(/simulate\?s=/)
    expect(await page.getByLabel(/^recipient/).inputValue()).toBe(sample.pool)
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(sender)
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await page.getByRole('status').getByRole('link').click()
    await see(page, /^reverted$/)
    // What a wallet shows fills it in, too.
    await page.goto(`${dashboard.network.url}/simulate`)
    await page.getByRole('button', { name: 'Paste a transaction' }).click()
    await page.getByLabel('Transaction', { exact: true }).fill(JSON.stringify([{ from: 'alice' }]))
    await page.getByRole('button', { name: 'Fill in' }).click()
    await see(page, /has neither to nor data/)
    const shown = { from: sender, to: sample.gold, value: '0x0', data: `0xa9059cbb${'0'.repeat(128)}` }
    await page
      .getByLabel('Transaction', { exact: true })
      .fill(JSON.stringify({ method: 'eth_sendTransaction', params: [shown] }))
    await page.getByRole('button', { name: 'Fill in' }).click()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(sender)
    await page.getByLabel(/^recipient/).waitFor()
    const calls = Array.from({ length: 300 }, () => ({ from: 'javascript:alert(1)', args: [{ toString: 1 }] }))
    const hostile = JSON.stringify({
      calls: calls.slice(0, 60),
      block: {},
      accounts: [null],
      header: '<img onerror=x>',
    })
    await page.goto(`${dashboard.network.url}/simulate?${new URLSearchParams({ s: hostile })}`)
    await page.getByRole('heading', { name: 'Call 50', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await see(page, 'Enter an address')
  })
})
