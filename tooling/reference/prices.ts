import { type PrecompilePrice, type Prices, pricesOf } from '../../packages/evm/src/index.ts'
import { measured } from '../../packages/node/src/ethereum/chains/prices/measures.ts'
import type { PriceName } from '../../packages/node/src/ethereum/chains/prices/shown.ts'
import { type PriceRow, priceRows } from '../../packages/node/src/ethereum/chains/prices/tabledPrices.ts'
import { knownProfiles } from '../../packages/node/src/ethereum/chains/profiles.ts'
import { newestStableFork } from '../../packages/node/src/ethereum/rules.ts'
import { table } from './markdown.ts'

const meanings: Record<PriceName, string> = {
  coldSload: 'SLOAD of a cold slot',
  coldSstore: 'SSTORE to a cold slot, beside what it does',
  sstoreSet: 'the first change of a slot that was zero',
  sstoreReset: 'the first change of another slot',
  refundClear: 'refund for clearing a slot',
  coldAccount: 'access of a cold account',
  warmAccess: 'access of a warm account or slot; changing a slot again',
  readCode: 'EXTCODESIZE and EXTCODECOPY, beside the access',
  callValue: 'a call with value',
  callStipend: 'what a call with value is given',
  newAccount: 'a call with value of an account that is empty',
  selfdestruct: 'SELFDESTRUCT',
  selfdestructNewAccount: 'SELFDESTRUCT with a balance to an account that is empty',
  refundSelfdestruct: 'refund for SELFDESTRUCT',
  transient: 'TLOAD and TSTORE',
  log: 'a log',
  logTopic: 'a topic of a log',
  logByte: 'a byte of a log',
  keccak: 'KECCAK256',
  keccakWord: 'a word that is hashed',
  exp: 'EXP',
  expByte: 'a byte of the exponent',
  create: 'CREATE and CREATE2',
  codeByte: 'a byte of new code',
  codeWord: 'a word of new code',
  initcodeWord: 'a word of init code',
  copyWord: 'a word that is copied',
  memoryWord: 'a word of memory, beside the square of its words by 512',
  calldataZeroByte: 'a zero byte of the data of a transaction',
  calldataByte: 'another byte of it',
  floorToken: 'the least for a token of data (EIP-7623)',
  transaction: 'a transaction',
  transactionCreate: 'a transaction that creates a contract, beside `transaction`',
  transactionRecipient: 'a transaction to another account (EIP-2780)',
  transactionValue: 'the same with value',
  accessListAddress: 'an address of an access list',
  accessListKey: 'a slot of an access list',
  authorization: 'an authorization (EIP-7702)',
  refundAuthorization: 'refund for an authorization of an account that exists',
  accountWrite: 'the first write of an account by authorizations (EIP-8037)',
  accountState: 'state gas of a new account (EIP-8037)',
  slotState: 'state gas of a new slot',
  delegationState: 'state gas of a new delegation',
  codeByteState: 'state gas of a byte of new code',
}

const measuredNames = new Set(
  measured.flatMap((shown) =>
    'price' in shown
      ? [shown.price, ...(shown.also ? [shown.also[0]] : []), ...(shown.otherwise ? [shown.otherwise] : [])]
      : [],
  ),
)

/** Every name, with what Ethereum runs now and next. */
export function pricesTable(): string {
  const [own, next] = [pricesOf(newestStableFork), pricesOf('amsterdam')]
  return table(
    ['name', 'gas of', newestStableFork, 'amsterdam', 'measured'],
    (Object.keys(meanings) as PriceName[]).map((name) => [
      `\`${name}\``,
      meanings[name],
      String(own[name]),
      String(next[name]),
      measuredNames.has(name) ? 'yes' : 'no',
    ]),
  )
}

export const shortAddress = (address: string): string => `0x${BigInt(address).toString(16).padStart(2, '0')}`

function precompileText([address, { base, perWord, factor }]: readonly [string, PrecompilePrice]): string {
  const parts = [
    ...(base > 0 ? [String(base)] : []),
    ...(factor ? [`${factor} × Ethereum's`] : []),
    ...(perWord > 0 ? [`${Math.round(perWord * 100) / 100} a word`] : []),
  ]
  return `${shortAddress(address)} ${parts.join(' + ')}`
}

function pricesText({ precompiles = {}, ...prices }: Partial<Prices>): string {
  const named = Object.entries(prices).map(([name, price]) => `\`${name}\` ${price}`)
  const addresses = Object.entries(precompiles).map(precompileText)
  return [...named, ...(addresses.length > 0 ? [`precompiles: ${addresses.join(', ')}`] : [])].join(', ')
}

const sinceText = (since: PriceRow['since']): string => {
  if ('block' in since) return `block ${since.block}`
  return since.time === 0n ? '' : `${new Date(Number(since.time) * 1000).toISOString().slice(0, 16)}Z`
}

const nameOf = (chainId: number) =>
  knownProfiles.find((profile) => profile.chainId === chainId)?.name ?? String(chainId)

/** What is known of the prices of chains before they are asked. */
export function priceRowsTable(): string {
  return table(
    ['chain', 'since', 'prices', 'no plain numbers', 'source'],
    priceRows.map(({ chainIds, since, prices = {}, odd = [], source }) => [
      chainIds.map(nameOf).join(', '),
      sinceText(since),
      pricesText(prices),
      odd.join('; '),
      source,
    ]),
  )
}
