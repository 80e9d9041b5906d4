import { artifacts, createFakeClock, deployContract, type FakeClock } from '@understudy/testkit'
import { type Address, encodeAbiParameters, getAddress, type Hex, keccak256, pad, zeroHash } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { trackerOf, valuesOf } from './tracker.ts'

const someone: Address = `0x${'5e'.repeat(20)}`
const other: Address = `0x${'0e'.repeat(20)}`
const abi = artifacts.Ledger.abi
const accountOf =
  'function accountOf(address owner) view returns ((uint128 balance, uint64 changes, bool open) account)'
const balanceOf = 'function balanceOf(address owner) view returns (uint256)'

/** The slot of an account in the ledger, whose mapping is in slot 0. */
const accountSlot = (owner: Address) =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))

describe('tracked items', () => {
  let network: TestNetwork
  let clock: FakeClock
  let ledger: Address
  const { rpc, track, history, item, pay } = trackerOf(() => network)
  const put = (balance: bigint, owner = someone) =>
    network.client.writeContract({ address: ledger, abi, functionName: 'put', args: [owner, balance], gas: 300_000n })
  const args = JSON.stringify([someone])

  beforeEach(async () => {
    clock = createFakeClock()
    network = await startNetwork({ allowSameTimestamp: true }, { clock })
    ledger = await deployContract(network.client, artifacts.Ledger)
  })
  afterEach(() => network.stop())

  it('record the value after every transaction, from the next block on', async () => {
    const id = await track({ address: someone })
    const start = new Date(clock.now()).toISOString()
    expect(await history(id)).toEqual({ values: [], anchor: null, periodStart: start, periodEnd: start })
    clock.advance(1_000)
    const hashes = [await pay(someone, 5n), await pay(other, 1n)]
    clock.advance(1_000)
    hashes.push(await pay(someone, 7n))
    const [first, second] = [1_000, 2_000].map((ms) => new Date(Date.parse(start) + ms).toISOString())
    expect(await history(id)).toEqual({
      values: [
        { value: '5', blockNumber: 2, timestamp: first, txHash: hashes[0] },
        { value: '5', blockNumber: 3, timestamp: first, txHash: hashes[1] },
        { value: '12', blockNumber: 4, timestamp: second, txHash: hashes[2] },
      ],
      anchor: null,
      periodStart: first,
      periodEnd: second,
    })
  })

  it('are recorded for the first time at the end of the next block when it has no transaction, whatever the trigger', async () => {
    const ids = [
      await track({ address: someone }),
      await track({ address: someone, recordTrigger: 'every-n-blocks', trackingFrequency: 5 }),
      await track({ address: someone, recordTrigger: 'cron', trackingFrequency: 3600 }),
    ]
    await rpc('evm_mine')
    for (const id of ids)
      expect((await history(id)).values).toMatchObject([{ value: '0', blockNumber: 2, txHash: zeroHash }])
    await rpc('evm_mine')
    await pay(someone, 3n)
    expect(await Promise.all(ids.map(async (id) => valuesOf(await history(id))))).toEqual([['0', '3'], ['0'], ['0']])
  })

  it('have a value after each transaction of a block, not only at its end', async () => {
    const { client } = network
    const id = await track({
      type: 'function-result',
      address: ledger,
      functionAbi: accountOf,
      functionArgs: args,
      functionOutputPath: 'account.balance',
    })
    await rpc('dev_setMiningMode', 'manual')
    const nonce = await client.getTransactionCount({ address: client.account.address })
    const request = { address: ledger, abi, functionName: 'put', gas: 300_000n, maxFeePerGas: 10n ** 11n } as const
    const hashes: Hex[] = []
    for (const [index, balance] of [1n, 2n, 2n, 3n].entries())
      hashes.push(await client.writeContract({ ...request, args: [someone, balance], nonce: nonce + index }))
    await rpc('evm_mine')
    const { values } = await history(id)
    expect(values.map(({ value, txHash }) => [value, txHash])).toEqual(
      ['1', '2', '2', '3'].map((value, index) => [value, hashes[index]]),
    )
    expect(new Set(values.map(({ blockNumber }) => blockNumber)).size).toBe(1)
  })

  it('are recorded every so many blocks', async () => {
    const id = await track({ address: someone, recordTrigger: 'every-n-blocks', trackingFrequency: 3 })
    for (let block = 2; block <= 12; block++) await pay(someone, 1n)
    const { values } = await history(id)
    expect(values.map(({ blockNumber, value }) => [blockNumber, value])).toEqual([
      [2, '1'],
      [5, '4'],
      [8, '7'],
      [11, '10'],
    ])
    // A block may be jumped over in a replay; blocks that are mined at once are not.
    await rpc('anvil_mine', '0x7')
    expect((await history(id)).values.map(({ blockNumber }) => blockNumber)).toEqual([2, 5, 8, 11, 14, 17])
  })

  it('hold balances of tokens, slots, and any part of what a function returns, as text', async () => {
    const token = await deployContract(network.client, artifacts.PlainToken, ['Plain', 'PLN', 10n ** 24n])
    const holder = network.client.account.address
    const slot = accountSlot(someone)
    const report =
      'function reportOf(address owner) view returns ((address owner, (uint128 balance, uint64 changes, bool open) account, int256[] history, bytes note, string title) report, uint256 length)'
    const reported = (functionOutputPath?: string) =>
      track({ type: 'function-result', address: ledger, functionAbi: report, functionArgs: args, functionOutputPath })
    const account = { balance: '9', changes: '2', open: 'true' }
    const whole = { owner: getAddress(someone), account, history: ['-8', '-9'], note: '0xc0ffee', title: 'a "title"' }
    const expected = [
      [
        await track({ type: 'erc20-balance', address: token, functionArgs: JSON.stringify([holder]) }),
        String(10n ** 24n),
      ],
      [await track({ type: 'erc20-balance', address: ledger, functionAbi: balanceOf, functionArgs: args }), '9'],
      [
        await track({ type: 'storage-variable', address: ledger, functionArgs: JSON.stringify([slot]) }),
        pad(`0x1${'2'.padStart(16, '0')}${'9'.padStart(32, '0')}`),
      ],
      [await reported(), JSON.stringify([whole, '2'])],
      [await reported('report'), JSON.stringify(whole)],
      [await reported('report.account'), JSON.stringify(account)],
      [await reported('report.account.balance'), '9'],
      [await reported('0.1.0'), '9'],
      [await reported('report.owner'), getAddress(someone)],
      [await reported('report.account.open'), 'true'],
      [await reported('report.history'), '["-8","-9"]'],
      [await reported('report.history.1'), '-9'],
      [await reported('report.note'), '0xc0ffee'],
      [await reported('report.title'), 'a "title"'],
      [await reported('length'), '2'],
      [await reported('1'), '2'],
    ] as const
    await put(8n)
    await put(9n)
    const items = await rpc<{ id: string; latestValue: { value: string } }[]>('dev_getTrackedData', {
      withValues: true,
    })
    expect(items.map(({ id, latestValue }) => [id, latestValue.value])).toEqual(expected)
  })

  it('record nothing while their function reverts, and say why', async () => {
    const id = await track({ type: 'function-result', address: ledger, functionAbi: balanceOf, functionArgs: args })
    await pay(other, 1n)
    expect(await history(id)).toMatchObject({ values: [] })
    expect((await item(id))?.lastError).toBe('execution reverted: account is closed')
    for (const balance of [4n, 0n, 0n, 6n]) await put(balance)
    expect(await item(id)).not.toHaveProperty('lastError')
    const { values } = await history(id)
    expect(values.map(({ value, blockNumber }) => [value, blockNumber])).toEqual([
      ['4', 3],
      ['6', 6],
    ])
    const nowhere = await track({ type: 'function-result', address: other, functionAbi: balanceOf, functionArgs: args })
    await pay(other, 1n)
    expect((await item(nowhere))?.lastError).toBe('nothing was returned; is there a contract?')
  })

  it.each([
    [{ address: '0x12' }, 'params[0].address'],
    [{ name: '' }, 'params[0].name'],
    [{ type: 'balance' }, 'params[0].type'],
    [{ colour: 'red' }, 'params[0].colour'],
    [{ tags: 'a' }, 'params[0].tags'],
    [{ recordTrigger: 'daily' }, 'params[0].recordTrigger'],
    [{ recordTrigger: 'cron' }, 'trackingFrequency'],
    [{ recordTrigger: 'every-n-blocks' }, 'trackingFrequency'],
    [{ recordTrigger: 'cron', trackingFrequency: 0 }, 'trackingFrequency'],
    [{ recordTrigger: 'cron', trackingFrequency: 1.5 }, 'trackingFrequency'],
    [{ recordTrigger: 'every-n-blocks', trackingFrequency: -1 }, 'trackingFrequency'],
    [{ recordTrigger: 'every-n-blocks', trackingFrequency: '5' }, 'params[0].trackingFrequency'],
    [{ type: 'storage-variable' }, 'functionArgs'],
    [{ type: 'storage-variable', functionArgs: '["0x1"]' }, 'functionArgs'],
    [{ type: 'storage-variable', functionArgs: `["${zeroHash}","${zeroHash}"]` }, 'functionArgs'],
    [{ type: 'erc20-balance' }, 'functionArgs'],
    [{ type: 'erc20-balance', functionArgs: '["0x12"]' }, 'functionArgs[0]'],
    [{ type: 'erc20-balance', functionArgs: `["${someone}"]`, functionAbi: 'function total()' }, 'functionAbi'],
    [{ type: 'function-result' }, 'functionAbi'],
    [{ type: 'function-result', functionAbi: 'what?' }, 'functionAbi'],
    [{ type: 'function-result', functionAbi: 'function touch()' }, 'functionAbi'],
    [{ type: 'function-result', functionAbi: balanceOf }, 'functionArgs'],
    [{ type: 'function-result', functionAbi: balanceOf, functionArgs: 'someone' }, 'functionArgs'],
    [{ type: 'function-result', functionAbi: balanceOf, functionArgs: '[true]' }, 'functionArgs[0]'],
    [
      {
        type: 'function-result',
        functionAbi: accountOf,
        functionArgs: `["${someone}"]`,
        functionOutputPath: 'account.x',
      },
      'functionOutputPath',
    ],
  ])('are refused when they make no sense: %j', async (given, field) => {
    const definition = { address: someone, name: 'a value', type: 'native-token-balance', ...given }
    const refused = { code: -32602, message: expect.stringContaining(`invalid params: ${field}`) }
    await expect(rpc('dev_addTrackedData', definition)).rejects.toMatchObject({ cause: refused })
    expect(await rpc('dev_getTrackedData')).toEqual([])
    const id = await track({ address: someone })
    const before = await item(id)
    await expect(rpc('dev_updateTrackedData', id, given)).rejects.toMatchObject({ cause: { code: -32602 } })
    expect(await item(id)).toEqual(before)
  })

  it('keep their history when the name, tags or trigger change, and lose it when another value is recorded', async () => {
    const id = await track({ address: someone, tags: ['a'] })
    await pay(someone, 1n)
    await pay(someone, 1n)
    const createdAt = new Date(clock.now()).toISOString()
    const base = { id, address: someone, name: 'a value', type: 'native-token-balance', createdAt }
    expect(await rpc('dev_updateTrackedData', id, { name: 'renamed', tags: ['b'] })).toEqual({
      ...base,
      name: 'renamed',
      recordTrigger: 'every-tx',
      tags: ['b'],
    })
    const rescheduled = { recordTrigger: 'every-n-blocks', trackingFrequency: 2 }
    expect(await rpc('dev_updateTrackedData', id, { ...rescheduled, tags: null })).toMatchObject({
      ...rescheduled,
      tags: [],
    })
    for (let block = 4; block <= 7; block++) await pay(someone, 1n)
    expect(valuesOf(await history(id))).toEqual(['1', '2', '3', '5'])
    await rpc('dev_updateTrackedData', id, { recordTrigger: 'every-tx', trackingFrequency: null })
    await pay(someone, 1n)
    await pay(other, 1n)
    expect(valuesOf(await history(id))).toEqual(['1', '2', '3', '5', '7', '7'])
    // The same value again changes nothing.
    await rpc('dev_updateTrackedData', id, {
      address: someone,
      type: 'native-token-balance',
      recordTrigger: 'every-tx',
    })
    expect(valuesOf(await history(id))).toHaveLength(6)

    const changes = [
      { address: ledger },
      { type: 'function-result', functionAbi: accountOf, functionArgs: args },
      { functionOutputPath: 'account.balance' },
      { functionArgs: JSON.stringify([other]) },
      { functionAbi: accountOf.replace('uint128 balance', 'uint256 balance') },
    ]
    for (const change of changes) {
      await rpc('dev_updateTrackedData', id, change)
      expect((await history(id)).values).toEqual([])
      await pay(other, 1n)
      expect((await history(id)).values).toHaveLength(1)
    }
  })

  it('keep their history when the ABI, the arguments or the path are only spelled differently', async () => {
    const call = await track({
      address: ledger,
      type: 'function-result',
      functionAbi: accountOf,
      functionArgs: args,
      functionOutputPath: 'account.balance',
    })
    const slot = await track({ address: ledger, type: 'storage-variable', functionArgs: `["0x${'ab'.repeat(32)}"]` })
    await put(3n)
    const [calls, slots] = [(await history(call)).values, (await history(slot)).values]
    expect([calls.length, slots.length]).toEqual([1, 1])
    const json = JSON.stringify(abi.find((part) => 'name' in part && part.name === 'accountOf'))
    const respelled = [
      { functionAbi: accountOf.replace(' view ', '  view  ').replace('address owner', 'address holder') },
      { functionAbi: json },
      { functionArgs: `[ "${getAddress(someone)}" ]` },
      { functionOutputPath: '0.0' },
    ]
    for (const changes of respelled) {
      await rpc('dev_updateTrackedData', call, { functionOutputPath: 'account.balance', ...changes })
      const { values } = await history(call)
      expect(values, JSON.stringify(changes)).toEqual(calls)
    }
    await rpc('dev_updateTrackedData', slot, { functionArgs: ` [ "0x${'AB'.repeat(32)}" ]` })
    expect((await history(slot)).values).toEqual(slots)
  })

  it('end a run that began at the end of the newest block without losing its first entry', async () => {
    const id = await track({ address: someone })
    await rpc('evm_mine')
    await rpc('dev_updateTrackedData', id, { recordTrigger: 'every-n-blocks', trackingFrequency: 100 })
    expect(valuesOf(await history(id))).toEqual(['0'])
    await pay(someone, 4n)
    await pay(someone, 4n)
    expect(valuesOf(await history(id))).toEqual(['0', '4'])
  })

  it('are removed with their history, and are not found any more', async () => {
    const id = await track({ address: someone })
    await pay(someone, 1n)
    expect(await rpc('dev_removeTrackedData', id)).toEqual({ id, removed: true })
    expect(await rpc('dev_getTrackedData')).toEqual([])
    for (const [method, ...params] of [
      ['dev_removeTrackedData'],
      ['dev_updateTrackedData', {}],
      ['dev_getTrackedDataValues'],
    ] as const)
      await expect(rpc(method, id, ...params)).rejects.toMatchObject({
        cause: { code: -32001, data: { kind: 'TRACKED_ITEM_NOT_FOUND', id } },
      })
    await network.restart()
    expect(await rpc('dev_getTrackedData')).toEqual([])
  })

  it('are listed by address and tag, with their latest values on request', async () => {
    const first = await track({ address: someone, tags: ['red', 'blue'] })
    const second = await track({ address: getAddress(ledger), tags: ['blue'] })
    await pay(someone, 3n)
    const third = await track({ address: someone })
    const ids = async (filter?: object) =>
      (await rpc<{ id: string }[]>('dev_getTrackedData', ...(filter ? [filter] : []))).map(({ id }) => id)
    expect(await ids()).toEqual([first, second, third])
    expect(await ids({ address: getAddress(someone) })).toEqual([first, third])
    expect(await ids({ tag: 'blue' })).toEqual([first, second])
    expect(await ids({ tag: 'blue', address: someone })).toEqual([first])
    expect(await ids({ tag: 'green' })).toEqual([])
    const createdAt = new Date(clock.now()).toISOString()
    const latestValue = { value: '3', blockNumber: 2, timestamp: createdAt }
    const shape = { name: 'a value', type: 'native-token-balance', recordTrigger: 'every-tx', createdAt }
    expect(await rpc('dev_getTrackedData', { withValues: true })).toEqual([
      { ...shape, id: first, address: someone, tags: ['red', 'blue'], latestValue },
      {
        ...shape,
        id: second,
        address: ledger.toLowerCase(),
        tags: ['blue'],
        latestValue: { ...latestValue, value: '0' },
      },
      { ...shape, id: third, address: someone, tags: [], latestValue: null },
    ])
  })

  it('show a trailing window with the value before it, up to a block, and as many as asked for', async () => {
    const id = await track({ address: someone })
    const start = clock.now()
    for (let minute = 0; minute < 30; minute++) {
      await pay(someone, 1n)
      clock.advance(60_000)
    }
    const iso = (ms: number) => new Date(ms).toISOString()
    const now = start + 30 * 60_000
    const all = valuesOf(await history(id))
    expect(all).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)))

    const window = await history(id, { period: '10min' })
    expect(valuesOf(window)).toEqual(all.slice(20))
    expect(window).toMatchObject({
      anchor: { value: '20', blockNumber: 21, timestamp: iso(now - 11 * 60_000) },
      periodStart: iso(now - 600_000),
      periodEnd: iso(now),
    })
    expect(window.anchor).not.toHaveProperty('txHash')

    const limited = await history(id, { period: '10min', limit: 3 })
    expect(valuesOf(limited)).toEqual(all.slice(27))
    expect(limited.anchor).toEqual(window.anchor)

    expect(valuesOf(await history(id, { maxBlockNumber: 6 }))).toEqual(all.slice(0, 5))
    expect(valuesOf(await history(id, { maxBlockNumber: 6, limit: 2 }))).toEqual(['4', '5'])
    const both = await history(id, { period: '10min', maxBlockNumber: 24 })
    expect([valuesOf(both), both.anchor]).toEqual([['21', '22', '23'], window.anchor])
    const before = await history(id, { period: '10min', maxBlockNumber: 10 })
    expect([before.values, before.anchor?.value]).toEqual([[], '9'])
    expect(await history(id, { period: '1h' })).toMatchObject({ anchor: null, periodStart: iso(now - 3_600_000) })
    for (const period of ['1d', '1w', '1m']) expect(valuesOf(await history(id, { period }))).toEqual(all)

    for (const options of [{ period: '2h' }, { limit: 0 }, { limit: 1.5 }, { maxBlockNumber: -1 }, { from: 1 }])
      await expect(history(id, options)).rejects.toMatchObject({ cause: { code: -32602 } })
  })

  it('go on across a restart', async () => {
    const ids = [
      await track({ address: someone }),
      await track({ address: someone, recordTrigger: 'every-n-blocks', trackingFrequency: 2 }),
    ]
    await pay(someone, 1n)
    await pay(someone, 1n)
    const items = await rpc('dev_getTrackedData', { withValues: true })
    await network.restart()
    expect(await rpc('dev_getTrackedData', { withValues: true })).toEqual(items)
    await pay(other, 1n)
    await pay(someone, 1n)
    expect(await Promise.all(ids.map(async (id) => valuesOf(await history(id))))).toEqual([
      ['1', '2', '2', '3'],
      ['1', '2'],
    ])
  })

  it('forget what a revert takes back, and go on from there', async () => {
    const id = await track({ address: someone })
    await pay(someone, 1n)
    const snapshot = await rpc('evm_snapshot')
    const late = await track({ address: someone, recordTrigger: 'every-n-blocks', trackingFrequency: 10 })
    await pay(someone, 1n)
    await pay(someone, 1n)
    await rpc('evm_revert', snapshot)
    expect([valuesOf(await history(id)), valuesOf(await history(late))]).toEqual([['1'], []])
    await pay(other, 1n)
    await pay(someone, 5n)
    expect([valuesOf(await history(id)), valuesOf(await history(late))]).toEqual([['1', '1', '6'], ['1']])
  })

  it('keep their history through a wipe, whose block they see', async () => {
    const id = await track({ address: someone, recordTrigger: 'every-n-blocks', trackingFrequency: 1 })
    const perTransaction = await track({ address: someone })
    await pay(someone, 8n)
    await rpc('mock_wipeLocalState')
    await pay(other, 1n)
    expect(valuesOf(await history(id))).toEqual(['8', '0', '0'])
    expect(valuesOf(await history(perTransaction))).toEqual(['8', '0'])
  })

  it('see direct writes with the next transaction', async () => {
    const id = await track({ address: someone })
    await pay(someone, 1n)
    await rpc('dev_setBalance', someone, '100')
    await pay(other, 1n)
    expect(valuesOf(await history(id))).toEqual(['1', '100'])
  })

  it('see what overrides make of their functions', async () => {
    await put(5n)
    const id = await track({ type: 'function-result', address: ledger, functionAbi: balanceOf, functionArgs: args })
    await pay(other, 1n)
    const override = { contractAddress: ledger, functionAbi: balanceOf, returnValues: ['77'] }
    const { id: overrideId } = await rpc<{ id: string }>('dev_addFunctionOverride', override)
    await pay(other, 1n)
    await rpc('dev_disableFunctionOverride', overrideId)
    await pay(other, 1n)
    expect(valuesOf(await history(id))).toEqual(['5', '77', '5'])
  })

  it('are evaluated again only when something that they read has changed', async () => {
    const { tracking } = network.node.services
    await put(5n)
    await put(5n, other)
    for (const owner of [someone, other])
      await track({
        type: 'function-result',
        address: ledger,
        functionAbi: balanceOf,
        functionArgs: JSON.stringify([owner]),
      })
    const age = 'function age() view returns (uint256 blockNumber, uint256 timestamp)'
    const ageId = await track({
      type: 'function-result',
      address: ledger,
      functionAbi: age,
      functionOutputPath: 'blockNumber',
    })
    await pay(someone, 1n)
    const evaluationsOf = async (act: () => Promise<unknown>) => {
      const before = tracking.evaluationCount()
      await act()
      return tracking.evaluationCount() - before
    }
    // The age depends on the block.
    expect(await evaluationsOf(() => pay(someone, 1n))).toBe(1)
    expect(await evaluationsOf(() => put(6n))).toBe(2)
    expect(await evaluationsOf(() => rpc('dev_setBalance', someone, '9').then(() => pay(someone, 1n)))).toBe(1)
    expect(valuesOf(await history(ageId))).toEqual(['4', '5', '6', '7'])
  })

  it('are pushed to who subscribes, once they are durable', async () => {
    const id = await track({ address: someone })
    const socket = await openSocket(network.url)
    const one = await socket.request<string>('eth_subscribe', 'dev_tracked', { id })
    const all = await socket.request<string>('eth_subscribe', 'dev_tracked')
    const second = await track({ address: other, recordTrigger: 'every-n-blocks', trackingFrequency: 1 })
    await pay(someone, 2n)
    const told = (subscription: string, count: number) =>
      eventually(
        async () => socket.notified<Record<string, unknown>>(subscription),
        (found) => found.length >= count,
      )
    const [entry] = (await history(id)).values
    expect(await told(one, 1)).toEqual([{ id, ...entry }])
    expect(await told(all, 2)).toEqual([
      { id, ...entry },
      { id: second, ...entry, value: '0', txHash: zeroHash },
    ])
    await expect(socket.request('eth_subscribe', 'dev_tracked', { id: 'nobody' })).rejects.toMatchObject({
      code: -32001,
    })
    await socket.close()
  })

  describe('with the cron trigger', () => {
    /** Until an item has so many entries, and its next one is waited for. */
    const untilRecorded = async (id: string, count: number) => {
      const recorded = await eventually(
        () => history(id),
        ({ values }) => values.length >= count,
      )
      await eventually(
        async () => clock.pending(),
        (timers) => timers.some((ms) => ms >= 1_000 && ms <= 60_000),
      )
      return recorded
    }

    it('are recorded on the latest block each time that many seconds go by', async () => {
      const id = await track({ address: someone, recordTrigger: 'cron', trackingFrequency: 60 })
      await pay(someone, 1n)
      const start = clock.now()
      clock.advance(59_999)
      await pay(someone, 1n)
      expect(valuesOf(await history(id))).toEqual(['1'])
      clock.advance(1)
      await untilRecorded(id, 2)
      await rpc('dev_setBalance', someone, '50')
      clock.advance(60_000)
      const { values } = await untilRecorded(id, 3)
      const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()
      expect(values).toEqual([
        { value: '1', blockNumber: 2, timestamp: at(0), txHash: zeroHash },
        { value: '2', blockNumber: 3, timestamp: at(60), txHash: zeroHash },
        { value: '50', blockNumber: 3, timestamp: at(120), txHash: zeroHash },
      ])
    })

    it('are recorded once for the time that was missed, and then in the old rhythm', async () => {
      const id = await track({ address: someone, recordTrigger: 'cron', trackingFrequency: 60 })
      await rpc('evm_mine')
      await network.node.stop()
      clock.advance(60_000 * 100 + 20_000)
      await network.restart()
      await untilRecorded(id, 2)
      clock.advance(39_999)
      await pay(other, 1n)
      expect((await history(id)).values).toHaveLength(2)
      clock.advance(1)
      await untilRecorded(id, 3)
      clock.advance(59_999)
      await pay(other, 1n)
      expect((await history(id)).values).toHaveLength(3)
    })

    it('go on while the network is ahead of the clock', async () => {
      const id = await track({ address: someone, recordTrigger: 'cron', trackingFrequency: 1 })
      await rpc('evm_increaseTime', 86_400)
      await rpc('evm_mine')
      for (let count = 2; count <= 4; count++) {
        clock.advance(1_000)
        await untilRecorded(id, count)
      }
      const { values } = await history(id, { period: '10min' })
      const times = values.map(({ timestamp }) => Date.parse(timestamp) - clock.now())
      expect(times).toEqual([86_397_000, 86_398_000, 86_399_000, 86_400_000])
    })
  })
})
