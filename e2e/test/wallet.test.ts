import { createUnderstudyClient } from '@understudy/client'
import { startNetwork } from '@understudy/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeDashboard } from '../src/dashboard.ts'
import { startReactPage, startWagmiPage, type WagmiPage } from '../src/wagmiPage.ts'

const whale = '0x00000000000000000000000000000000000000cc'
const friend = '0x00000000000000000000000000000000000a11ce'

/** What the page of wagmi puts on its window. */
type Provider = import('@understudy/wallet').UnderstudyProvider
type Wagmi = { wagmi: typeof import('@wagmi/core'); config: import('@wagmi/core').Config }

describeDashboard('the wallet of pages', (dashboard) => {
  let pageServer: WagmiPage
  let page: Page

  beforeAll(async () => {
    const { rpc, url } = dashboard.network
    await rpc('dev_setBalance', whale, '1000000000000000000')
    pageServer = await startWagmiPage(url, Number(await rpc('eth_chainId')))
  })
  afterAll(() => pageServer?.stop())

  async function openPage(url: string): Promise<Page> {
    // The tour of a first visit must not hide the answers.
    const opened = await dashboard.open('/wallet', { firstVisit: true })
    const next = await opened.context().newPage()
    await opened.close()
    next.setDefaultTimeout(20_000)
    await next.goto(url)
    return next
  }

  /** Starts an action of the page, which the prompt of the dashboard then answers. */
  async function prompted(act: () => Promise<unknown>, answer: (prompt: Page) => Promise<void>): Promise<unknown> {
    const [prompt, result] = [page.waitForEvent('popup'), act()]
    // Its failure is awaited below.
    result.catch(() => {})
    await answer(await prompt)
    return result
  }
  const press = (name: string) => async (prompt: Page) => {
    await prompt.getByRole('button', { name, exact: true }).click({ trial: true })
    expect(await prompt.getByRole('region', { name: 'Tour' }).count()).toBe(0)
    await prompt.getByRole('button', { name, exact: true }).click()
  }
  const connect = () =>
    page.evaluate(async () => {
      const { wagmi, config } = window as unknown as Wagmi
      const [connector] = config.connectors.filter(({ name }) => name === 'Understudy')
      if (!connector) throw new Error('no wallet was announced')
      const { accounts, chainId } = await wagmi.connect(config, { connector })
      return { accounts, chainId }
    })
  const send = () =>
    page.evaluate(async (to) => {
      const { wagmi, config } = window as unknown as Wagmi
      try {
        return await wagmi.sendTransaction(config, { to: to as `0x${string}`, value: 5n })
      } catch (error) {
        const { cause, message } = error as Error & { cause?: { code?: number } }
        return { code: cause?.code, message }
      }
    }, friend)

  it('connects wagmi to any account, sends, rejects, and approves always', { timeout: 120_000 }, async () => {
    const { rpc } = dashboard.network
    page = await openPage(pageServer.url)
    await page.waitForFunction(() => (window as unknown as Wagmi).config?.connectors.length > 0)

    const connected = await prompted(connect, async (prompt) => {
      await prompt.getByLabel(/^Account/).fill(whale)
      await prompt.getByText('wants to connect to an account').waitFor()
      await press('Approve')(prompt)
    })
    expect(connected).toMatchObject({ accounts: [whale], chainId: Number(await rpc('eth_chainId')) })

    expect(await prompted(send, press('Approve'))).toMatch(/^0x[\da-f]{64}$/)
    expect(Number(await rpc('eth_getBalance', friend, 'latest'))).toBe(5)
    expect(await prompted(send, press('Reject'))).toMatchObject({ code: 4001 })
    expect(Number(await rpc('eth_getBalance', friend, 'latest'))).toBe(5)

    // Asked for permissions again, the person chooses another account, and then the first one once more.
    const choose = (account: string) => {
      const asked = () =>
        page.evaluate(async () => {
          const { wagmi, config } = window as unknown as Wagmi
          const provider = (await wagmi.getConnection(config).connector?.getProvider()) as Provider
          await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
          return provider.request({ method: 'eth_accounts' })
        })
      return prompted(asked, async (prompt) => {
        await prompt.getByLabel(/^Account/).fill(account)
        await press('Approve')(prompt)
      })
    }
    expect(await choose(friend)).toEqual([friend])
    await page.waitForFunction((account) => {
      const { wagmi, config } = window as unknown as Wagmi
      return wagmi.getConnection(config).address?.toLowerCase() === account
    }, friend)
    expect(await choose(whale)).toEqual([whale])

    const message = page.evaluate(async () => {
      const { wagmi, config } = window as unknown as Wagmi
      const provider = (await wagmi.getConnection(config).connector?.getProvider()) as Provider
      const first = new Promise((resolve) => provider.on('message', resolve))
      const id = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
      await provider.request({ method: 'evm_mine' })
      return { id, message: await first }
    })
    expect(await message).toMatchObject({
      message: { type: 'eth_subscription', data: { result: { number: expect.stringMatching(/^0x/) } } },
    })

    const dashboardPage = await dashboard.open('/wallet')
    await press('Approve always')(dashboardPage)
    await dashboardPage.getByText('Requests are approved at once').waitFor()
    const status = await page.evaluate(async (to) => {
      const { wagmi, config } = window as unknown as Wagmi
      const calls = [
        { to: to as `0x${string}`, value: 1n },
        { to: to as `0x${string}`, value: 2n },
      ]
      const { id } = await wagmi.sendCalls(config, { calls, forceAtomic: true })
      const { atomic, statusCode } = await wagmi.waitForCallsStatus(config, { id })
      return { atomic, statusCode }
    }, friend)
    expect(status).toEqual({ atomic: true, statusCode: 200 })
    expect(Number(await rpc('eth_getBalance', friend, 'latest'))).toBe(8)

    // The page stays connected when it is loaded again.
    await page.reload()
    await page.waitForFunction(() => (window as unknown as Wagmi).config?.connectors.length > 0)
    const again = await page.evaluate(async () => {
      const { wagmi, config } = window as unknown as Wagmi
      await wagmi.reconnect(config)
      return wagmi.getConnection(config).address
    })
    expect(again?.toLowerCase()).toBe(whale)
  })

  it('connects a React app by its connector, and switches to another running network', {
    timeout: 120_000,
  }, async () => {
    const { rpc, url } = dashboard.network
    const first = Number(await rpc('eth_chainId'))
    const other = await startNetwork({ accounts: 1, chainId: 4242 })
    const app = await startReactPage([
      { id: first, url },
      { id: 4242, url: other.url },
      { id: 4243, url: other.url },
    ])
    try {
      await rpc('dev_setWalletApproval', false)
      page = await openPage(app.url)
      const shows = (text: string) => page.getByText(text).waitFor()
      await shows('wallets: Understudy')
      const prompted = async (name: string, answer: (prompt: Page) => Promise<void>) => {
        const prompt = page.waitForEvent('popup')
        await press(name)(page)
        await answer(await prompt)
      }
      await prompted('Connect', async (prompt) => {
        await prompt.getByLabel(/^Account/).fill(whale)
        await press('Approve')(prompt)
      })
      await shows(`connected ${whale} on ${first}`)
      await prompted('Send', press('Reject'))
      await shows('User rejected the request')

      await prompted('Use 4242', press('Reject'))
      await shows(`connected ${whale} on ${first}`)
      await prompted('Use 4242', press('Approve'))
      const client = createUnderstudyClient({ url: other.url })
      const [funded = ''] = await client.getAddresses()
      await page.getByText(new RegExp(`connected ${funded} on 4242`, 'i')).waitFor()
      await prompted('Send', press('Approve'))
      await shows('receipt: success')
      expect(await client.getBalance({ address: friend })).toBe(5n)
      // No running network has this chain id.
      await press('Use 4243')(page)
      await shows('Unrecognized chain 0x1093')

      await page.reload()
      await page.getByText(new RegExp(`connected ${funded} on 4242`, 'i')).waitFor()
      await press(`Use ${first}`)(page)
      await shows(`connected ${whale} on ${first}`)
      await press('Disconnect')(page)
      await shows('disconnected')
    } finally {
      await app.stop()
      await other.stop()
    }
  })

  it('is refused to a page of another site, and to one that loads it without its origin', async () => {
    const { url } = dashboard.network
    const status = (headers: Record<string, string>) =>
      fetch(`${url}/wallet.js`, { headers }).then((response) => response.status)
    expect(await status({ origin: 'https://evil.example' })).toBe(403)
    expect(await status({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403)
    expect(await status({ origin: pageServer.url })).toBe(200)
  })
})
