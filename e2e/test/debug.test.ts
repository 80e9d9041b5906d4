import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createFoundryProject,
  importedFiles,
  narrowLiquidity,
  swapAmount,
  swapLine,
  swapSource,
  wideLiquidity,
} from '@understudy/testkit'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'
import { drop } from '../src/drop.ts'

const path = 'src/Shop.sol'
const source = `pragma solidity ^0.8.20;

contract Shop {
    struct Sale { uint256 price; string item; }

    mapping(address => uint256) public spent;
    uint256 public sales;

    function buy(string calldata item, uint256 count) external returns (uint256 total) {
        Sale memory sale = Sale(25, item);
        total = discounted(sale, count);
        spent[msg.sender] += total;
        sales += 1;
    }

${'    // Far away.\n'.repeat(300)}
    function discounted(Sale memory sale, uint256 count) private pure returns (uint256 price) {
        uint256 full = sale.price * count;
        price = full - full / 10;
    }
}
`
const lineOf = (text: string) => source.split('\n').findIndex((line) => line.includes(text)) + 1

describeDashboard('the debugger of a transaction', (dashboard) => {
  it('shows the variables of each function on the way there and back, and watches some', async () => {
    const { rpc } = dashboard.network
    const [from] = (await rpc<Hex[]>('eth_accounts')) as [Hex]
    const project = await createFoundryProject({ [path]: source })
    try {
      await project.run('forge', 'build', '--build-info', '--extra-output', 'storageLayout')
      const page = await dashboard.open('/import')
      await page.getByTestId('drop').waitFor()
      await drop(page, '[data-testid=drop]', [project.directory])
      await see(page, '1 new')
      const artifact = JSON.parse(readFileSync(join(project.directory, 'out/Shop.sol/Shop.json'), 'utf8'))
      const abi: Abi = artifact.abi
      const created = await rpc<Hex>('eth_sendTransaction', { from, data: artifact.bytecode.object })
      const { contractAddress: to } = await rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', created)
      const data = encodeFunctionData({ abi, functionName: 'buy', args: ['tea', 4n] })
      const hash = await rpc<Hex>('eth_sendTransaction', { from, to, data, gas: '0x30000' })

      await page.goto(`${dashboard.network.url}/tx/${hash}?tab=debug`)
      const local = (name: string) =>
        page.getByRole('list', { name: 'Local variables' }).getByRole('listitem').filter({ hasText: name })
      const text = (name: string) => expect.poll(() => local(name).first().textContent())
      await text('count').toBe('count4')
      await text('item').toBe('itemtea')

      await page.getByRole('textbox', { name: /^Variable/ }).fill(`spent[${from}]`)
      await page.getByRole('button', { name: 'Watch', exact: true }).click()
      await page.getByRole('textbox', { name: /^Variable/ }).fill('sale.item')
      await page.getByRole('button', { name: 'Watch', exact: true }).click()
      const watch = (name: string) =>
        expect.poll(() => page.getByRole('list', { name: 'Watches' }).getByText(name).locator('..').textContent())
      await watch('spent').toContain(']0')

      const far = page.getByRole('button', { name: `Run to line ${lineOf('full / 10')}` })
      expect(await far.count()).toBe(0)
      await page
        .getByRole('region', { name: 'Source', exact: true })
        .evaluate((list) => list.scrollTo(0, list.scrollHeight))
      await far.click()
      await text('full').toBe('full100')
      await watch('sale.item').toBe('sale.itemtea')
      // Its caller.
      await page.getByRole('button', { name: 'Shop.buy' }).click()
      await text('total').toBe('total0')
      await page.getByRole('button', { name: 'Step out' }).click()
      await page.getByRole('button', { name: `Run to line ${lineOf('sales += 1')}` }).click()
      await text('total').toBe('total90')
      await watch('spent').toContain(']90')
      await page.getByRole('button', { name: 'Back', exact: true }).click()
      await watch('spent').toContain(']0')
    } finally {
      await project.stop()
    }
  }, 120_000)
})

const contracts = {
  'src/Swap.sol': swapSource,
  'remappings.txt': 'uniswap-v3-core/=lib/uniswap-v3-core/',
  ...Object.fromEntries(Object.entries(importedFiles()).map(([name, content]) => [`lib/${name}`, content])),
}

describeDashboard(
  'the debugger of a swap of Uniswap V3',
  (dashboard) => {
    it('shows its variables forward and back', { timeout: 120_000 }, async () => {
      const { rpc } = dashboard.network
      const [from] = (await rpc<Hex[]>('eth_accounts')) as [Hex]
      const project = await createFoundryProject(contracts)
      try {
        await project.run('forge', 'build', '--build-info', '--extra-output', 'storageLayout')
        const page = await dashboard.open('/import')
        await page.getByTestId('drop').waitFor()
        await drop(page, '[data-testid=drop]', [project.directory])
        await see(page, 'new')
        const artifactOf = (name: string) =>
          JSON.parse(readFileSync(join(project.directory, `out/Swap.sol/${name}.json`), 'utf8'))
        const send = (to: Hex | undefined, data: Hex) =>
          rpc<Hex>('eth_sendTransaction', { from, to, data, gas: '0x7a1200' })
        const deploy = async (name: string) => {
          const hash = await send(undefined, artifactOf(name).bytecode.object)
          return (await rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash)).contractAddress
        }
        const dataOf = (name: string, functionName: string, args: unknown[]) =>
          encodeFunctionData({ abi: artifactOf(name).abi as Abi, functionName, args })
        const pool = await deploy('Pool')
        const router = await deploy('Router')
        await send(pool, dataOf('Pool', 'provide', [6000, wideLiquidity]))
        await send(pool, dataOf('Pool', 'provide', [600, narrowLiquidity]))
        const token = await rpc<Hex>('eth_call', { to: pool, data: dataOf('Pool', 'token0', []) })
        await send(`0x${token.slice(26)}`, dataOf('Token', 'mint', [from, swapAmount]))
        const hash = await send(router, dataOf('Router', 'exactInput', [pool, swapAmount, 'for tea']))

        await page.goto(`${dashboard.network.url}/tx/${hash}?tab=debug`)
        const watch = (name: string) =>
          expect.poll(() => page.getByRole('list', { name: 'Watches' }).getByText(name).locator('..').textContent())
        const operation = () => page.getByRole('status').filter({ hasText: 'Operation' }).textContent()
        const press = async (name: string) => {
          const before = await operation()
          await page.getByRole('button', { name, exact: true }).click()
          await expect.poll(operation).not.toBe(before)
        }
        const runTo = (name: string) => press(`Run to line ${swapLine(name)}`)
        for (const name of ['amount', 'limit']) {
          await page.getByRole('textbox', { name: /^Variable/ }).fill(name)
          await page.getByRole('button', { name: 'Watch', exact: true }).click()
        }
        await watch('amount').toBe(`amount${swapAmount}`)
        await runTo('swaps')
        // Into the pool, whose lock is closed first.
        await press('Next write')
        while (!(await page.getByText(`Line ${swapLine('begins')}`, { exact: true }).isVisible()))
          await press('Step over')
        for (const name of ['slot0.tick', 'state.remaining']) {
          await page.getByRole('textbox', { name: /^Variable/ }).fill(name)
          await page.getByRole('button', { name: 'Watch', exact: true }).click()
        }
        await watch('slot0.tick').toBe('slot0.tick0')
        await runTo('target')
        await watch('state.remaining').toBe(`state.remaining${swapAmount}`)
        await runTo('crosses')
        await runTo('stores')
        await watch('slot0.tick').toBe('slot0.tick0')
        await runTo('after')
        await watch('state.remaining').toBe('state.remaining0')
        await watch('slot0.tick').not.toBe('slot0.tick0')
        await press('Back')
        await watch('slot0.tick').toBe('slot0.tick0')
      } finally {
        await project.stop()
      }
    })
  },
  { flags: ['--disable-code-size-limit'] },
)
