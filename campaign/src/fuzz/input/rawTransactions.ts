import { type Random, testAccounts } from '@understudy/testkit'
import { bytesToHex, fromRlp, type Hex, hexToBytes, keccak256, numberToHex, toRlp } from 'viem'
import type { Figures } from '../../shared/figures.ts'
import { ask, internalError } from '../answers.ts'
import { differenceOf, stateOf } from './digest.ts'
import type { Faults } from './faults.ts'

type Item = Hex | Item[]

/** What takes a raw transaction. The first sends it. */
const ways: readonly (readonly [method: string, paramsOf: (raw: Hex) => unknown[]])[] = [
  ['eth_sendRawTransaction', (raw) => [raw]],
  ['eth_sendRawTransactionConditional', (raw) => [raw, {}]],
  ['trace_rawTransaction', (raw) => [raw, ['trace']]],
  ['eth_callBundle', (raw) => [{ txs: [raw], blockNumber: '0x1', stateBlockNumber: 'latest' }]],
  ['anvil_reorg', (raw) => [0, [[raw, 0]]]],
]

/** Words of programs, not of a network. */
const ofAProgram = /Cannot read|is not a function|undefined|is not iterable|Invalid array length|BigInt/

const [sender] = testAccounts
const to = '0x00000000000000000000000000000000000000aa'
const word: Hex = `0x${'ab'.repeat(32)}`
const types = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702'] as const

/**
 * Sends signed transactions with a byte or an RLP item changed. Each is refused with a reason and leaves no trace, or is known
 * by the hash of its bytes.
 */
export async function fuzzRawTransactions(
  url: string,
  { count, random, figures, faults }: { count: number; random: Random; figures: Figures; faults: Faults },
): Promise<void> {
  const chainId = Number((await ask(url, 'eth_chainId', [])).result)
  let before = await stateOf(url)
  for (let index = 0; index < count; index++) {
    const raw = changed(await signed(chainId, url, random), random)
    const [method, paramsOf] = random.below(2) === 0 ? (ways[0] as (typeof ways)[number]) : random.pick(ways)
    await faults.during(`"method":"${method}" ${raw}`, async () => {
      const { result, error } = await ask(url, method, paramsOf(raw))
      figures.add(error ? 'raw transactions refused' : 'raw transactions taken')
      if (error?.code === internalError || ofAProgram.test(error?.message ?? ''))
        throw new Error(`no reason is given: ${error?.message}`)
      const after = await stateOf(url)
      if (error && after !== before) throw new Error(`one that is refused changed ${differenceOf(before, after)}`)
      before = after
      if (method === 'eth_sendRawTransaction' && result !== undefined && result !== keccak256(raw))
        throw new Error(`its hash is ${result}, and not that of its bytes`)
    })
  }
}

async function signed(chainId: number, url: string, random: Random): Promise<Hex> {
  const type = random.pick(types)
  const { result } = await ask(url, 'eth_getTransactionCount', [sender.address, 'pending'])
  const priced = type === 'legacy' || type === 'eip2930'
  const accessList = random.below(2) === 0 ? [] : [{ address: to, storageKeys: [word, word] }]
  const authorization = { chainId: 0, address: to, nonce: random.below(3), r: word, s: numberToHex(7), yParity: 1 }
  return sender.signTransaction({
    type,
    ...(type === 'legacy' && random.below(2) === 0 ? {} : { chainId }),
    nonce: Number(result) + random.below(2),
    to,
    value: BigInt(random.pick([0, 1, 0x1234])),
    gas: 200_000n,
    data: bytesToHex(random.bytes(random.below(3))),
    ...(priced ? { gasPrice: 10n ** 11n } : { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }),
    ...(type !== 'legacy' && { accessList }),
    ...(type === 'eip4844' && { maxFeePerBlobGas: 10n ** 9n, blobVersionedHashes: [`0x01${word.slice(4)}`] }),
    ...(type === 'eip7702' && { authorizationList: [authorization] }),
  } as never)
}

function changed(raw: Hex, random: Random): Hex {
  if (random.below(8) === 0) return raw
  if (random.below(3) === 0) return withBytesChanged(raw, random)
  const isTyped = Number.parseInt(raw.slice(2, 4), 16) < 0x80
  const prefix = isTyped ? raw.slice(0, 4) : '0x'
  const items = fromRlp(isTyped ? `0x${raw.slice(4)}` : raw, 'hex') as Item[]
  const paths = pathsOf(items)
  let made: Item = items
  for (let changes = 1 + random.below(2); changes > 0; changes--)
    made = changedAt(made, random.pick(paths), (item) => otherItem(item, random))
  return `${prefix}${toRlp(made as never).slice(2)}` as Hex
}

function withBytesChanged(raw: Hex, random: Random): Hex {
  const bytes = hexToBytes(raw)
  if (random.below(4) === 0) return bytesToHex(bytes.subarray(0, random.below(bytes.length)))
  if (random.below(4) === 0) return bytesToHex(new Uint8Array([...bytes, ...random.bytes(1 + random.below(3))]))
  for (let changes = 1 + random.below(3); changes > 0; changes--) bytes[random.below(bytes.length)] = random.below(256)
  return bytesToHex(bytes)
}

/** Another item: an integer with leading zeros or too long, a key of another length, a list instead of bytes. */
function otherItem(item: Item, random: Random): Item {
  if (typeof item !== 'string')
    return random.pick<Item>([[], '0x', [...item, '0x01'], item.slice(0, -1), [...item, ...item], [item], [[]]])
  const digits = item.slice(2)
  return random.pick<Item>([
    `0x00${digits}`,
    `0x0000${digits}`,
    `0x${digits}01`,
    `0x${digits.slice(2)}`,
    '0x',
    '0x00',
    `0x${'ff'.repeat(random.pick([1, 8, 9, 20, 32, 33]))}`,
    bytesToHex(random.bytes(random.below(40))),
    [],
    [item],
  ])
}

function pathsOf(item: Item, path: number[] = []): number[][] {
  if (typeof item === 'string') return [path]
  return [path, ...item.flatMap((inner, index) => pathsOf(inner, [...path, index]))]
}

/** Leaves it as it is where the path is gone. */
function changedAt(item: Item, [index, ...rest]: readonly number[], change: (item: Item) => Item): Item {
  if (index === undefined) return change(item)
  if (typeof item === 'string') return item
  return item.map((inner, path) => (path === index ? changedAt(inner, rest, change) : inner))
}
