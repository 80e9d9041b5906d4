import { connect } from 'node:net'
import { artifacts, deployContract, requireSuccess, testAccounts } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket, type RawSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
let socket: RawSocket
beforeAll(async () => {
  network = await startNetwork({ bodyLimit: 100_000, batchLimit: 3, subscriptionLimit: 8, webSocketLimit: 4 })
  socket = await openSocket(network.url)
})
afterAll(() => network.stop())

const [, bob] = testAccounts
const counter = artifacts.Counter
const notifications = <T>(id: string, count: number, from = socket) =>
  eventually(
    async () => from.notified<T>(id),
    (found) => found.length >= count,
  )

describe('requests over WebSocket', () => {
  it('are answered, alone and in batches, with errors as over HTTP', async () => {
    expect(await socket.request('eth_chainId')).toBe('0x7a69')
    await expect(socket.request('eth_nope')).rejects.toMatchObject({ code: -32601 })
    await expect(socket.request('eth_getBalance', '0x12')).rejects.toMatchObject({ code: -32602 })
    const item = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })
    expect(await socket.exchange(JSON.stringify([item('a'), item('b')]))).toMatchObject([{ id: 'a' }, { id: 'b' }])
    expect(await socket.exchange(JSON.stringify([1, 2, 3, 4].map(item)))).toMatchObject({ error: { code: -32005 } })
    expect(await socket.exchange('[]')).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await socket.exchange('{')).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await socket.exchange('7')).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it('that are notifications get no answer', async () => {
    socket.socket.send('{"jsonrpc":"2.0","method":"eth_chainId"}')
    expect(await socket.exchange('{"id":"after","method":"net_version"}')).toMatchObject({ id: 'after' })
  })

  it('close the connection with 1009 when they are too long', async () => {
    const other = await openSocket(network.url)
    other.socket.send('x'.repeat(100_001))
    expect(await other.closed).toMatchObject({ code: 1009 })
    expect(await socket.request('eth_chainId')).toBe('0x7a69')
  })

  it('close the connection with 1007 when they are not UTF-8', async () => {
    const other = await openSocket(network.url)
    other.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect(await other.closed).toMatchObject({ code: 1007 })
  })
})

describe('the connection', () => {
  it('is for as many as the limit says, and free again when one leaves', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openSocket(network.url)))
    await expect(openSocket(network.url)).rejects.toThrow('HTTP 503')
    await Promise.all(others.map((other) => other.close()))
    const free = await eventually(
      () => openSocket(network.url).catch(() => undefined),
      (opened) => opened !== undefined,
    )
    await free?.close()
  })

  it('is closed to foreign hosts and at other paths', async () => {
    await expect(openSocket(network.url, { host: 'evil.example' })).rejects.toThrow('HTTP 403')
    await expect(openSocket(`${network.url}/nowhere`)).rejects.toThrow('HTTP 404')
  })

  it('stands when a peer speaks nonsense', async () => {
    const peer = connect(Number(new URL(network.url).port), '127.0.0.1')
    const gone = new Promise((resolve) => peer.once('close', resolve))
    peer.on('error', () => {})
    peer.resume()
    peer.write(
      'GET // HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: no\r\n\r\n',
    )
    await gone
    expect(await socket.request('eth_chainId')).toBe('0x7a69')
  })
})

describe('eth_subscribe', () => {
  it('tells of new heads, in their order, until eth_unsubscribe', async () => {
    const id = await socket.request<string>('eth_subscribe', 'newHeads')
    expect(id).toMatch(/^0x[1-9a-f][\da-f]*$/)
    await network.rpc('anvil_mine', '0x3')
    const heads = await notifications<{ number: string; hash: string; parentHash: string }>(id, 3)
    const blocks = await Promise.all(
      heads.map(({ number }) => network.rpc<Record<string, unknown>>('eth_getBlockByNumber', number, false)),
    )
    for (const [index, head] of heads.entries()) expect(blocks[index]).toMatchObject(head)
    expect(heads[1]?.parentHash).toBe(heads[0]?.hash)
    expect(heads[0]).not.toHaveProperty('transactions')

    expect(await socket.request('eth_unsubscribe', id)).toBe(true)
    expect(await socket.request('eth_unsubscribe', id)).toBe(false)
    await network.rpc('evm_mine')
    await socket.request('eth_chainId')
    expect(socket.notified(id)).toHaveLength(3)
  })

  it('tells of the receipts of each block, or of the transactions that are asked for', async () => {
    const [from] = await network.rpc<string[]>('eth_accounts')
    const transfer = { from, to: from, gas: '0x5208' }
    await network.rpc('dev_setMiningMode', 'manual')
    const sent = await Promise.all([1, 2].map(() => network.rpc<string>('eth_sendTransaction', transfer)))
    const all = await socket.request<string>('eth_subscribe', 'transactionReceipts')
    const one = await socket.request<string>('eth_subscribe', 'transactionReceipts', { transactionHashes: [sent[1]] })
    await network.rpc('evm_mine')
    await network.rpc('dev_setMiningMode', 'instant')
    const [[told], [asked]] = [await notifications<object[]>(all, 1), await notifications<object[]>(one, 1)]
    expect(told).toEqual(await network.rpc('eth_getBlockReceipts', 'latest'))
    expect(told).toHaveLength(2)
    expect(asked).toMatchObject([{ transactionHash: sent[1] }])
    for (const id of [all, one]) await socket.request('eth_unsubscribe', id)
  })

  it('tells of the logs that match, and takes them back with removed: true', async () => {
    const address = await deployContract(network.client, counter, [0n])
    const other = await deployContract(network.client, counter, [0n])
    const increment = async (to: typeof address) =>
      requireSuccess(
        network.client,
        await network.client.writeContract({ address: to, abi: counter.abi, functionName: 'increment' }),
      )
    await increment(address)
    const snapshot = await network.rpc('evm_snapshot')
    await increment(address)
    const id = await socket.request<string>('eth_subscribe', 'logs', { address })
    const { logs: sealed } = await increment(address)
    await increment(other)
    const byTopic = await socket.request<string>('eth_subscribe', 'logs', { topics: [sealed[0]?.topics] })
    const none = await socket.request<string>('eth_subscribe', 'logs', { topics: [null, null, null, null] })
    await increment(other)
    await network.rpc('evm_revert', snapshot)
    await increment(address)

    const told = await notifications<Record<string, unknown>>(id, 3)
    expect(told.map(({ removed }) => removed)).toEqual([false, true, false])
    expect(told[1]).toEqual({ ...told[0], removed: true })
    expect(await network.rpc('eth_getLogs', { address, fromBlock: told[2]?.blockNumber })).toEqual([told[2]])
    expect(
      (await notifications<Record<string, unknown>>(byTopic, 3)).map(({ address, removed }) => [address, removed]),
    ).toEqual([
      [other.toLowerCase(), false],
      [other.toLowerCase(), true],
      [address.toLowerCase(), false],
    ])
    expect(socket.notified(none)).toEqual([])
    for (const each of [id, byTopic, none]) await socket.request('eth_unsubscribe', each)
  })

  it('tells of pending transactions by hash, and whole', async () => {
    await network.rpc('evm_setAutomine', false)
    const hashes = await socket.request<string>('eth_subscribe', 'newPendingTransactions')
    const whole = await socket.request<string>('eth_subscribe', 'newPendingTransactions', true)
    const hash = await network.client.sendTransaction({ to: bob.address, value: 1n })
    expect(await notifications(hashes, 1)).toEqual([hash])
    expect(await notifications(whole, 1)).toMatchObject([{ hash, blockHash: null, value: '0x1' }])
    await network.rpc('evm_setAutomine', true)
    for (const each of [hashes, whole]) await socket.request('eth_unsubscribe', each)
  })

  it('takes syncing, which never says anything', async () => {
    const id = await socket.request<string>('eth_subscribe', 'syncing')
    expect(await socket.request('eth_unsubscribe', id)).toBe(true)
  })

  it('tells where the network stands: at once, and when something changes', async () => {
    const id = await socket.request<string>('eth_subscribe', 'dev_network')
    const [first] = await notifications(id, 1)
    expect(first).toEqual(await network.rpc('dev_getNetworkInfo'))
    await network.rpc('evm_mine')
    await network.rpc('dev_setMiningMode', 'manual')
    expect((await notifications<{ mode: string }>(id, 3)).map(({ mode }) => mode)).toEqual([
      'instant',
      'instant',
      'manual',
    ])
    await network.rpc('dev_setMiningMode', 'instant')
    await socket.request('eth_unsubscribe', id)
  })

  it('tells which methods changed the network', async () => {
    const id = await socket.request<string>('eth_subscribe', 'dev_changes')
    await network.rpc('dev_setNonce', bob.address, 500)
    await network.rpc('dev_setNonce', bob.address, -1).catch(() => {})
    await network.rpc('eth_chainId')
    await network.rpc('dev_getAuditLog')
    await network.rpc('anvil_setBalance', bob.address, '0x1')
    expect(await notifications(id, 2)).toEqual([{ method: 'dev_setNonce' }, { method: 'dev_setBalance' }])
    await socket.request('eth_unsubscribe', id)
  })

  it('refuses what it does not know, and says where', async () => {
    await expect(socket.request('eth_subscribe', 'newHats')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/params\[0\] \(topic\): expected one of newHeads, logs/),
    })
    await expect(socket.request('eth_subscribe', 'logs', { address: '0x12' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('params[1].address'),
    })
    await expect(socket.request('eth_subscribe')).rejects.toMatchObject({ code: -32602 })
  })

  it('is refused over HTTP with a word on what to do', async () => {
    await expect(network.rpc('eth_subscribe', 'newHeads')).rejects.toMatchObject({ code: -32004 })
    expect(await network.rpc('eth_unsubscribe', '0x1')).toBe(false)
  })

  it('has a limit for each connection', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => socket.request<string>('eth_subscribe', 'newHeads')))
    await expect(socket.request('eth_subscribe', 'newHeads')).rejects.toMatchObject({ code: -32005 })
    for (const id of ids) await socket.request('eth_unsubscribe', id)
  })

  it('answers with the id before the first notification has it', async () => {
    const order: string[] = []
    const other = await openSocket(network.url)
    other.socket.on('message', (data) => order.push(JSON.parse(String(data)).method ?? 'answer'))
    const subscribe = { method: 'eth_subscribe', params: ['newHeads'] }
    await other.exchange(
      JSON.stringify([
        { id: 1, ...subscribe },
        { id: 2, method: 'evm_mine' },
        { id: 3, ...subscribe },
      ]),
    )
    await eventually(
      async () => order,
      ({ length }) => length === 2,
    )
    expect(order).toEqual(['answer', 'eth_subscription'])
    await other.close()
  })
})
