import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, postJsonRpc, type SmartAccountContracts, startUnderstudy } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, padHex, parseAbi } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { codeThatRuns, ledger, ruleBreakers } from './ruleBreakers.ts'
import { simpleAccount, startChainWithAccounts, versions } from './smartAccounts.ts'

const recipient: Address = '0x00000000000000000000000000000000000a11ce'
const account: Address = '0xacc0000000000000000000000000000000001234'
const runner: Address = '0xacc0000000000000000000000000000000005678'
const factories = { unstaked: padHex('0xfac1', { size: 20 }), staked: padHex('0xfac2', { size: 20 }) }
const paymasters = { unstaked: padHex('0xbac1', { size: 20 }), staked: padHex('0xbac2', { size: 20 }) }
type Stake = keyof typeof factories

const entryPoint = parseAbi(['function depositTo(address) payable', 'function addStake(uint32) payable'])
const factory = parseAbi(['function make(uint8 what, bytes32 salt) returns (address)'])

let anvil: Anvil
let contracts: SmartAccountContracts
let network: TestNetwork

beforeAll(async () => {
  ;({ anvil, contracts } = await startChainWithAccounts())
  network = await startNetwork({ forkUrls: [anvil.url], chainId: 73_571n, userOperationRules: 'enforce' })
  const compiled = compileSource('Account.sol', ruleBreakers)
  const breakers = {
    [ledger]: 'Ledger',
    [account]: 'Account',
    ...all(factories, 'Factory'),
    ...all(paymasters, 'Paymaster'),
  }
  for (const [address, name] of Object.entries(breakers))
    await network.rpc('dev_setCode', address, compiled[name]?.imported.deployedBytecode)
  for (const address of [account, factories.staked, paymasters.staked, paymasters.unstaked])
    await network.rpc('dev_setBalance', address, '5000000000000000000')
  const send = async (from: Address, functionName: 'depositTo' | 'addStake', argument: never) => {
    await network.rpc('dev_impersonateAccount', from)
    const data = encodeFunctionData({ abi: entryPoint, functionName, args: [argument] })
    await network.rpc('eth_sendTransaction', { from, to: entryPoint07Address, data, value: numberToHex(10n ** 18n) })
  }
  for (const paymaster of Object.values(paymasters)) await send(paymaster, 'depositTo', paymaster as never)
  for (const entity of [factories.staked, paymasters.staked]) await send(entity, 'addStake', 86_400 as never)
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const all = (addresses: Record<string, Address>, name: string) =>
  Object.fromEntries(Object.values(addresses).map((address) => [address, name]))
const byte = (number: number): Hex => padHex(numberToHex(number), { size: 1 })

let nonceKey = 0n
/** Sends an operation; answers the refusal. */
async function refusalOf(fields: { sender: Address } & Record<string, unknown>) {
  const operation = {
    nonce: numberToHex(++nonceKey << 64n),
    callData: '0x',
    callGasLimit: '0x2710',
    verificationGasLimit: numberToHex(2_000_000),
    preVerificationGas: '0xea60',
    maxFeePerGas: numberToHex(20_000_000_000n),
    maxPriorityFeePerGas: '0x1',
    signature: '0x00',
    ...fields,
  }
  return network.rpc('eth_sendUserOperation', operation, entryPoint07Address).then(
    () => undefined,
    ({ cause }) => ({ code: cause.code, message: cause.message }),
  )
}

const sponsored = (sender: Address) =>
  network.rpc<object>('pm_getPaymasterData', { sender, nonce: '0x0' }, entryPoint07Address, '0x11f63')

/** One that the network's paymaster pays for, whose account does `what`. */
const refusalOfAccount = async (what: number, sender = account) =>
  refusalOf({ sender, signature: byte(what), ...(await sponsored(sender)) })

/** One that a paymaster of the test pays for. */
const refusalOfPaymaster = (stake: Stake, what: number) =>
  refusalOf({
    sender: account,
    paymaster: paymasters[stake],
    paymasterVerificationGasLimit: numberToHex(300_000),
    paymasterPostOpGasLimit: '0x0',
    paymasterData: byte(what),
  })

/** One whose account is created by a factory that does `what`, and then does `then`. */
async function refusalOfFactory(stake: Stake, what: number, then = 0) {
  const salt = padHex(numberToHex(++nonceKey), { size: 32 })
  const factoryData = encodeFunctionData({ abi: factory, functionName: 'make', args: [what, salt] })
  const made = await network.rpc<Hex>('eth_call', { to: factories[stake], data: factoryData }, 'latest')
  const sender: Address = `0x${made.slice(-40)}`
  const creation = { factory: factories[stake], factoryData, nonce: '0x0' }
  return refusalOf({ sender, ...creation, signature: byte(then), ...(await sponsored(sender)) })
}

const breach = (rule: string, entity: string, address: Address, problem: string) => ({
  code: -32502,
  message: expect.stringContaining(`breaks rule ${rule} of ERC-7562: the ${entity} ${address} ${problem}`),
})

describe('where rules are enforced', () => {
  it.each([
    [2, 'STO-021', `reads slot 0x${'0'.repeat(64)} of ${ledger}`],
    [4, 'OP-041', 'accesses 0x000000000000000000000000000000000000dead, which has no code'],
    [5, 'OP-061', `sends ether to ${ledger}`],
    [8, 'OP-011', 'uses CREATE'],
    [9, 'OP-054', 'calls 0x70a08231 of the entry point'],
    [11, 'OP-020', `runs out of gas in ${ledger}`],
    [12, 'STO-021', `writes slot 0x${'5'.padStart(64, '0')} of ${ledger}`],
    [15, 'OP-041', 'accesses 0x0000000000000000000000000000000000000200, which has no code'],
    [20, 'OP-041', 'accesses 0x000000000000000000000000000000000000dead, which has no code'],
    [22, 'STO-021', 'writes slot '],
  ])('refuses an account that does %i, by rule %s', async (what, rule, problem) => {
    expect(await refusalOfAccount(what)).toEqual(breach(rule, 'account', account, problem))
  })

  it.each([
    [0, 'nothing'],
    [3, 'a read of a slot associated with it, by a call after GAS'],
    [10, 'its own storage'],
    [13, 'a precompile'],
    [14, 'the precompile of P-256'],
    [16, 'a deposit at the entry point'],
    [17, 'ether to the entry point'],
    [18, 'its nonce'],
    [19, 'the code of another contract'],
    [21, 'a write of a slot associated with it'],
    [23, 'a library that writes its storage'],
  ])('accepts an account that does %i: %s', async (what) => {
    expect(await refusalOfAccount(what)).toBeUndefined()
  })

  it.each([
    ['ORIGIN', 0x32],
    ['GASPRICE', 0x3a],
    ['BLOCKHASH', 0x40],
    ['COINBASE', 0x41],
    ['TIMESTAMP', 0x42],
    ['NUMBER', 0x43],
    ['PREVRANDAO', 0x44],
    ['GASLIMIT', 0x45],
    ['BASEFEE', 0x48],
    ['BLOBHASH', 0x49],
    ['BLOBBASEFEE', 0x4a],
    ['GAS', 0x5a],
    ['CREATE', 0xf0],
    ['CREATE2', 0xf5],
    ['SELFBALANCE', 0x47, 'OP-080'],
    ['BALANCE', 0x31, 'OP-080'],
  ])('refuses an account that runs %s', async (name, operation, rule = 'OP-011') => {
    await network.rpc('dev_setCode', runner, codeThatRuns(operation))
    expect(await refusalOfAccount(0, runner)).toEqual(breach(rule, 'account', runner, `uses ${name}`))
  })

  it('accepts code that runs other operations', async () => {
    const pop = 0x50
    await network.rpc('dev_setCode', runner, codeThatRuns(pop))
    expect(await refusalOfAccount(0, runner)).toBeUndefined()
  })

  it.each<[Stake, number, string | undefined, string?]>([
    ['unstaked', 0, undefined],
    ['unstaked', 6, undefined],
    ['unstaked', 1, 'STO-031', `writes slot 0x${'0'.repeat(64)} of ${paymasters.unstaked}, and is not staked`],
    ['unstaked', 2, 'STO-021', `reads slot 0x${'0'.repeat(64)} of ${ledger}, and is not staked`],
    ['unstaked', 3, 'STO-021', 'writes slot '],
    ['unstaked', 5, 'OP-080', 'uses BALANCE, which only a staked entity may'],
    ['staked', 1, undefined],
    ['staked', 2, undefined],
    ['staked', 3, undefined],
    ['staked', 4, 'STO-033', 'writes slot '],
    ['staked', 5, undefined],
  ])('checks a paymaster that is %s and does %i: %s', async (stake, what, rule, problem = '') => {
    const expected = rule && breach(rule, 'paymaster', paymasters[stake], problem)
    expect(await refusalOfPaymaster(stake, what)).toEqual(expected)
  })

  it.each<[Stake, number, string | undefined, string?]>([
    ['unstaked', 0, undefined],
    ['unstaked', 1, 'STO-031', `writes slot 0x${'0'.repeat(64)} of ${factories.unstaked}, and is not staked`],
    ['unstaked', 2, 'OP-031', 'uses CREATE2 more than once'],
    ['unstaked', 3, 'OP-011', 'uses CREATE'],
    ['staked', 1, undefined],
  ])('checks a factory that is %s and does %i: %s', async (stake, what, rule, problem = '') => {
    const expected = rule && breach(rule, 'factory', factories[stake], problem)
    expect(await refusalOfFactory(stake, what)).toEqual(expected)
  })

  it('lets an account use CREATE while it is created, and associated slots if the factory is staked', async () => {
    const create = 8
    const readAssociated = 3
    expect(await refusalOfFactory('unstaked', 0, create)).toBeUndefined()
    expect((await refusalOfFactory('unstaked', 0, readAssociated))?.message).toMatch(
      /breaks rule STO-022 .* reads slot \S+ of \S+, while a factory that is not staked creates the account/,
    )
    expect(await refusalOfFactory('staked', 0, readAssociated)).toBeUndefined()
  })

  it.each(versions)(
    'accepts an account of entry point %s that is created, and the paymaster of the network',
    async (version) => {
      const client = await simpleAccount(network, contracts, version, true)
      const hash = await client.sendUserOperation({ calls: [{ to: recipient }] })
      expect(await client.getUserOperationReceipt({ hash })).toMatchObject({ success: true })
    },
  )
})

it('finds operations after it was killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-'))
  const args = ['--fork-url', anvil.url, '--chain-id', '73571', '--data-dir', directory]
  const first = await startUnderstudy(args)
  const { client } = network
  const smart = await simpleAccount({ url: first.url, client }, contracts, '0.8', true)
  const hash = await smart.sendUserOperation({ calls: [{ to: recipient }] })
  await first.end('SIGKILL')
  const second = await startUnderstudy(args)
  try {
    expect(await postJsonRpc(second.url, 'eth_getUserOperationReceipt', [hash])).toMatchObject({ success: true })
  } finally {
    await second.end()
    rmSync(directory, { recursive: true })
  }
})
