import { artifacts, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { type Address, type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { fillTransaction, sendRawTransactionSync, sendTransactionSync } from 'viem/actions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Json = Record<string, unknown>

let network: TestNetwork
let counter: Address
beforeEach(async () => {
  network = await startNetwork()
  counter = await deployContract(network.client, artifacts.Counter, [7n])
})
afterEach(() => network?.stop())

const [alice, bob] = testAccounts.map(({ address }) => address.toLowerCase() as Address) as [Address, Address]
const stranger = '0x00000000000000000000000000000000000000aa'
const rpc = <T = Json>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
const failure = async (method: string, ...params: unknown[]) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(network.url, { method: 'POST', body })
  return ((await response.json()) as { error?: { code: number; message: string; data: unknown } }).error
}

describe('a transaction', () => {
  it('is filled in without being sent', async () => {
    const nonce = await network.client.getTransactionCount({ address: alice })
    const { transaction, raw } = await fillTransaction(network.client, { account: alice, to: bob, value: 5n })
    expect(transaction).toMatchObject({ from: alice, to: bob, nonce, gas: 21_000n, value: 5n, type: 'eip1559' })
    expect(parseTransaction(raw)).toMatchObject({ nonce, gas: 21_000n, to: bob })
    expect(await network.client.getTransactionCount({ address: alice })).toBe(nonce)
    const { tx } = await rpc<{ tx: Json }>('eth_fillTransaction', { from: stranger, to: bob })
    expect(tx).not.toHaveProperty('r')
  })

  it('is signed with the key of a funded account, and can be sent then', async () => {
    const signed = await rpc<{ raw: Hex; tx: Json }>('eth_signTransaction', { from: alice, to: bob, value: '0x5' })
    expect(signed.tx).toMatchObject({ from: alice, to: bob, value: '0x5', gas: '0x5208' })
    expect((await recoverTransactionAddress({ serializedTransaction: signed.raw as never })).toLowerCase()).toBe(alice)
    expect(await rpc('eth_sendRawTransaction', signed.raw)).toBe(signed.tx.hash)
    expect(await failure('eth_signTransaction', { from: stranger, to: bob })).toMatchObject({ code: -32003 })
    await rpc('dev_impersonateAccount', stranger)
    expect(await failure('eth_signTransaction', { from: stranger, to: bob, gas: '0x5208' })).toMatchObject({
      code: -32004,
      message: expect.stringContaining('has no key here'),
    })
  })

  it('is refused clearly when it has hashes that are of no blob', async () => {
    const request = { from: alice, to: bob, gas: '0x5208', blobVersionedHashes: [`0x${'13'.repeat(32)}`] }
    for (const method of ['eth_sendTransaction', 'eth_fillTransaction', 'eth_signTransaction', 'eth_call'])
      expect(await failure(method, request)).toMatchObject({
        code: -32602,
        message: expect.stringContaining('.blobVersionedHashes[0]: is the hash of no blob: it begins with 0x01'),
      })
  })

  it('has the type that its fields ask for', async () => {
    const authority = privateKeyToAccount(generatePrivateKey())
    const authorization = await network.client.signAuthorization({ account: authority, address: counter })
    const receipt = await rpc('eth_sendTransactionSync', {
      from: alice,
      to: bob,
      authorizationList: [
        {
          chainId: `0x${authorization.chainId.toString(16)}`,
          address: counter,
          nonce: `0x${authorization.nonce.toString(16)}`,
          yParity: `0x${authorization.yParity?.toString(16)}`,
          r: authorization.r,
          s: authorization.s,
        },
      ],
    })
    expect(receipt).toMatchObject({ type: '0x4', status: '0x1' })
    expect(await rpc('eth_getCode', authority.address)).toBe(`0xef0100${counter.slice(2).toLowerCase()}`)
  })

  it('is answered with its receipt when the sender waits for it', async () => {
    const { raw } = await rpc<{ raw: Hex }>('eth_signTransaction', { from: alice, to: counter, data: '0xd09de08a' })
    const receipt = await sendRawTransactionSync(network.client, { serializedTransaction: raw as never })
    expect(receipt).toMatchObject({ status: 'success', from: alice, to: counter.toLowerCase() })
    expect(receipt.logs).toHaveLength(1)
    const sent = await sendTransactionSync(network.client, {
      account: alice,
      to: counter,
      value: 0n,
      data: '0xd09de08a',
    })
    expect(sent.blockNumber).toBe(receipt.blockNumber + 1n)
  })

  it('is sealed with others that pay the same account at once, and changes what it would change alone', async () => {
    const to: Address = '0x00000000000000000000000000000000000000ab'
    await rpc('dev_setBalance', to, '0x1')
    const senders = testAccounts.slice(2)
    const signed = await Promise.all(
      senders.map(({ address }, index) =>
        rpc<{ raw: Hex }>('eth_signTransaction', { from: address, to, value: `0x${(index + 1).toString(16)}` }),
      ),
    )
    const hashes = await Promise.all(signed.map(({ raw }) => rpc<Hex>('eth_sendRawTransaction', raw)))
    const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    type Side = Record<Address, { balance: Hex }>
    for (const hash of hashes) {
      const { blockNumber, from } = await network.client.getTransactionReceipt({ hash })
      const { pre, post } = await rpc<{ pre: Side; post: Side }>('debug_traceTransaction', hash, tracer)
      for (const address of [from, to]) {
        const balanceAt = (number: bigint) => network.client.getBalance({ address, blockNumber: number })
        expect(BigInt(post[address]?.balance ?? 0)).toBe(await balanceAt(blockNumber))
        expect(BigInt(pre[address]?.balance ?? 0)).toBe(await balanceAt(blockNumber - 1n))
      }
    }
    expect(await network.client.getBalance({ address: to })).toBe(7n)
  })

  it('is waited for until a block holds it, or the time is over', async () => {
    await rpc('dev_setMiningMode', 'manual')
    const late = await failure('eth_sendTransactionSync', { from: alice, to: bob, value: '0x1' }, 1)
    expect(late).toMatchObject({ code: 4, message: expect.stringContaining('was not sealed within 1 ms') })
    const waiting = rpc('eth_sendTransactionSync', { from: alice, to: bob, value: '0x2' }, '0x7530')
    await eventually(
      () => rpc('txpool_status'),
      ({ pending }) => pending === '0x2',
    )
    await rpc('evm_mine')
    expect(await waiting).toMatchObject({ status: '0x1', transactionIndex: '0x1' })
    expect(await rpc('eth_getTransactionReceipt', late?.data)).toMatchObject({ transactionIndex: '0x0' })
    expect(await rpc('eth_mining')).toBe(false)
    await rpc('dev_setMiningMode', 'instant')
  })
})

const post = async (body: unknown) =>
  (await fetch(network.url, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<unknown>

describe('an unsigned transaction that is sent alone, which takes a shorter way than in a batch', () => {
  const sending = (request: unknown, id = 1) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_sendTransaction',
    params: [request],
  })
  const bothWays = async (request: unknown) => {
    const alone = await post(sending(request))
    expect([alone]).toEqual(await post([sending(request)]))
    return (alone as { error?: { message: string } }).error?.message
  }
  const transactionOf = async ({ result }: { result?: Hex }) =>
    rpc<Record<'nonce' | 'blockNumber', Hex>>('eth_getTransactionByHash', result)

  it('is filled in as there', async () => {
    const data = `0x${'d09de08a'.padEnd(8, '0')}`
    const requests = [
      { from: alice, to: bob, value: '0x7' },
      { from: alice, to: counter, data },
      {
        from: alice,
        to: counter,
        input: data,
        gas: '0x186a0',
        maxFeePerGas: '0x2540be400',
        maxPriorityFeePerGas: '0x3',
      },
      { from: alice, to: bob, gas: '0x5208', gasPrice: '0x2540be400' },
    ]
    const own = ['blockHash', 'blockNumber', 'blockTimestamp', 'hash', 'nonce', 'r', 's', 'v', 'yParity', 'gasPrice']
    const rest = (found: object) =>
      Object.entries(found).filter(([name]) => !own.includes(name) && name !== 'maxFeePerGas')
    for (const request of requests) {
      const alone = await transactionOf((await post(sending(request))) as { result: Hex })
      const [batched] = (await post([sending(request)])) as [{ result: Hex }]
      const found = await transactionOf(batched)
      expect(Number(found.nonce)).toBe(Number(alone.nonce) + 1)
      expect(rest(alone)).toEqual(rest(found))
    }
  })

  it('is refused with the same words', async () => {
    const all = await rpc<Hex>('eth_getBalance', alice, 'latest')
    expect(await bothWays({ from: stranger.replace('aa', 'ab'), to: bob })).toContain('impersonate')
    expect(await bothWays({ from: alice, to: bob, value: all })).toContain('insufficient funds')
    expect(await bothWays({ from: alice, to: bob, nonce: '0x0' })).toContain('nonce too low')
    expect(await bothWays({ from: alice, to: bob, chainId: '0x5' })).toContain('chain id')
    expect(await bothWays({ from: alice, to: bob, gas: '0x5207' })).toContain('gas')
    expect(await bothWays({ from: alice, to: counter, data: '0x12345678' })).toContain('revert')
  })

  it('gets the next nonce beside those that take longer', async () => {
    const nonce = Number(await rpc<Hex>('eth_getTransactionCount', alice, 'latest'))
    const requests = [
      { from: alice, data: artifacts.Counter.bytecode + '7'.padStart(64, '0') },
      { from: alice, to: bob, value: '0x1' },
      { to: bob, value: '0x2' },
      { from: alice, to: counter, data: '0xd09de08a' },
    ]
    const answers = await Promise.all(requests.map((request) => post(sending(request))))
    const found = await Promise.all(answers.map((answer) => transactionOf(answer as { result: Hex })))
    const nonces = found.map((transaction) => Number(transaction.nonce) - nonce)
    expect(nonces.toSorted()).toEqual([0, 1, 2, 3])
  })

  it('gets the next nonce while blocks take those that arrived before it', async () => {
    const requests = [
      { from: alice, to: bob, value: '0x1' },
      { from: alice, to: counter, data: '0xd09de08a' },
      { from: alice, to: counter, data: '0xd09de08a', gas: '0x30000' },
    ]
    let left = 1500
    const problems: unknown[] = []
    const client = async () => {
      while (left-- > 0) {
        const { error } = (await post(sending(requests[left % requests.length]))) as { error?: unknown }
        if (error) problems.push(error)
      }
    }
    await Promise.all(Array.from({ length: 16 }, client))
    expect(problems).toEqual([])
  }, 60_000)
})

describe('a raw transaction that is sent alone, which takes a shorter way than in a batch', () => {
  const sending = (raw: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] })
  const bothWays = async (raw: unknown) => {
    const alone = await post(sending(raw))
    expect([alone]).toEqual(await post([sending(raw)]))
    return (alone as { error?: { message: string } }).error?.message
  }
  const signed = async (fields: Json) => {
    const { raw } = await rpc<{ raw: Hex }>('eth_signTransaction', { from: alice, gas: '0x5208', ...fields })
    return raw
  }

  const recipient = '0x00000000000000000000000000000000000000ed'

  it('is refused with the same words', async () => {
    const nonce = BigInt(await rpc<Hex>('eth_getTransactionCount', alice, 'latest'))
    const sent = await signed({ to: recipient, value: '0x1' })
    const sealed = await rpc<Hex>('eth_sendRawTransaction', sent)
    expect(await bothWays(sent)).toMatch(/nonce too low|already known/)
    expect(await bothWays(await signed({ to: recipient, nonce: '0x0', value: '0x2' }))).toContain('nonce too low')
    const all = await rpc<Hex>('eth_getBalance', alice, 'latest')
    expect(await bothWays(await signed({ to: recipient, value: all }))).toContain('insufficient funds')
    expect(await bothWays(await signed({ to: recipient, gas: '0x5207' }))).toContain('gas')
    expect(await bothWays(await signed({ to: recipient, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }))).toContain(
      'fee',
    )
    expect(await bothWays(`${sent}00`)).toBeDefined()
    expect(await bothWays(`${sent.slice(0, -2)}`)).toBeDefined()
    expect(await bothWays('0x02')).toBeDefined()
    expect(await bothWays(7)).toBeDefined()
    expect(BigInt(await rpc<Hex>('eth_getTransactionCount', alice, 'latest'))).toBe(nonce + 1n)
    expect(await rpc('eth_getTransactionReceipt', sealed)).toMatchObject({ status: '0x1' })
  })

  it('is sealed with the same result, and when its recipient is not in memory', async () => {
    const receipts: Json[] = []
    for (const [index, wrap] of [(one: Json): unknown => one, (one: Json): unknown => [one]].entries()) {
      const raw = await signed({ to: `0x${'f'.repeat(38)}a${index}`, value: '0x7' })
      const answer = await post(wrap(sending(raw)))
      const [{ result }] = [answer].flat() as [{ result: Hex }]
      receipts.push(await rpc('eth_getTransactionReceipt', result))
    }
    const [alone, batched] = receipts
    expect(BigInt(batched?.blockNumber as Hex)).toBe(BigInt(alone?.blockNumber as Hex) + 1n)
    const own = ['blockNumber', 'blockHash', 'transactionHash', 'to', 'effectiveGasPrice', 'blockTimestamp']
    const rest = (receipt: Json = {}) => Object.entries(receipt).filter(([name]) => !own.includes(name))
    expect(rest(alone)).toEqual(rest(batched))
  })

  it('waits for the one before it of its sender', async () => {
    const nonce = Number(await rpc<Hex>('eth_getTransactionCount', alice, 'latest'))
    const raws: Hex[] = []
    for (const later of [2, 1, 0])
      raws.push(await signed({ to: recipient, nonce: `0x${(nonce + later).toString(16)}` }))
    const answers = (await Promise.all(raws.map((raw) => post(sending(raw))))) as { result?: Hex }[]
    const blocks = async () => {
      const found = await Promise.all(answers.map(({ result }) => rpc<Json>('eth_getTransactionReceipt', result)))
      return found.map((receipt) => Number(receipt?.blockNumber))
    }
    const [third = 0, second, first = 0] = await eventually(blocks, (numbers) => numbers.every((number) => number > 0))
    expect([second, third]).toEqual([first + 1, first + 2])
  })
})

describe('what the network says of itself', () => {
  it('tells its rules', async () => {
    const { current, next } = await rpc<{ current: Json; next: null }>('eth_config')
    expect(current).toMatchObject({ activationTime: 0, chainId: '0x7a69', blobSchedule: { max: 9, target: 6 } })
    expect(Object.keys(current.precompiles as Json)).toHaveLength(0x12)
    expect(next).toBeNull()
  })

  it('tells how far back it can be asked', async () => {
    const { hash, number } = await network.client.getBlock()
    expect(await rpc('eth_capabilities')).toMatchObject({
      head: { hash, number: `0x${number.toString(16)}` },
      state: { disabled: false, oldestBlock: '0x0' },
      stateproofs: { disabled: true },
    })
    const { baseFeePerGas } = await network.client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] })
    expect(await rpc('eth_baseFee')).toBe(`0x${baseFeePerGas[1]?.toString(16)}`)
    expect(await rpc('eth_getAccountInfo', counter)).toMatchObject({ nonce: '0x1', balance: '0x0' })
  })
})

it('has a nonce of its own when many are sent at once, however long upstream takes', async () => {
  const anvil = await startAnvil()
  const fork = await startNetwork({ forkUrls: [anvil.url] })
  const recipients = Array.from({ length: 20 }, (_, index) => `0x${(0xabcd00 + index).toString(16).padStart(40, '0')}`)
  const hashes = await Promise.all(
    recipients.map((to) => fork.rpc<Hex>('eth_sendTransaction', { from: bob, to, value: '0x1' })),
  )
  const transactions = await Promise.all(hashes.map((hash) => fork.client.getTransaction({ hash })))
  expect(transactions.map((each) => each.nonce).sort((a, b) => a - b)).toEqual(hashes.map((_, index) => index))
  await fork.stop()
  await anvil.stop()
})
