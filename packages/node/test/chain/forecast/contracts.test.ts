import type { Result } from '@understudy/client/methods'
import { deployContract } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../../compileSource.ts'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { forecastPath, forecastSource, lineOf } from './sources.ts'

type Forecast = Result<'dev_forecast'>

const compiled = compileSource(forecastPath, forecastSource)

describe('a forecast of contracts', () => {
  let network: TestNetwork
  const at: Record<string, Address> = {}
  const send = (to: string, functionName: string, args: unknown[], request: object = {}) =>
    network.rpc<Hex>('eth_sendTransaction', {
      from: network.client.account.address,
      to: at[to],
      data: encodeFunctionData({ abi: compiled[to]?.abi as Abi, functionName, args }),
      gas: numberToHex(1_000_000),
      ...request,
    })
  const forecast = (request: object = {}) =>
    network.rpc<Forecast>('dev_forecast', { hardfork: 'amsterdam', blocks: 64, ...request })
  const functionOf = ({ functions }: Forecast, name: string) =>
    functions.find((each) => `${each.contract}.${each.function.split('(')[0]}` === name)

  beforeAll(async () => {
    network = await startNetwork({ hardfork: 'osaka' })
    const contracts = Object.values(compiled).map(({ imported }) => imported)
    await network.rpc('dev_importContracts', { contracts })
    for (const name of ['Ledger', 'Treasury', 'Relay', 'Payee', 'Quotes'])
      at[name] = await deployContract(network.client, compiled[name] as never, name === 'Payee' ? [at.Ledger] : [])
    await send('Treasury', 'deposit', [at.Payee], { value: '0x64' })
    await send('Payee', 'claim', [at.Treasury, 10n])
    await send('Relay', 'relay', [at.Ledger, 1n])
    await send('Relay', 'attempt', [at.Ledger, 2n], { gas: numberToHex(90_000) })
    await send('Ledger', 'add', [5n])
    await send('Quotes', 'quote', [5n])
  })
  afterAll(() => network?.stop())

  it('names the line of a call whose 2300 gas are too little', async () => {
    const found = await forecast({ addresses: [at.Treasury] })
    expect(functionOf(found, 'Treasury.withdraw')).toMatchObject({
      transactions: 1,
      fails: 1,
      findings: [
        {
          effect: 'fails',
          cause: 'stipend',
          reason: 'out of gas',
          gas: '4600',
          transactions: 1,
          location: {
            contract: 'Treasury',
            function: 'Treasury.withdraw',
            file: forecastPath,
            line: lineOf('withdraw'),
            address: at.Treasury,
          },
        },
      ],
    })
    expect(functionOf(found, 'Treasury.deposit')).toMatchObject({ transactions: 1, fails: 0, needsGas: 0 })
  })

  it('names the line that gives a fixed amount of gas', async () => {
    const { functions, fails } = await forecast({ addresses: [at.Relay] })
    expect(fails).toBe(1)
    expect(functionOf({ functions } as Forecast, 'Relay.relay')).toMatchObject({
      fails: 1,
      findings: [
        {
          effect: 'fails',
          cause: 'fixed gas',
          gas: '40000',
          location: { function: 'Relay.relay', file: forecastPath, line: lineOf('relay') },
        },
      ],
    })
  })

  it('names the line of a call that gets too little because of the rule of 63/64', async () => {
    const found = await forecast({ addresses: [at.Relay] })
    expect(functionOf(found, 'Relay.attempt')).toMatchObject({
      transactions: 1,
      fails: 0,
      needsGas: 1,
      findings: [{ effect: 'needs gas', cause: '63/64', location: { line: lineOf('attempt') } }],
    })
  })

  it('names the line whose price rises where nothing breaks', async () => {
    const found = await forecast({ addresses: [at.Ledger] })
    expect(functionOf(found, 'Ledger.add')).toMatchObject({
      transactions: 1,
      fails: 0,
      needsGas: 0,
      costsMore: 1,
      findings: [{ effect: 'costs more', cause: 'price', location: { line: lineOf('total') } }],
    })
    // What it is called by fails, and it is the call that does.
    expect(functionOf(found, 'Ledger.record')).toMatchObject({ transactions: 2, fails: 1, needsGas: 1 })
  })

  it('finds nothing of a contract that is fine', async () => {
    expect(await forecast({ addresses: [at.Quotes] })).toMatchObject({
      transactions: 2,
      fails: 0,
      entries: [{ effect: 'needs gas' }],
      functions: [
        { function: 'constructor' },
        {
          function: 'quote(uint256)',
          transactions: 1,
          fails: 0,
          needsGas: 0,
          costsMore: 0,
          logsDiffer: 0,
          findings: [],
        },
      ],
    })
  })

  it('finds nothing by the rules of the chain itself', async () => {
    const found = await forecast({ hardfork: 'osaka' })
    expect(found).toMatchObject({ fails: 0, needsGas: 0, costsMore: 0, logsDiffer: 0, entries: [] })
    expect(found.functions.every(({ findings }) => findings.length === 0)).toBe(true)
  })

  it('names the line of a transfer whose 2300 gas are too little', async () => {
    const older = await startNetwork({ hardfork: 'prague' })
    const contracts = Object.values(compiled).map(({ imported }) => imported)
    await older.rpc('dev_importContracts', { contracts })
    for (const name of ['Treasury', 'Prover'])
      at[name] = await deployContract(older.client, compiled[name] as never, [])
    const call = (to: string, functionName: string, args: unknown[], value = '0x0') =>
      older.rpc<Hex>('eth_sendTransaction', {
        from: older.client.account.address,
        to: at[to],
        data: encodeFunctionData({ abi: compiled[to]?.abi as Abi, functionName, args }),
        gas: numberToHex(1_000_000),
        value,
      })
    await call('Treasury', 'deposit', [at.Prover], '0x64')
    const claim = await call('Prover', 'claim', [at.Treasury, 10n])
    expect(await older.rpc('eth_getTransactionReceipt', claim)).toMatchObject({ status: '0x1' })
    const found = await older.rpc<Forecast>('dev_forecast', { hardfork: 'osaka', addresses: [at.Treasury] })
    expect(functionOf(found, 'Treasury.release')).toMatchObject({
      fails: 1,
      findings: [{ cause: 'stipend', gas: '2300', location: { line: lineOf('transfer'), file: forecastPath } }],
    })
    await older.stop()
  })

  it('takes blocks with logs first, and others, of a range that has more', async () => {
    expect(await forecast({ blocks: 2, fromBlock: 1, toBlock: 9 })).toMatchObject({
      blocks: 2,
      toBlock: 9,
      fromBlock: 4,
      transactions: 2,
    })
    await expect(forecast({ fromBlock: 9, toBlock: 3 })).rejects.toThrow(/fromBlock.*after the last block/)
    expect(await forecast({ fromBlock: 0, toBlock: '0xffffffffff', blocks: 1 })).toMatchObject({ blocks: 1 })
  })
})
