import type { Fork } from '@understudy/evm'
import { formatMiningMode, type MiningMode, miningMode } from '../../ethereum/miningMode.ts'
import { bigWholeNumber, oneOf, text, trueOrFalse, wholeNumber } from '../values.ts'
import { option } from './option.ts'

/** Beyond every block gas limit: code costs 200 gas for each byte. */
export const maxCodeSize = 1 << 24

const forks = [
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'amsterdam',
] as const satisfies Fork[]

const operationRules = ['warn', 'enforce', 'ignore'] as const
const prices = ['measured', 'fork'] as const
const orders = ['fees', 'fifo'] as const

export const chainOptions = {
  mine: option<MiningMode>({
    secret: false,
    flag: 'mine',
    placeholder: 'MODE',
    schema: miningMode,
    type: `'instant' | \`instant:\${number}\` | 'manual' | \`interval:\${number}\` | 'replay'`,
    defaultText: 'instant at the first start, later the last mode',
    show: formatMiningMode,
    group: 'Chain',
    description:
      'When to seal blocks: instant (one for each transaction), instant:SECONDS (also one at this interval), manual (on request), interval:SECONDS, or replay (one for each block of the live chain, with its number and time).',
  }),
  timestamp: option<number>({
    flag: 'timestamp',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 2 ** 40, 'seconds since 1970'),
    defaultText: 'now',
    group: 'Chain',
    description:
      "Time of the network's clock at its first start, and after anvil_reset, in seconds since 1970. The clock goes on from this time, which must be later than the block at which the network is forked.",
  }),
  init: option<string>({
    secret: false,
    flag: 'init',
    placeholder: 'FILE',
    schema: text('a path'),
    defaultText: 'none',
    group: 'Chain',
    description:
      "geth's genesis.json, at most 64 MiB, with which a network without a fork begins: its alloc (also for funded accounts), config.chainId, timestamp, baseFeePerGas and coinbase. Other fields have no effect, and --chain-id and --timestamp win. The network stores it at its first start; a later start without the option keeps it; a later start with a different file is refused.",
  }),
  allowSameTimestamp: option<boolean>({
    flag: 'allow-same-timestamp',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Chain',
    description:
      "Blocks of the same second have the same timestamp, as with Hardhat's allowBlocksWithSameTimestamp. Otherwise each is later than the one before, unless the live chain or the mining interval has several blocks in a second.",
  }),
  shadow: option<boolean>({
    flag: 'shadow',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Chain',
    description:
      'Re-runs live-chain transactions against your local changes and reports what differs. Sets the mining mode replay. See docs/shadow.md.',
  }),
  order: option<(typeof orders)[number]>({
    secret: false,
    flag: 'order',
    placeholder: 'ORDER',
    schema: oneOf(orders),
    default: 'fees',
    group: 'Chain',
    description:
      'Order in which transactions of the pool are included: highest tip first (fees), or first come, first served (fifo). Transactions of one sender are always ordered by nonce.',
  }),
  replayMaxGap: option<number>({
    flag: 'replay-max-gap',
    placeholder: 'BLOCKS',
    schema: wholeNumber(1, 100_000_000, 'a number of blocks'),
    default: 7200,
    group: 'Chain',
    description:
      'In replay mode, the longest gap to the head that is replayed block by block after a pause. A longer gap is skipped in one block.',
  }),
  userOperationRules: option<(typeof operationRules)[number]>({
    secret: false,
    flag: 'user-operation-rules',
    placeholder: 'HOW',
    schema: oneOf(operationRules),
    default: 'warn',
    group: 'Chain',
    description:
      'Reaction to a user operation whose validation breaks a rule of ERC-7562, which bundlers of live chains refuse: the network refuses it (enforce), accepts it and logs a warning (warn), or does not check (ignore).',
  }),
  keepBlocks: option<number>({
    flag: 'keep-blocks',
    placeholder: 'N',
    schema: wholeNumber(256, 1_000_000_000, 'a number of blocks'),
    defaultText: 'all',
    group: 'Chain',
    description:
      'Number of blocks to keep with their state, at least 256 because of BLOCKHASH. Older blocks are deleted; reading them fails with an error.',
  }),
  slotsInEpoch: option<number>({
    flag: 'slots-in-an-epoch',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of blocks'),
    default: 0,
    group: 'Chain',
    description:
      'The block N before the head is `safe`, and the block 2N before it is `finalized`: anvil_rollback and anvil_reorg do not remove it. 0: the head is both, or the last settled block where the headers of the live chain name it (Avalanche), and any block can be removed.',
  }),
  keepBlobs: option<number>({
    flag: 'keep-blobs',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of blobs'),
    default: 512,
    group: 'Chain',
    description:
      'Number of blobs to keep, 128 KiB each. Older ones are deleted; the transactions that were sent with them stay.',
  }),
  chainId: option<bigint>({
    flag: 'chain-id',
    placeholder: 'N',
    schema: bigWholeNumber(1n, 'a chain id'),
    defaultText: "the live chain's",
    group: 'Chain',
    description:
      'Chain id of the network. With its own chain id, wallets do not confuse it with the live chain, and transactions signed for it cannot be replayed there.',
  }),
  hardfork: option<(typeof forks)[number]>({
    secret: false,
    flag: 'hardfork',
    placeholder: 'NAME',
    schema: oneOf(forks),
    defaultText: 'by chain id and time for known chains, else found out from the live chain',
    group: 'Chain',
    description: `Rules of execution: ${forks.join(', ')}. By default, the network finds out which opcodes and precompiles the live chain has.`,
  }),
  prices: option<(typeof prices)[number]>({
    secret: false,
    flag: 'prices',
    placeholder: 'WHICH',
    schema: oneOf(prices),
    default: 'measured',
    group: 'Chain',
    description:
      "Gas prices of operations: those that the live chain was seen to take (measured), or the hardfork's own (fork). See docs/chains.md.",
  }),
  l1Fee: option<boolean>({
    flag: 'l1-fee',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Chain',
    description:
      'On chains of the OP Stack, transactions pay for their gas alone: not for their data on L1, and not the operator.',
  }),
  acceptDeposits: option<boolean>({
    flag: 'accept-deposits',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Chain',
    description:
      'On chains of the OP Stack, deposits (type 0x7e) can be sent with eth_sendRawTransaction, as with anvil --network optimism. They are not signed and make ether: with keys, sending one needs the role admin.',
  }),
  codeSizeLimit: option<number>({
    flag: 'code-size-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1, maxCodeSize, 'bytes'),
    defaultText: "the hardfork's: 24576, and 65536 from amsterdam on",
    group: 'Chain',
    description: 'Maximum length of code (EIP-170); init code may be twice as long (EIP-3860).',
  }),
  disableCodeSizeLimit: option<boolean>({
    flag: 'disable-code-size-limit',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Chain',
    description: `Contracts may have any size up to ${maxCodeSize} bytes, as with Hardhat's allowUnlimitedContractSize.`,
  }),
  txGasCap: option<boolean>({
    flag: 'tx-gas-cap',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Chain',
    description: 'Transactions may have more gas than EIP-7825 allows, up to the gas limit of a block.',
  }),
  disableBlockGasLimit: option<boolean>({
    flag: 'disable-block-gas-limit',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Chain',
    description: 'Transactions may have more gas than the gas limit of their block.',
  }),
  disableMinPriorityFee: option<boolean>({
    flag: 'disable-min-priority-fee',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Chain',
    description: 'Suggests no priority fee where the live chain suggests none.',
  }),
  chainProfile: option<string>({
    secret: false,
    flag: 'chain-profile',
    placeholder: 'FILE',
    schema: text('a path'),
    defaultText: 'by chain id',
    group: 'Chain',
    description:
      'JSON file that says what the live chain is: name, currency, stack, fees, hardfork, prices, contracts without code. See docs/chains.md.',
  }),
}
