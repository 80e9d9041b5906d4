import { Writable } from 'node:stream'
import { artifacts, deployContract } from '@understudy/testkit'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../src/shared/logger.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Log = { address: Address; text: string; values: unknown }

const { Talker } = artifacts
const entries: { msg: string; transaction?: Hex }[] = []
let network: TestNetwork
let talker: Address
let sender: Address

const logger = createLogger(
  'info',
  new Writable({
    write(chunk, _, done) {
      entries.push(JSON.parse(String(chunk)))
      done()
    },
  }),
)
const printed = () => entries.filter(({ msg }) => msg.startsWith('console.log'))
const input = (functionName: 'fail' | 'halt' | 'look') => encodeFunctionData({ abi: Talker.abi, functionName })
const talk = (number: bigint) => encodeFunctionData({ abi: Talker.abi, functionName: 'talk', args: [number] })
const send = (data: Hex) => network.client.sendTransaction({ to: talker, data, gas: 200_000n })
const textsOf = async (...params: unknown[]) =>
  (await network.rpc<Log[]>('dev_getConsoleLogs', ...params)).map(({ text }) => text)

beforeAll(async () => {
  network = await startNetwork({}, { logger })
  sender = network.client.account.address
  talker = await deployContract(network.client, Talker)
})
beforeEach(() => entries.splice(0))
afterAll(() => network.stop())

it('prints and returns what a transaction logged', async () => {
  const hash = await send(talk(7n))
  expect(printed()).toMatchObject([
    { transaction: hash, msg: 'console.log: the number is 7' },
    { transaction: hash, msg: 'console.log: 7 true' },
  ])
  expect(await network.rpc('dev_getConsoleLogs', hash)).toEqual([
    {
      address: talker.toLowerCase(),
      text: 'the number is 7',
      values: [
        { type: 'string', value: 'the number is %d' },
        { type: 'uint256', value: '7' },
      ],
    },
    {
      address: talker.toLowerCase(),
      text: '7 true',
      values: [
        { type: 'uint256', value: '7' },
        { type: 'bool', value: 'true' },
      ],
    },
  ])
  const { calls } = await network.rpc<{ calls: unknown[] }>('dev_decodeTransaction', hash)
  expect(calls[1]).toMatchObject({
    type: 'STATICCALL',
    contract: 'console',
    function: { signature: 'log(string,uint256)', args: [{ value: 'the number is %d' }, { value: '7' }] },
  })
})

it('prints what a failed transaction logged, and one that waits only once', async () => {
  const failed = await send(input('fail'))
  expect(await textsOf(failed)).toEqual([`sent by ${getAddress(sender)}`])
  await network.rpc('evm_setAutomine', false)
  const hash = await send(talk(9n))
  expect(printed().map(({ transaction }) => transaction)).toEqual([failed])
  await network.rpc('evm_mine')
  await network.rpc('evm_setAutomine', true)
  expect(printed().map(({ transaction }) => transaction)).toEqual([failed, hash, hash])
})

it('prints what calls and estimates logged, without control characters', async () => {
  await network.rpc('eth_call', { to: talker, data: input('look') })
  expect(printed()).toMatchObject([{ msg: 'console.log: looked' }, { msg: 'console.log: \\u{1b}[2Jat it' }])
  entries.splice(0)
  await network.rpc('eth_estimateGas', { from: sender, to: talker, data: talk(1n) })
  expect(printed().map(({ msg }) => msg)).toEqual(['console.log: the number is 1', 'console.log: 1 true'])
  expect(await textsOf({ to: talker, data: input('look') }, 'latest')).toEqual(['looked\n\u001b[2Jat it'])
})

it('prints what calls logged that fail, and has it in the errors of methods of its own', async () => {
  const call = { from: sender, to: talker, data: input('halt') }
  await expect(network.rpc('eth_call', call)).rejects.toMatchObject({ cause: { code: -32000, data: undefined } })
  expect(printed().map(({ msg }) => msg)).toEqual(['console.log: before the end', 'console.log: 0x00112233'])
  await expect(network.rpc('dev_callWithoutOverrides', call)).rejects.toMatchObject({
    cause: { data: { kind: 'EXECUTION_FAILED', consoleLogs: ['before the end', '0x00112233'] } },
  })
  expect(await textsOf(call)).toEqual(['before the end', '0x00112233'])
})

it('refuses what is neither a hash nor a call', async () => {
  await expect(network.rpc('dev_getConsoleLogs', 5)).rejects.toMatchObject({ code: -32602 })
  const unknown = `0x${'12'.repeat(32)}`
  await expect(network.rpc('dev_getConsoleLogs', unknown)).rejects.toMatchObject({ cause: { data: { hash: unknown } } })
})
