import type { Client } from '@modelcontextprotocol/client'
import { artifacts, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { type Address, encodeDeployData, encodeFunctionData, type Hex, pad, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { connectMcp, refusal, use } from './client.ts'

const path = 'src/Vault.sol'
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Gold {
    string public constant symbol = "GOLD";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);

    function approve(address spender, uint256 value) external { allowance[msg.sender][spender] = value; }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

contract Feed {
    function price() external pure returns (uint256) { return 2000; }
}

contract Vault {
    error StillLocked(uint256 until);
    Gold public gold;
    Feed public feed;
    mapping(address => uint256) public deposits;
    uint256 public unlocks = block.timestamp + 1 days;
    event Deposited(address indexed who, uint256 amount);

    constructor(Gold gold_, Feed feed_) { gold = gold_; feed = feed_; }

    function deposit(uint256 amount) external {
        gold.transferFrom(msg.sender, address(this), amount);
        deposits[msg.sender] += amount;
        emit Deposited(msg.sender, amount);
    }

    function worth(address who) external view returns (uint256) { return deposits[who] * feed.price(); }

    function withdraw(uint256 amount) external returns (uint256 left) {
        if (block.timestamp < unlocks) revert StillLocked(unlocks); // fails: locked
        deposits[msg.sender] -= amount;
        return deposits[msg.sender];
    }
}
`
const lineOf = (marker: string) => source.split('\n').findIndex((line) => line.includes(marker)) + 1
/** Has ether and gold, has allowed the vault to take 4 GOLD, and has deposited 5 GOLD. */
const whale: Address = '0x00000000000000000000000000000000000f00d5'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let network: TestNetwork
let client: Client
let [gold, feed, vault]: Address[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url] })
  const { Gold, Feed, Vault } = compileSource(path, source)
  if (!Gold || !Feed || !Vault) throw new Error('the contracts are not in the source')
  await network.rpc('dev_importContracts', { contracts: [Gold, Feed, Vault].map(({ imported }) => imported) })
  const deploy = async (data: Hex) => {
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from: testAccounts[0].address, data })
    return (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
  }
  gold = await deploy(Gold.bytecode)
  feed = await deploy(Feed.bytecode)
  vault = await deploy(encodeDeployData({ ...Vault, args: [gold, feed] }))
  client = await connectMcp(network.url)
  await use(client, 'set_balance', { account: whale, amount: '2.5 ETH' })
  await use(client, 'set_balance', { account: whale, amount: '12.5', token: 'Gold' })
  await use(client, 'send_transaction', { from: whale, to: 'Gold', function: 'approve', args: [vault, '9000000'] })
  await use(client, 'send_transaction', { from: whale, to: 'Vault', function: 'deposit', args: ['5000000'] })
})
afterAll(async () => {
  await client?.close()
  await network?.stop()
  await anvil?.stop()
})

let before: string
beforeEach(async () => {
  before = await network.rpc<string>('evm_snapshot')
})
afterEach(async () => {
  expect(await network.rpc('evm_revert', before)).toBe(true)
})

describe('an agent with the tools alone', () => {
  it('finds its way: the network, its contracts and their functions', async () => {
    const found = await use(client, 'describe_network')
    expect(found).toMatchObject({ chainId: 31337, mining: 'instant', role: 'admin', dashboard: `${network.url}/` })
    expect(found.setUp).toContainEqual(expect.objectContaining({ name: 'Vault', address: vault }))

    const contract = await use(client, 'look_up_contract', { contract: 'vault' })
    expect(contract).toMatchObject({ address: vault, name: 'Vault', code: 'local', balance: '0 ETH' })
    expect(contract.abi).toContain('function withdraw(uint256 amount) returns (uint256 left)')
    expect(contract.lastTransactions).toMatchObject([{ call: 'deposit(amount: "5000000")' }, { status: 'success' }])
  })

  it('gives an account ether and tokens, in their units', async () => {
    const account = pad('0xf00d6', { size: 20 })
    expect(await use(client, 'set_balance', { account, amount: '2.5 ETH' })).toMatchObject({
      balance: '2.5 ETH',
    })
    const given = await use(client, 'set_balance', { account, amount: '12.5', token: 'Gold' })
    expect(given).toMatchObject({ balance: '12.5 GOLD', token: gold })
    const read = await use(client, 'read_contract', { contract: 'Gold', function: 'balanceOf', args: [account] })
    expect(read).toMatchObject({ returned: '12500000', readable: '12.5 GOLD' })
  })

  it('knows the functions and events of a token without an ABI', async () => {
    const token = await deployContract(network.client, artifacts.SoladyToken, [500n])
    const holder = testAccounts[0].address
    expect((await use(client, 'look_up_contract', { contract: token })).abi).toContain(
      'function balanceOf(address account) view returns (uint256)',
    )
    const read = await use(client, 'read_contract', { contract: token, function: 'balanceOf', args: [holder] })
    expect(read).toMatchObject({ returned: '500' })
    const transfer = { from: holder, to: token, function: 'transfer', args: [whale, '7'] }
    expect(await use(client, 'simulate', transfer)).toMatchObject({
      returned: 'true',
      events: [expect.stringMatching(/\.Transfer\(from: .*, value: "7"\)$/)],
    })
    expect(await refusal(client, 'read_contract', { contract: token, function: 'nonsense' })).toMatchObject({
      message: expect.stringContaining('ABI of the contract is unknown'),
    })
  })

  it('sends as an account without its key, and explains what came of it', async () => {
    await use(client, 'send_transaction', { from: whale, to: 'Gold', function: 'approve', args: [vault, '9000000'] })
    const sent = await use(client, 'send_transaction', {
      from: whale,
      to: 'Vault',
      function: 'deposit',
      args: ['5000000'],
    })
    expect(sent).toMatchObject({ status: 'success', call: 'deposit(amount: "5000000")' })
    expect(sent.transfers).toEqual([{ from: whale, to: vault, what: '5 GOLD', token: gold }])
    expect(sent.dashboard).toBe(`${network.url}/tx/${sent.hash}`)

    const explained = await use(client, 'explain_transaction', { hash: sent.hash })
    expect(explained.calls).toEqual([
      expect.stringMatching(/^"Vault"\.deposit\(amount: "5000000"\) · gas \d+$/),
      expect.stringMatching(/^ {2}"Gold"\.transferFrom\(.*\) · returned \["true"\] · gas \d+$/),
    ])
    expect(explained.events.at(-1)).toContain('"Vault".Deposited(')
  })

  it('learns what would happen, and the line of what would fail', async () => {
    const args = { from: whale, to: 'Vault', function: 'withdraw', args: ['1000000'] }
    const would = await use(client, 'simulate', args)
    expect(would.status).toBe('it would fail')
    expect(would.failedAt[0]).toContain(`StillLocked(`)
    expect(would.failedAt[0]).toContain(`(${path}:${lineOf('fails: locked')})`)

    const deposit = await use(client, 'simulate', { ...args, function: 'deposit' })
    expect(deposit).toMatchObject({
      status: 'it would succeed',
      assetChanges: [{ what: '1 GOLD', from: whale, to: vault, token: gold }],
      balances: [
        { address: whale, net: ['-1 GOLD'] },
        { address: vault, net: ['1 GOLD'] },
      ],
    })
    expect(deposit.events.at(-1)).toContain('Deposited(who: ')
    expect(deposit.stateChanges.filter((change: { slot?: string }) => change.slot).length).toBeGreaterThanOrEqual(3)
    const held = await use(client, 'read_contract', { contract: 'Vault', function: 'deposits', args: [whale] })
    expect(held.returned).toBe('5000000')
    const approval = { from: whale, to: 'Gold', function: 'approve', args: [vault, '3000000'] }
    expect(await use(client, 'simulate', approval)).toMatchObject({
      assetChanges: [],
      approvals: [{ spender: vault, mayTake: '3 GOLD', from: whale, token: gold }],
    })
    // What a wallet shows, and what a Safe would send in one transaction.
    const data = encodeFunctionData({ abi: parseAbi(['function deposit(uint256)']), args: [1_000_000n] })
    const transaction = JSON.stringify({
      transactions: [
        { to: vault, value: '0', data },
        { to: vault, data: '0x12345678' },
      ],
    })
    const batch = await use(client, 'simulate', { from: whale, transaction })
    expect(batch.calls).toMatchObject([{ assetChanges: [{ what: '1 GOLD' }] }, { status: 'it would fail' }])
    expect(batch.undone).toContain('nothing would change')
    const wrong = { from: whale, transaction: '{"to":"0x1"}' }
    expect(await refusal(client, 'simulate', wrong)).toMatchObject({
      message: expect.stringContaining('transaction, to: expected an address'),
    })
  })

  it('does not send what would fail, unless told to, and finds where it failed', async () => {
    const args = { from: whale, to: 'Vault', function: 'withdraw', args: ['1000000'] }
    const kept = await use(client, 'send_transaction', args)
    expect(kept).toMatchObject({ status: 'not sent, because it would fail', next: expect.stringContaining('Pass gas') })
    const failed = await use(client, 'send_transaction', { ...args, gas: 200_000 })
    expect(failed).toMatchObject({ status: 'failed' })

    const { transactions } = await use(client, 'find_transactions', { account: 'Vault', status: 'failed' })
    expect(transactions).toMatchObject([{ hash: failed.hash, call: 'withdraw(amount: "1000000")' }])
    const { stack } = await use(client, 'stack_trace', { hash: failed.hash })
    expect(stack[0]).toContain(`${path}:${lineOf('fails: locked')}`)
  })

  it('sends what waits for a block, and seals one', async () => {
    await network.rpc('evm_setAutomine', false)
    const sent = await use(client, 'send_transaction', { from: whale, to: vault, function: 'deposit', args: ['0'] })
    expect(sent).toMatchObject({ status: 'pending', next: expect.stringContaining('call mine') })
    await use(client, 'mine')
    await network.rpc('evm_setAutomine', true)
    expect(await use(client, 'explain_transaction', { hash: sent.hash })).toMatchObject({ status: 'success' })
  })

  it('tries the future, and goes back', async () => {
    const { snapshot } = await use(client, 'snapshot', { name: 'before the future' })
    const { head } = await use(client, 'describe_network')
    await use(client, 'mine', { blocks: 2, seconds: 100_000 })
    const sent = await use(client, 'send_transaction', { from: whale, to: 'Vault', function: 'withdraw', args: ['1'] })
    expect(sent.status).toBe('success')
    expect(await use(client, 'revert', { snapshot })).toMatchObject({ head })
    expect(await refusal(client, 'revert', { snapshot })).toMatchObject({ error: 'INVALID_PARAMS' })
  })

  it('tries something in a branch of its own, compares, and removes it', async () => {
    const { branch, expires, mcp } = await use(client, 'create_branch', { name: 'agent/idea', minutes: 5 })
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(300_000)
    await use(client, 'mine', { branch, seconds: 100_000 })
    const withdraw = { from: whale, to: 'Vault', function: 'withdraw', args: ['1'] }
    const sent = await use(client, 'send_transaction', { ...withdraw, branch })
    expect(sent).toMatchObject({ status: 'success' })
    expect(sent.dashboard).toBe(`${mcp.slice(0, -'/mcp'.length)}/tx/${sent.hash}`)
    expect(await use(client, 'simulate', withdraw)).toMatchObject({ status: 'it would fail' })

    const held = { contract: 'Vault', function: 'deposits', args: [whale] }
    const own = await connectMcp(mcp.slice(0, -'/mcp'.length))
    expect(await use(own, 'read_contract', held)).toMatchObject({ returned: '4999999' })
    await own.close()
    expect(await use(client, 'read_contract', held)).toMatchObject({ returned: '5000000' })

    const { differences } = await use(client, 'compare_branches', { a: branch })
    const deposit = differences.find((each: { field: string }) => each.field === 'storage')
    expect(deposit).toMatchObject({ address: vault, variables: [expect.stringContaining('deposits')] })
    expect([BigInt(deposit.a), BigInt(deposit.b)]).toEqual([4_999_999n, 5_000_000n])

    const { snapshot } = await use(client, 'snapshot', { branch })
    await use(client, 'set_balance', { branch, account: whale, amount: '77' })
    await use(client, 'revert', { branch, snapshot })
    expect((await use(client, 'look_up_contract', { branch, contract: whale })).balance).not.toBe('77 ETH')

    expect((await use(client, 'describe_network')).setUp).toContainEqual(expect.objectContaining({ branch }))
    await use(client, 'remove_branch', { name: branch })
    expect(await refusal(client, 'mine', { branch })).toMatchObject({ error: 'BRANCH_NOT_FOUND' })
    await expect(connectMcp(mcp.slice(0, -'/mcp'.length))).rejects.toThrow()
  })

  it('overrides a function, for every contract', async () => {
    const worth = async () =>
      (await use(client, 'read_contract', { contract: 'Vault', function: 'worth', args: [whale] })).returned
    expect(await worth()).toBe('10000000000')
    const { override } = await use(client, 'override_function', { contract: 'Feed', function: 'price', returns: ['1'] })
    expect(await worth()).toBe('5000000')
    await use(client, 'remove_override', { override })
    expect(await worth()).toBe('10000000000')
  })

  it('records a value over time', async () => {
    const { tracked } = await use(client, 'track', {
      account: 'Vault',
      name: 'deposits',
      function: 'deposits',
      args: [whale],
    })
    await use(client, 'send_transaction', { from: whale, to: 'Vault', function: 'deposit', args: ['1'] })
    const { values } = await use(client, 'tracked_values', { tracked })
    expect(values[0]).toMatchObject({ value: '5000001' })
    await network.rpc('dev_removeTrackedData', tracked)
  })

  it('reads variables, and who wrote a slot', async () => {
    await use(client, 'send_transaction', { from: whale, to: 'Vault', function: 'deposit', args: ['1'] })
    const { variable } = await use(client, 'read_storage', { contract: 'Vault', path: `deposits[${whale}]` })
    expect(variable).toMatchObject({ value: '5000001' })
    const { changes } = await use(client, 'read_storage', { contract: 'Vault', slot: variable.slot })
    expect(changes[0]).toMatchObject({
      transaction: variable.lastWriter,
      line: expect.stringContaining('Vault.deposit'),
    })
  })

  it('compares two transactions, and sees where gas goes', async () => {
    const withdraw = { from: whale, to: 'Vault', function: 'withdraw', args: ['1'], gas: 200_000 }
    expect(await use(client, 'send_transaction', withdraw)).toMatchObject({ status: 'failed' })
    const newest = async (status: string) =>
      (await use(client, 'find_transactions', { account: 'Vault', status })).transactions[0]
    const [a, b] = [await newest('success'), await newest('failed')]
    const compared = await use(client, 'compare_transactions', { a: a.hash, b: b.hash })
    expect(compared).toMatchObject({
      same: false,
      a: { status: 'success' },
      firstDifference: { operation: expect.any(Number) },
    })
    const profile = await use(client, 'gas_profile', { hash: a.hash })
    expect(profile.lines[0]).toMatch(/^\d+ gas \([\d.]+ %\) at /)
  })

  it('follows the live chain again', async () => {
    const account = testAccounts[3].address
    await use(client, 'set_balance', { account, amount: '1' })
    expect(await use(client, 'follow', { account })).toMatchObject({ followed: true })
    const { balance } = await use(client, 'look_up_contract', { contract: account })
    expect(balance).toBe('10000 ETH')
    expect(await use(client, 'follow', { account, stop: true })).toMatchObject({ removed: true })
  })
})
