import { artifacts, deployContract, requireSuccess } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Permit2 } from '../../generated/sampleContracts/index.js'
import { type CompiledSource, compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Collectible, HostileToken, BoastingToken, Medals, PermitToken, PlainToken, QuietToken, WETH9 } = artifacts

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Vault {
    struct Position { uint128 shares; uint64 since; bool open; }
    error TooMuch(uint256 wanted, uint256 most);
    event Opened(address indexed owner, Position position);
    uint128 private total;
    address private last;
    mapping(address => Position) private positions;
    uint64[] private history;
    string private note;
    function open(uint128 shares, string calldata text) external returns (uint256 count) {
        check(shares);
        total += shares;
        last = msg.sender;
        positions[msg.sender] = Position(shares, 7, true);
        history.push(uint64(shares));
        note = text;
        emit Opened(msg.sender, positions[msg.sender]);
        return history.length;
    }
    function check(uint128 shares) private pure {
        if (shares > 100) revert TooMuch(shares, 100); // fails
    }
}`

/** What `dev_simulate` answers, as far as the tests look at it. */
// biome-ignore lint/suspicious/noExplicitAny: the answer is compared as it is
type Outcome = any

const million = 10n ** 24n
const spender: Address = '0x00000000000000000000000000000000005be4de'
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const most = 2n ** 256n - 1n

let network: TestNetwork
let owner: Address
let vault: { address: Address; compiled: CompiledSource }

const simulate = (calls: object[], options: object = {}) =>
  network.rpc<Outcome>('dev_simulate', { calls: calls.map((call) => ({ from: owner, ...call })), ...options })
const one = async (call: object, options: object = {}): Promise<Outcome> => (await simulate([call], options)).results[0]
const call = (to: Address, artifact: { abi: Abi }, functionName: string, args: unknown[]) => ({
  to,
  data: encodeFunctionData({ abi: artifact.abi, functionName, args }),
})
const deploy = async (artifact: Parameters<typeof deployContract>[1], args: unknown[] = []) =>
  (await deployContract(network.client, artifact, args)).toLowerCase() as Address

beforeAll(async () => {
  network = await startNetwork()
  owner = network.client.account.address.toLowerCase() as Address
  const compiled = compileSource('src/Vault.sol', source).Vault as CompiledSource
  await network.rpc('dev_importContracts', { contracts: [compiled.imported] })
  vault = { address: await deploy(compiled as never), compiled }
})
afterAll(() => network.stop())

describe('the outcome of a call', () => {
  it('names the variables that change, before and after', async () => {
    const {
      stateChanges,
      function: called,
      returned,
      logs,
      contracts,
    } = await one(call(vault.address, vault.compiled, 'open', [70n, 'a short text']))
    const [{ storage }] = stateChanges.filter(({ address }: Outcome) => address === vault.address)
    const holder = getAddress(owner)
    const variables = storage.flatMap(({ variables }: Outcome) => variables)
    const shown = variables.map(({ path, type, before, after }: Outcome) => [path, type, before, after])
    expect(shown.sort()).toEqual([
      ['history.length', 'uint256', '0', '1'],
      ['history[0]', 'uint64', '0', '70'],
      ['last', 'address', getAddress(`0x${'0'.repeat(40)}`), holder],
      ['note', 'string', '', 'a short text'],
      [`positions[${holder}].open`, 'bool', 'false', 'true'],
      [`positions[${holder}].shares`, 'uint128', '0', '70'],
      [`positions[${holder}].since`, 'uint64', '0', '7'],
      ['total', 'uint128', '0', '70'],
    ])
    expect(variables.find(({ type }: Outcome) => type === 'bool')).toMatchObject({
      variable: 'positions',
      variableType: 'mapping(address => struct Vault.Position)',
      keys: [holder, 'open'],
    })
    expect(called).toMatchObject({ name: 'open', args: [{ name: 'shares', value: '70' }, { value: 'a short text' }] })
    expect(returned).toMatchObject([{ name: 'count', type: 'uint256', value: '1' }])
    expect(logs[0].event.args).toMatchObject([
      { name: 'owner', indexed: true, value: holder },
      { indexed: false, components: [{ name: 'shares' }, {}, {}], value: { shares: '70', since: '7', open: 'true' } },
    ])
    expect(contracts).toMatchObject([{ address: vault.address, name: 'Vault', isAbiKnown: true, source: 'import' }])
  })

  it('says why it failed, with the decoded error and the lines', async () => {
    const { status, error, frames, assetChanges } = await one(call(vault.address, vault.compiled, 'open', [170n, '']))
    const line = source.split('\n').findIndex((text) => text.includes('// fails')) + 1
    expect({ status, assetChanges }).toEqual({ status: 'failed', assetChanges: [] })
    expect(error).toMatchObject({
      message: 'execution reverted',
      reason: 'TooMuch(170, 100)',
      address: vault.address,
      decoded: { name: 'TooMuch', args: [{ name: 'wanted', value: '170' }, { value: '100' }] },
      stack: [
        { file: 'src/Vault.sol', line, function: 'Vault.check', message: 'TooMuch(170, 100)' },
        { file: 'src/Vault.sol', function: 'Vault.open', message: null },
      ],
    })
    expect(frames).toMatchObject([{ status: 'failed', error: 'execution reverted', reason: 'TooMuch(170, 100)' }])
  })

  it('has the access list of eth_createAccessList and the gas of eth_estimateGas', async () => {
    const opened = {
      from: owner,
      ...call(vault.address, vault.compiled, 'open', [70n, 'a text of more than 32 bytes, which is long']),
    }
    const { accessList, sufficientGas } = await one(opened, { gasLimits: true })
    const created = await network.rpc<{ accessList: { address: Address; storageKeys: Hex[] }[] }>(
      'eth_createAccessList',
      opened,
    )
    const sorted = (list: typeof created.accessList) =>
      list.map(({ address, storageKeys }) => [address, [...storageKeys].sort()])
    expect(sorted(accessList)).toEqual(sorted(created.accessList))
    expect(BigInt(sufficientGas)).toBe(BigInt(await network.rpc<Hex>('eth_estimateGas', opened)))
  })

  it('leaves out in its quick form what takes more reads', async () => {
    const outcome = await one(call(vault.address, vault.compiled, 'open', [170n, '']), { detail: 'quick' })
    expect(outcome).toMatchObject({ status: 'failed', function: null, error: { reason: null, stack: [] } })
  })
})

describe('the assets of a call', () => {
  it('are wrapped and unwrapped ether', async () => {
    const weth = await deploy(WETH9)
    const { results } = await simulate([
      { to: weth, value: '0x7', data: '0xd0e30db0' },
      call(weth, WETH9, 'withdraw', [3n]),
    ])
    const token = { kind: 'erc20', token: weth, isWrap: true, inferred: false }
    const ether = { kind: 'native', token: null, isWrap: true }
    expect(results[0].assetChanges).toMatchObject([
      { ...ether, type: 'transfer', from: owner, to: weth, amount: '7' },
      { ...token, type: 'mint', from: null, to: owner, amount: '7', formatted: '0.000000000000000007' },
    ])
    expect(results[1].assetChanges).toMatchObject([
      { ...ether, type: 'transfer', from: weth, to: owner, amount: '3' },
      { ...token, type: 'burn', from: owner, to: null, amount: '3' },
    ])
    expect(results[0].contracts[0].token).toEqual({
      kind: 'erc20',
      name: 'Wrapped Ether',
      symbol: 'WETH',
      decimals: 18,
      problems: [],
    })
  })

  it('are inferred of a token without events, and by what it says of itself', async () => {
    const quiet = await deploy(QuietToken)
    const { results } = await simulate([
      call(quiet, QuietToken, 'mint', [owner, 5_000_000n]),
      call(quiet, QuietToken, 'transfer', [spender, 1_500_000n]),
    ])
    const moved = { kind: 'erc20', token: quiet, inferred: true, frame: null }
    expect(results[0].assetChanges).toMatchObject([{ ...moved, type: 'mint', to: owner, formatted: '5' }])
    expect(results[1].assetChanges).toMatchObject([
      { ...moved, type: 'transfer', from: owner, to: spender, formatted: '1.5' },
    ])
    expect(results[1].balanceChanges).toMatchObject([
      { address: owner, transfers: [0], assets: [{ in: '0', out: '1500000', net: '-1500000', formatted: '-1.5' }] },
      { address: spender, transfers: [0], assets: [{ in: '1500000', out: '0', net: '1500000', formatted: '1.5' }] },
    ])
  })

  it('are none of a token that boasts, which is named', async () => {
    const boasting = await deploy(BoastingToken)
    const { assetChanges, logs, contracts } = await one(call(boasting, BoastingToken, 'transfer', [spender, 9n]))
    expect(assetChanges).toEqual([])
    expect(logs).toHaveLength(1)
    expect(contracts[0].token.problems).toEqual(['its events tell of moves, and balanceOf of none'])
  })

  it('are told of a hostile token in bounded gas, with what is wrong with it', async () => {
    const hostile = await deploy(HostileToken)
    const { assetChanges, contracts } = await one(call(hostile, HostileToken, 'transfer', [spender, 9n]))
    expect(assetChanges).toMatchObject([{ token: hostile, amount: '9', formatted: null, inferred: false }])
    expect(contracts[0].token).toEqual({
      kind: 'erc20',
      name: null,
      symbol: null,
      decimals: null,
      problems: [
        `decimals() returned ${10n ** 30n}`,
        'name() reverted',
        'symbol() used all of its gas',
        'balanceOf() used all of its gas',
      ],
    })
  })

  it('have no names that overrides of another request gave', async () => {
    const plain = await deploy(PlainToken, ['Plain', 'PLAIN', million])
    const transfer = call(plain, PlainToken, 'transfer', [spender, 1n])
    const symbolSlot = `0x${'4'.padStart(64, '0')}`
    const fake = `0x${Buffer.from('FAKE').toString('hex').padEnd(62, '0')}08`
    const stateOverrides = { [plain]: { stateDiff: { [symbolSlot]: fake } } }
    const symbolOf = async (options: object) => (await one(transfer, options)).contracts[0].token.symbol
    expect(await symbolOf({})).toBe('PLAIN')
    expect(await symbolOf({ stateOverrides })).toBe('FAKE')
    expect(await symbolOf({})).toBe('PLAIN')
  })
})

describe('the outcome of a sealed transaction', () => {
  it('is what a simulation of it said', async () => {
    const quiet = await deploy(QuietToken)
    await network.rpc('eth_sendTransaction', { from: owner, ...call(quiet, QuietToken, 'mint', [owner, 9_000_000n]) })
    const moved = { from: owner, ...call(quiet, QuietToken, 'transfer', [spender, 2_500_000n]) }
    const { assetChanges, gasUsed } = await one(moved)
    const hash = await network.rpc<Hex>('eth_sendTransaction', { ...moved, gas: '0x186a0' })
    const traced = await network.rpc<Outcome>('tenderly_traceTransaction', hash)
    expect(traced).toMatchObject({ status: true, gasUsed: `0x${BigInt(gasUsed).toString(16)}` })
    expect(assetChanges).toMatchObject([{ inferred: true, formatted: '2.5' }])
    expect(traced.assetChanges).toMatchObject([
      { type: 'Transfer', from: owner, to: spender, amount: '2.5', assetInfo: { contractAddress: quiet } },
    ])
  })
})

describe('the approvals of a call', () => {
  let token: Address
  beforeAll(async () => {
    token = await deploy(PermitToken, [million])
  })

  it('are what is left after it, with what was before', async () => {
    const { results } = await simulate([
      call(token, PermitToken, 'approve', [spender, 5n * 10n ** 18n]),
      { ...call(token, PermitToken, 'transferFrom', [owner, spender, 2n * 10n ** 18n]), from: spender },
      call(token, PermitToken, 'approve', [spender, most]),
      call(token, PermitToken, 'approve', [spender, 0n]),
      call(token, PermitToken, 'approve', [spender, 0n]),
    ])
    const approval = { kind: 'erc20', type: 'approve', by: 'call', token, owner, spender }
    expect(results.map(({ approvals }: Outcome) => approvals)).toMatchObject([
      [{ ...approval, before: '0', amount: String(5n * 10n ** 18n), formatted: '5', isUnlimited: false }],
      [],
      [{ ...approval, before: String(3n * 10n ** 18n), amount: String(most), isUnlimited: true }],
      [{ ...approval, before: String(most), amount: '0' }],
      [],
    ])
  })

  it('are signed ones (EIP-2612)', async () => {
    const deadline = 2n ** 40n
    const signature = await network.client.signTypedData({
      domain: { name: 'Permit Token', version: '1', chainId: 31_337, verifyingContract: token },
      types: {
        Permit: ['owner:address', 'spender:address', 'value:uint256', 'nonce:uint256', 'deadline:uint256'].map(
          (field) => ({ name: field.split(':')[0] as string, type: field.split(':')[1] as string }),
        ),
      },
      primaryType: 'Permit',
      message: { owner, spender, value: 77n, nonce: 0n, deadline },
    } as never)
    const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
    const v = Number(`0x${signature.slice(130)}`)
    const permit = call(token, PermitToken, 'permit', [owner, spender, 77n, deadline, v, r, s])
    const { approvals } = await one({ ...permit, from: spender })
    expect(approvals).toMatchObject([{ by: 'permit', token, owner, spender, before: '0', amount: '77' }])
  })

  it('are those of Permit2, until they expire', async () => {
    await network.client.setCode({ address: permit2, bytecode: Permit2.deployedBytecode as Hex })
    const { results } = await simulate([
      call(permit2, Permit2, 'approve', [token, spender, 12n, 2_000_000_000n]),
      call(permit2, Permit2, 'approve', [token, spender, 2n ** 160n - 1n, 2_000_000_001n]),
    ])
    const approval = { kind: 'erc20', by: 'permit2', token, owner, spender }
    expect(results.map(({ approvals }: Outcome) => approvals)).toMatchObject([
      [{ ...approval, before: '0', amount: '12', expiration: '2000000000', isUnlimited: false }],
      [{ ...approval, before: '12', expiration: '2000000001', isUnlimited: true }],
    ])
  })

  it('are of one collectible, and of all of a kind', async () => {
    const collectible = await deploy(Collectible)
    const medals = await deploy(Medals)
    await requireSuccess(
      network.client,
      await network.client.writeContract({
        address: collectible,
        abi: Collectible.abi,
        functionName: 'mint',
        args: [owner],
      }),
    )
    const { results } = await simulate([
      call(collectible, Collectible, 'approve', [spender, 1n]),
      call(collectible, Collectible, 'setApprovalForAll', [spender, true]),
      call(medals, Medals, 'setApprovalForAll', [spender, true]),
    ])
    expect(results.map(({ approvals }: Outcome) => approvals)).toMatchObject([
      [{ kind: 'erc721', type: 'approve', token: collectible, tokenId: '1', amount: '1', spender }],
      [{ kind: 'erc721', type: 'approveAll', token: collectible, isUnlimited: true }],
      [{ kind: 'erc1155', type: 'approveAll', token: medals, before: '0', amount: '1' }],
    ])
  })
})

describe('a sequence of calls', () => {
  const transfer = (value: bigint) => ({ to: spender, value: `0x${value.toString(16)}` })
  const failing = () => call(vault.address, vault.compiled, 'open', [170n, ''])
  const counts = async (options: object) => {
    const { results, failed, isUndone } = await simulate([transfer(1n), failing(), transfer(2n)], options)
    return [results.map(({ status }: Outcome) => status).join(), failed, isUndone]
  }

  it('goes on after a failure, stops at it, or is undone by it', async () => {
    expect(await counts({})).toEqual(['succeeded,failed,succeeded', 1, false])
    expect(await counts({ onFailure: 'stop' })).toEqual(['succeeded,failed', 1, false])
    expect(await counts({ onFailure: 'revert' })).toEqual(['succeeded,failed', 1, true])
  })

  it('runs on overridden state, in an overridden block, each call on the state before it', async () => {
    const token = await deploy(QuietToken)
    const code = { code: '0x4260005260206000f3' }
    const { block, results } = await simulate(
      [
        call(token, QuietToken, 'mint', [owner, 5n]),
        call(token, QuietToken, 'transfer', [spender, 5n]),
        { to: spender },
      ],
      { blockOverrides: { time: '0x77359400', number: '0x1000' }, stateOverrides: { [spender]: code } },
    )
    expect(results.map(({ status }: Outcome) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(BigInt(results[2].output)).toBe(2_000_000_000n)
    expect(block).toMatchObject({ number: 4096, timestamp: 2_000_000_000 })
  })

  it('runs within a block, before one of its transactions', async () => {
    const weth = await deploy(WETH9)
    await network.rpc('evm_setAutomine', false)
    for (const value of [5n, 6n])
      await network.rpc('eth_sendTransaction', {
        from: owner,
        ...transfer(value),
        to: weth,
        data: '0xd0e30db0',
        gas: '0x186a0',
      })
    await network.rpc('evm_mine')
    await network.rpc('evm_setAutomine', true)
    const read = { to: weth, data: encodeFunctionData({ abi: WETH9.abi, functionName: 'balanceOf', args: [owner] }) }
    const at = async (options: object) => Number((await one(read, { block: 'latest', ...options })).output)
    expect([await at({ transactionIndex: 0 }), await at({ transactionIndex: 1 }), await at({})]).toEqual([0, 5, 11])
    await expect(at({ transactionIndex: 9 })).rejects.toThrow('transactionIndex: the block has 2 transactions')
  })

  it('names the call that is not valid', async () => {
    const poor = { from: spender, to: owner, value: '0x1' }
    await expect(network.rpc('dev_simulate', { calls: [{ to: owner }, poor] })).rejects.toMatchObject({
      cause: { data: { call: 1 } },
    })
  })

  it('bounds a bundle of a thousand calls by the gas that all have together', async () => {
    const abi = parseAbi(['function spin()'])
    const looper = await deploy(artifacts.Looper)
    const spin = { to: looper, data: encodeFunctionData({ abi }) }
    await expect(simulate(Array.from({ length: 1000 }, () => spin))).rejects.toThrow(/use more gas together/)
  })
})
