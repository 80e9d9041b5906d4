import { browserPath, launchBrowser, withoutTour } from '../src/browser.ts'
import { measureCpu } from '../src/firstView.ts'
import { startSampleNetwork } from '../src/startSampleNetwork.ts'

// What the network page costs while nobody uses it: npm run idle -w e2e -- [SECONDS]

const settleMs = 10_000

async function main([seconds = '30']: readonly string[]): Promise<void> {
  if (!browserPath) throw new Error('No chromium is here: npm run install-browser -w e2e')
  const network = await startSampleNetwork()
  const browser = await launchBrowser()
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const upstreamRequests = async () => {
    const { methods } = await network.rpc<{ methods: Record<string, { requests: number }> }>('dev_getUpstreamUsage')
    return Object.values(methods).reduce((sum, { requests }) => sum + requests, 0)
  }
  const during = async () => {
    const before = await upstreamRequests()
    await wait(1000 * Number(seconds))
    return (await upstreamRequests()) - before
  }
  try {
    await wait(settleMs)
    const without = await during()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await withoutTour(context)
    const page = await context.newPage()
    await page.goto(network.url)
    await wait(settleMs)
    const cpu = await measureCpu(page)
    const withPage = await during()
    const share = (await cpu()) / (10 * Number(seconds))
    process.stdout.write(`Idle network page: ${share.toFixed(1)} % of a core on its main thread\n`)
    process.stdout.write(`Upstream requests in ${seconds} s: ${without} without a page, ${withPage} with it\n`)
  } finally {
    await browser.close()
    await network.stop()
  }
}

await main(process.argv.slice(2))
