import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFoundryProject, deployContract, type FoundryProject, startUnderstudy } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../runCommand.ts'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { forecastPath, forecastSource, lineOf } from './sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'understudy-forecast-'))
const file = (name: string) => join(folder, name)
const run = (url: string, ...args: string[]) => runCommand(['forecast', '--rpc-url', url, ...args], folder).ended
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('understudy forecast', () => {
  let network: TestNetwork
  let project: FoundryProject
  const at: Record<string, Address> = {}
  const artifact = (name: string): { abi: Abi; bytecode: Hex } => {
    const path = join(project.directory, 'out', 'Treasury.sol', `${name}.json`)
    const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8'))
    return { abi, bytecode: bytecode.object }
  }
  const send = (to: string, functionName: string, args: unknown[], value = '0x0') =>
    network.rpc('eth_sendTransaction', {
      from: network.client.account.address,
      to: at[to],
      data: encodeFunctionData({ abi: artifact(to).abi, functionName, args }),
      gas: numberToHex(1_000_000),
      value,
    })

  beforeAll(async () => {
    ;[network, project] = await Promise.all([
      startNetwork({ hardfork: 'osaka' }),
      createFoundryProject({ [forecastPath]: forecastSource }),
    ])
    await project.run('forge', 'build', '--build-info')
    for (const name of ['Ledger', 'Treasury', 'Relay', 'Payee', 'Quotes'])
      at[name] = await deployContract(network.client, artifact(name) as never, name === 'Payee' ? [at.Ledger] : [])
    await send('Treasury', 'deposit', [at.Payee], '0x64')
    await send('Payee', 'claim', [at.Treasury, 10n])
    await send('Relay', 'relay', [at.Ledger, 1n])
    await send('Quotes', 'quote', [5n])
  })
  afterAll(async () => {
    await network?.stop()
    await project?.stop()
  })

  it('names contract, function, line and cause of what breaks in a Foundry project', async () => {
    const files = ['--markdown', file('forecast.md'), '--report', file('forecast.json')]
    const { code, stdout, stderr } = await run(
      network.url,
      '--contracts',
      project.directory,
      '--blocks',
      '7d',
      ...files,
    )
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const withdraw = `${forecastPath}:${lineOf('withdraw')} in Treasury.withdraw gives no more than the 2300 gas of a transfer`
    const relay = `${forecastPath}:${lineOf('relay')} in Relay.relay gives a fixed amount of gas, 40000, which is too little`
    expect(stdout).toContain(`Treasury withdraw(uint256): ${withdraw}`)
    expect(stdout).toContain(`Relay relay(address,uint256): ${relay}`)
    expect(stdout).toMatch(/Quotes +quote\(uint256\) +fine +1 +0 +0 +0 +0/)
    expect(stdout).toMatch(/May break: 22.22 %, in the study 0.29 % \(EIP-8037\) and 0.33 % \(EIP-8038\)/)
    const markdown = readFileSync(file('forecast.md'), 'utf8')
    expect(markdown).toContain(`- **Treasury** withdraw(uint256): ${withdraw}`)
    expect(markdown).toContain('| may break | 2 | 22.22 % | 0.29 % | 0.33 % |')
    const { functions, transactions } = JSON.parse(readFileSync(file('forecast.json'), 'utf8'))
    expect(transactions).toBe(9)
    expect(functions.map(({ contract }: { contract: string }) => contract)).toContain('Quotes')
  })

  it('takes the contracts of a file or of workspaces, and says what none of the transactions calls', async () => {
    writeFileSync(file('contracts.txt'), `# mine\n${at.Quotes}\n0x${'5a'.repeat(20)}\n`)
    const quotes = await run(network.url, '--contracts', file('contracts.txt'), '--blocks', '2')
    expect(quotes).toMatchObject({ code: 0, stderr: '' })
    expect(quotes.stdout).toContain(`calls 1 of the contracts: 0x${'5a'.repeat(20)}`)
    await network.rpc('dev_addWorkspace', {
      name: 'Relay of mine',
      address: at.Relay,
      abi: JSON.stringify(artifact('Relay').abi),
    })
    const own = await run(network.url, '--contracts', 'workspaces', '--json', '--blocks', '64')
    expect(JSON.parse(own.stdout)).toMatchObject({ fails: expect.any(Number) })
    writeFileSync(file('names.json'), JSON.stringify(['Relay of mine', at.Quotes]))
    expect(JSON.parse((await run(network.url, '--contracts', file('names.json'), '--json')).stdout).fails).toBe(1)
  })

  it('ends with 2 where it cannot say', async () => {
    writeFileSync(
      file('many.json'),
      JSON.stringify(Array.from({ length: 10_000 }, (_, index) => numberToHex(index, { size: 20 }))),
    )
    writeFileSync(file('strange.json'), '{"transactions":[null,{"contractAddress":7}]}')
    const cases = [
      [['--contracts', file('many.json')], /has 10000 contracts, and a forecast takes at most 1000/],
      [['--contracts', file('strange.json')], /has no deployed contract/],
      [['--contracts', file('none')], /there is no file or folder/],
      [['--blocks', 'always'], /--blocks/],
      [['--hardfork', 'frontier'], /hardfork/],
      [['--rpc-url', 'http://127.0.0.1:9'], /no network answers/],
    ] as const
    for (const [args, problem] of cases) {
      const { code, stderr } = await run(network.url, ...args)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(problem) })
    }
  })
})

it('forecasts the traffic of the sample chain', async () => {
  const { url, end } = await startUnderstudy(['--ephemeral'])
  const { code, stdout, stderr } = await run(url, '--blocks', '1..40', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ hardfork: 'amsterdam', fails: 0, stopped: null })
  expect(report.transactions).toBeGreaterThan(20)
  expect(report.functions).toContainEqual(
    expect.objectContaining({ contract: 'Pool', function: 'swap(address,uint256,uint256,address)' }),
  )
  await end()
})
