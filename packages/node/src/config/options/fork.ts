import type { Word } from '@understudy/evm'
import { maskUrl } from '../../shared/urls.ts'
import {
  chainUrls,
  countOrOff,
  forkBlock,
  httpHeaders,
  positiveNumber,
  text,
  transactionHash,
  trueOrFalse,
  wholeNumber,
} from '../values.ts'
import { option } from './option.ts'

export const forkOptions = {
  forkUrls: option<string[]>({
    secret: true,
    flag: 'fork-url',
    placeholder: 'URL',
    repeatable: true,
    schema: chainUrls,
    namesUrls: true,
    default: [],
    defaultText: 'the built-in sample chain',
    show: (urls) => urls.map(maskUrl).join(', '),
    group: 'Fork',
    description:
      'JSON-RPC URL of the live chain to fork, or the path of its local socket. New heads are received by WebSocket if the same address offers it. Pass several URLs for failover: if one fails, the next takes over. URL@BLOCK is --fork-block-number, too.',
  }),
  forkHeaders: option<Record<string, string>>({
    secret: true,
    flag: 'fork-header',
    placeholder: "'NAME: VALUE'",
    repeatable: true,
    schema: httpHeaders,
    default: {},
    defaultText: 'none',
    show: (headers) =>
      Object.keys(headers)
        .map((name) => `${name}: ***`)
        .join(', '),
    group: 'Fork',
    description: 'HTTP header to send with every request to the live chain.',
  }),
  forkBlockNumber: option<bigint>({
    flag: 'fork-block-number',
    placeholder: 'N',
    schema: forkBlock,
    defaultText: "the live chain's head",
    group: 'Fork',
    description:
      'Forks at this block and stays there: untouched state never changes. -N is the block N before the head of the first start.',
  }),
  forkTransactionHash: option<Word>({
    secret: false,
    flag: 'fork-transaction-hash',
    placeholder: 'HASH',
    schema: transactionHash,
    defaultText: 'none',
    group: 'Fork',
    description:
      'Forks after this transaction and stays there. The first block is like the one that has it, with the transactions up to it.',
  }),
  followHead: option<boolean>({
    flag: 'follow-head',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Fork',
    description: "Keeps untouched state at the live chain's block of the first start.",
  }),
  pollIntervalMs: option<number>({
    flag: 'poll-interval',
    placeholder: 'MS',
    schema: wholeNumber(50, 3_600_000, 'milliseconds'),
    defaultText: "from the live chain's block time",
    group: 'Fork',
    description: 'How often to poll the live chain for its head, in milliseconds.',
  }),
  upstreamTimeoutMs: option<number>({
    flag: 'upstream-timeout',
    placeholder: 'MS',
    schema: wholeNumber(100, 600_000, 'milliseconds'),
    default: 20_000,
    group: 'Fork',
    description:
      'Maximum time for a request to the live chain, including retries, in milliseconds. Once no URL has worked for 2 seconds, or half of this time if that is less, requests fail at once until one is back.',
  }),
  upstreamBatchSize: option<number>({
    flag: 'upstream-batch-size',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000, 'a number of requests'),
    default: 100,
    group: 'Fork',
    description: 'Maximum number of JSON-RPC requests per HTTP request to the live chain.',
  }),
  upstreamRate: option<number>({
    flag: 'upstream-rate',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of requests'),
    defaultText: 'no limit',
    group: 'Fork',
    description:
      'Maximum number of JSON-RPC requests a second to each URL of the live chain. The limits that an endpoint enforces itself are respected without this option.',
  }),
  upstreamHedge: option<boolean>({
    flag: 'upstream-hedge',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Fork',
    description:
      'Sends a request to a second URL, too, when the first takes longer than 95 % of its requests do, and uses the first answer (hedging).',
  }),
  upstreamCacheMegabytes: option<number>({
    flag: 'upstream-cache',
    placeholder: 'MB',
    schema: wholeNumber(4, 100_000, 'megabytes'),
    default: 64,
    group: 'Fork',
    description:
      "Maximum size of the cache of the live chain's state, in memory and in the data directory, in megabytes.",
  }),
  checkFidelity: option<number>({
    flag: 'check-fidelity',
    placeholder: 'N|off',
    schema: countOrOff('a number of transactions'),
    default: 200,
    show: (count) => (count === 0 ? 'off' : String(count)),
    group: 'Fork',
    description:
      "How many of the live chain's newest transactions run here after the first start, in the background, to check that their results are the same as on the live chain. The result is in the log, in `understudy status` and in the dashboard.",
  }),
  record: option<string>({
    secret: false,
    flag: 'record',
    placeholder: 'FILE',
    schema: text('a file'),
    defaultText: 'none',
    group: 'Fork',
    description:
      "Records what is read from the live chain in this file, so that `--offline --from FILE` gives the same answers without the live chain. The live chain's head stays the same.",
  }),
  from: option<string>({
    secret: false,
    flag: 'from',
    placeholder: 'FILE',
    schema: text('a file'),
    defaultText: 'none',
    group: 'Fork',
    description: 'Starts from a recording, with --offline or --extend.',
  }),
  offline: option<boolean>({
    flag: 'offline',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Fork',
    description:
      'Sends no request to the live chain: requests for data that the recording of --from does not have fail with RECORDING_INCOMPLETE.',
  }),
  extend: option<boolean>({
    flag: 'extend',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Fork',
    description:
      'Requests data that the recording of --from does not have from the live chain, and adds it to the recording.',
  }),
  recordHeads: option<boolean>({
    flag: 'record-heads',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Fork',
    description: "With --record, the head moves with the live chain's, and each new head is recorded with its time.",
  }),
  playHeads: option<number>({
    flag: 'play-heads',
    placeholder: 'SPEED',
    schema: positiveNumber(1000, 'a speed'),
    defaultText: 'the head stays the same',
    group: 'Fork',
    description:
      'With --offline, plays the recorded heads at this speed: 1 is the recorded speed, 10 is ten times as fast.',
  }),
  resetToUrl: option<boolean>({
    flag: 'reset-to-url',
    placeholder: 'true|false',
    schema: trueOrFalse,
    defaultText: 'true, and false with --insecure',
    group: 'Fork',
    description:
      'Whether anvil_reset and anvil_setRpcUrl may fork another URL, and dev_setWebhook name one. The network sends requests to that URL, which may be reachable only from its machine.',
  }),
  proxyUnknown: option<boolean>({
    flag: 'proxy-unknown',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Fork',
    description:
      'Sends unsupported methods to the live chain if their names indicate that they only read. Their answers do not include local state.',
  }),
}
