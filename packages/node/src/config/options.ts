import type { Fork } from '@understudy/evm'
import type { z } from 'zod'
import { formatMiningMode, type MiningMode, miningMode } from '../ethereum/miningMode.ts'
import { logLevels } from '../shared/logger.ts'
import { maskUrl } from '../shared/maskUrl.ts'
import { type ApiKey, apiKeys } from './apiKeys.ts'
import {
  bigWholeNumber,
  chainUrls,
  countOrOff,
  etherAsWei,
  httpHeaders,
  httpUrl,
  listOf,
  networkName,
  oneOf,
  postgresUrl,
  text,
  trueOrFalse,
  wholeNumber,
} from './values.ts'

/** A setting for the user. Flag, environment name, type and documentation are derived from it. */
type Option<Value> = {
  /** Without dashes; the environment name is `UNDERSTUDY_` and the flag in capitals. */
  flag: string
  /** The placeholder of the value in the help; a switch has none. */
  placeholder: string | undefined
  /** The environment name, if it does not follow from the flag. */
  environment?: string
  /** Whether `--flag` may be repeated. */
  repeatable?: true
  /** Whether the switch is `--no-flag` and turns the option off. */
  negated?: true
  schema: z.ZodType<Value, unknown>
  /** `undefined` if the network determines the value itself. */
  default: Value | undefined
  /** The default, as shown in the docs. */
  defaultText: string
  /**
   * Whether a value may grant access to something: errors omit it, and it is shown as `***` unless `show` masks a part.
   */
  secret: boolean
  /** Formats a value for display. */
  show(value: Value): string
  group: 'Fork' | 'Chain' | 'Accounts' | 'Explorers' | 'Server' | 'Limits' | 'Operation'
  description: string
}

/** String options must set `secret`, so that none leaks by omission. */
type Row<Value> = Pick<Option<Value>, 'flag' | 'placeholder' | 'schema' | 'group' | 'description'> &
  Partial<Option<Value>> &
  (Value extends boolean | number | bigint ? unknown : Pick<Option<Value>, 'secret'>)

function option<Value>(row: Row<Value>): Option<Value> {
  const { secret = false } = row
  const show = row.show ?? (secret ? () => '***' : String)
  const byDefault = row.default === undefined ? '' : show(row.default)
  return { default: undefined, defaultText: byDefault, ...row, secret, show }
}

/** Public test accounts with well-known keys. */
export const testMnemonic = 'test test test test test test test test test test test junk'

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
const anyHost = /^[\w.:[\]-]+$/

export const options = {
  forkUrls: option<string[]>({
    secret: true,
    flag: 'fork-url',
    placeholder: 'URL',
    repeatable: true,
    schema: chainUrls,
    default: [],
    defaultText: 'the built-in sample chain',
    show: (urls) => urls.map(maskUrl).join(', '),
    group: 'Fork',
    description:
      'JSON-RPC URL of the live chain to fork. New heads are received by WebSocket if the same address offers it. Pass several URLs for failover: if one fails, the next takes over.',
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
    schema: bigWholeNumber(0n, 'a block number'),
    defaultText: "the live chain's head",
    group: 'Fork',
    description: 'Forks at this block and stays there: untouched state never changes.',
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
    description: 'Maximum time for a request to the live chain, including retries, in milliseconds.',
  }),
  upstreamBatchSize: option<number>({
    flag: 'upstream-batch-size',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000, 'a number of requests'),
    default: 100,
    group: 'Fork',
    description: 'Maximum number of JSON-RPC requests per HTTP request to the live chain.',
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
      "How many of the live chain's newest transactions run here after the first start, in the background, to check that they come out as there. The result is in the log, in `understudy status` and in the dashboard.",
  }),
  resetToUrl: option<boolean>({
    flag: 'reset-to-url',
    placeholder: 'true|false',
    schema: trueOrFalse,
    defaultText: 'true, and false with --insecure',
    group: 'Fork',
    description:
      'Whether anvil_reset may fork another URL. The network sends requests to that URL, which may be reachable only from its machine.',
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
  mine: option<MiningMode>({
    secret: false,
    flag: 'mine',
    placeholder: 'MODE',
    schema: miningMode,
    defaultText: 'instant at the first start, later the last mode',
    show: formatMiningMode,
    group: 'Chain',
    description:
      'When to seal blocks: instant (one for each transaction), manual (on request), interval:SECONDS, or replay (one for each block of the live chain, with its number and time).',
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
  keepBlocks: option<number>({
    flag: 'keep-blocks',
    placeholder: 'N',
    schema: wholeNumber(256, 1_000_000_000, 'a number of blocks'),
    defaultText: 'all',
    group: 'Chain',
    description:
      'Number of blocks to keep with their state, at least 256 because of BLOCKHASH. Older blocks are deleted; reading them fails with an error.',
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
    defaultText: 'by chain id and time for known chains, else what upstream shows of itself',
    group: 'Chain',
    description: `Rules of execution: ${forks.join(', ')}. Where neither is given, upstream is asked which opcodes and precompiles it has.`,
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
  chainProfile: option<string>({
    secret: false,
    flag: 'chain-profile',
    placeholder: 'FILE',
    schema: text('a path'),
    defaultText: 'by chain id',
    group: 'Chain',
    description:
      'JSON file that says what the live chain is: name, currency, stack, fees, hardfork. See docs/chains.md.',
  }),
  accounts: option<number>({
    flag: 'accounts',
    placeholder: 'N',
    schema: wholeNumber(0, 1000, 'a number of accounts'),
    default: 10,
    group: 'Accounts',
    description: 'Number of funded accounts. The network holds their keys and signs for them.',
  }),
  balance: option<bigint>({
    flag: 'balance',
    placeholder: 'ETHER',
    schema: etherAsWei,
    default: 10_000n * 10n ** 18n,
    defaultText: '10000',
    show: (wei) => `${wei} wei`,
    group: 'Accounts',
    description: 'Balance of each funded account, in ether.',
  }),
  mnemonic: option<string>({
    secret: true,
    flag: 'mnemonic',
    placeholder: 'WORDS',
    schema: text('12 to 24 words', /^\s*\S+(\s+\S+){11,23}\s*$/),
    default: testMnemonic,
    show: (words) => (words === testMnemonic ? words : '***'),
    group: 'Accounts',
    description: "Seed phrase of the funded accounts, at m/44'/60'/0'/0/N. Your own phrase is not printed.",
  }),
  explorerUrl: option<string>({
    secret: true,
    flag: 'explorer-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: "Etherscan's, if there is a key",
    show: maskUrl,
    group: 'Explorers',
    description:
      "API compatible with Etherscan's v2, queried first for ABIs of the live chain's contracts. Explorers are queried only when an ABI is needed.",
  }),
  explorerKey: option<string>({
    secret: true,
    flag: 'explorer-key',
    placeholder: 'KEY',
    schema: text('a key without whitespace', /^\S+$/),
    defaultText: 'none',
    group: 'Explorers',
    description: 'API key of --explorer-url.',
  }),
  sourcifyUrl: option<string>({
    secret: true,
    flag: 'sourcify-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: 'https://sourcify.dev/server',
    show: maskUrl,
    group: 'Explorers',
    description: 'Sourcify server, queried second.',
  }),
  blockscoutUrl: option<string>({
    secret: true,
    flag: 'blockscout-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: 'the public instance of the chain, if there is one',
    show: maskUrl,
    group: 'Explorers',
    description: 'Blockscout instance of the live chain, queried last.',
  }),
  publicExplorers: option<boolean>({
    flag: 'public-explorers',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Explorers',
    description: 'Queries only explorers whose URL is configured. Forks of chain 1337 and 31337 never query others.',
  }),
  host: option<string>({
    secret: false,
    flag: 'host',
    placeholder: 'HOST',
    schema: text('a host name or an IP address', anyHost),
    default: '127.0.0.1',
    group: 'Server',
    description:
      'Address to listen on. Addresses other than loopback need an --api-key (or --insecure), because anyone who can reach the network controls it.',
  }),
  port: option<number>({
    flag: 'port',
    placeholder: 'PORT',
    schema: wholeNumber(0, 65_535, 'a port'),
    default: 8545,
    group: 'Server',
    description: 'Port to listen on; 0 selects a free one.',
  }),
  allowedHosts: option<string[]>({
    secret: false,
    flag: 'allowed-host',
    placeholder: 'HOST',
    repeatable: true,
    schema: listOf('host names', (item) => (anyHost.test(item) ? item.toLowerCase() : undefined)),
    default: [],
    defaultText: 'localhost, loopback addresses and --host',
    show: (hosts) => hosts.join(', '),
    group: 'Server',
    description:
      'Additional host name by which clients may address the server. To prevent DNS rebinding, other names are refused on loopback, and everywhere once this option is set.',
  }),
  allowedOrigins: option<string[]>({
    secret: false,
    flag: 'allowed-origin',
    placeholder: 'ORIGIN',
    repeatable: true,
    schema: listOf('origins such as https://app.example, or *', (item) =>
      /^(\*|[a-z][a-z\d+.-]*:\/\/[^/\s]+)$/i.test(item) ? item.toLowerCase() : undefined,
    ),
    default: [],
    defaultText: 'pages of this machine',
    show: (origins) => origins.join(', '),
    group: 'Server',
    description:
      'Additional origin whose web pages may use the network; * for any. Pages of localhost and loopback addresses, and its own, are always allowed.',
  }),
  apiKeys: option<ApiKey[]>({
    secret: true,
    flag: 'api-key',
    environment: 'UNDERSTUDY_API_KEYS',
    placeholder: 'KEY:ROLE',
    repeatable: true,
    schema: apiKeys,
    default: [],
    defaultText: 'none: anyone who can reach the server has all roles',
    show: (keys) => keys.map(({ role }) => `***:${role}`).join(', '),
    group: 'Server',
    description:
      'An API key that callers must send, and its role: read, write (send and sign transactions) or admin (change the network).',
  }),
  insecure: option<boolean>({
    flag: 'insecure',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Server',
    description: 'Allows a --host that other machines can reach without an API key.',
  }),
  callGasLimit: option<bigint>({
    flag: 'call-gas-limit',
    placeholder: 'GAS',
    schema: bigWholeNumber(21_000n, 'gas'),
    default: 100_000_000n,
    group: 'Limits',
    description: 'Maximum gas of an eth_call.',
  }),
  callTimeout: option<number>({
    flag: 'call-timeout',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 3_600, 'seconds'),
    default: 5,
    group: 'Limits',
    description:
      'Maximum computing time for the calls, estimates, simulations and traces of one message, including all requests of a batch. Waiting for the live chain does not count.',
  }),
  keyComputing: option<number>({
    flag: 'key-computing',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 60, 'seconds'),
    defaultText: '45 where there are several keys, else none',
    group: 'Limits',
    description:
      'How many seconds a minute the calls, estimates, simulations and traces of one API key may compute; a whole minute of it may come at once. Beyond: -32005, HTTP 429.',
  }),
  requestKeys: option<number>({
    flag: 'request-keys',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000_000, 'a number of values'),
    default: 20_000,
    group: 'Limits',
    description:
      'Maximum number of live chain values (a slot, balance, nonce or code) fetched for one message, including all requests of a batch.',
  }),
  keyValues: option<number>({
    flag: 'key-values',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000_000, 'a number of values'),
    defaultText: '200000 with several keys, else none',
    group: 'Limits',
    description:
      'The most values of the live chain that are fetched for one API key in a minute. Beyond: -32005, HTTP 429.',
  }),
  poolLimit: option<number>({
    flag: 'pool-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of transactions'),
    default: 10_000,
    group: 'Limits',
    description: 'Maximum number of transactions in the pool.',
  }),
  logRowsLimit: option<number>({
    flag: 'log-rows-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000_000, 'a number of logs'),
    default: 10_000,
    group: 'Limits',
    description: 'Maximum number of logs that one eth_getLogs returns.',
  }),
  requestTimeout: option<number>({
    flag: 'request-timeout',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 86_400, 'seconds'),
    default: 120,
    group: 'Limits',
    description:
      'Maximum time for a client to send a request (then HTTP 408, and the connection is closed), and to read nothing of an answer.',
  }),
  bodyLimit: option<number>({
    flag: 'body-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 1_000_000_000, 'bytes'),
    default: 5 * 1024 * 1024,
    group: 'Limits',
    description: 'Maximum size of a request body, in bytes. Larger bodies get HTTP 413.',
  }),
  importBodyLimit: option<number>({
    flag: 'import-body-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 500_000_000, 'bytes'),
    default: 50 * 1024 * 1024,
    group: 'Limits',
    description: 'The same for dev_importContracts and anvil_loadState over HTTP, if it is larger.',
  }),
  batchLimit: option<number>({
    flag: 'batch-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of requests'),
    default: 1000,
    group: 'Limits',
    description: 'Maximum number of requests in one batch.',
  }),
  answerLimit: option<number>({
    flag: 'answer-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 500_000_000, 'bytes'),
    default: 64 * 1024 * 1024,
    group: 'Limits',
    description:
      'Maximum size of the answer of a request, and of all answers of a batch together, in bytes. A request that exceeds it fails with -32005.',
  }),
  inFlightLimit: option<number>({
    flag: 'in-flight-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024 * 1024, 100_000_000_000, 'bytes'),
    default: 256 * 1024 * 1024,
    group: 'Limits',
    description:
      'Maximum total bytes of messages being received or answered and of answers not yet read by clients. A key (a connection, if there are no keys) may use as much as it leaves free. Beyond: -32005, HTTP 503, or WebSocket close 1013.',
  }),
  rateLimit: option<number>({
    flag: 'rate-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000_000, 'requests a second'),
    defaultText: 'none',
    group: 'Limits',
    description:
      'Maximum requests per second of one key (of one address, if there are no keys). Beyond: -32005, HTTP 429.',
  }),
  auditLimit: option<number>({
    flag: 'audit-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 100_000_000, 'a number of calls'),
    default: 10_000,
    group: 'Limits',
    description:
      'Maximum number of successful calls in the audit log (dev_getAuditLog), and of failed or refused ones. The oldest are deleted first.',
  }),
  connectionLimit: option<number>({
    flag: 'connection-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of connections'),
    default: 12_000,
    group: 'Limits',
    description:
      'Maximum number of connections, including WebSockets. The system must allow as many open files. Beyond: HTTP 503.',
  }),
  webSocketLimit: option<number>({
    flag: 'websocket-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of connections'),
    default: 10_000,
    group: 'Limits',
    description: 'Maximum number of WebSocket connections. Beyond: HTTP 503.',
  }),
  webSocketBuffer: option<number>({
    flag: 'websocket-buffer',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 1_000_000_000, 'bytes'),
    default: 16 * 1024 * 1024,
    group: 'Limits',
    description:
      'Maximum bytes of notifications queued for a slow WebSocket client. Beyond, the connection is closed with code 1008.',
  }),
  subscriptionLimit: option<number>({
    flag: 'subscription-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of subscriptions'),
    default: 1000,
    group: 'Limits',
    description: 'Maximum number of subscriptions of one WebSocket connection.',
  }),
  totalSubscriptionLimit: option<number>({
    flag: 'total-subscription-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of subscriptions'),
    default: 20_000,
    group: 'Limits',
    description:
      'Maximum number of subscriptions. With several keys, a key (a connection, if there are no keys) may have as many as it leaves free. Beyond: -32005.',
  }),
  filterLimit: option<number>({
    flag: 'filter-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of filters'),
    default: 1000,
    group: 'Limits',
    description: 'Maximum number of filters (eth_newFilter and similar).',
  }),
  filterLifetime: option<number>({
    flag: 'filter-lifetime',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 1_000_000, 'seconds'),
    default: 300,
    group: 'Limits',
    description: 'Seconds after which an unused filter is deleted.',
  }),
  dataDirectory: option<string>({
    secret: false,
    flag: 'data-dir',
    placeholder: 'DIR',
    schema: text('a directory'),
    default: '.understudy',
    defaultText: '.understudy; .understudy/sample for a fork of the sample chain',
    group: 'Operation',
    description: 'Where the network is kept. A later start with the same directory continues it.',
  }),
  auditFile: option<string>({
    flag: 'audit-file',
    placeholder: 'FILE',
    schema: text('a file'),
    secret: false,
    defaultText: 'none',
    group: 'Operation',
    description:
      'File to which each entry of the audit log is also written before the call is answered. Each line has the hash of the previous one: `understudy audit verify FILE` detects changes.',
  }),
  databaseUrl: option<string>({
    secret: true,
    flag: 'database-url',
    placeholder: 'URL',
    schema: postgresUrl,
    defaultText: 'none: the data directory',
    show: maskUrl,
    group: 'Operation',
    description:
      'postgres:// URL of a database that stores the network in its own schema, instead of the data directory.',
  }),
  network: option<string>({
    secret: false,
    flag: 'network',
    placeholder: 'NAME',
    schema: networkName,
    default: 'understudy',
    group: 'Operation',
    description:
      'Name of the network in the database, which is also the name of its schema. One database can hold many networks.',
  }),
  nodeUrl: option<string>({
    secret: true,
    flag: 'node-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: 'where it listens, by the name of the machine',
    show: maskUrl,
    group: 'Operation',
    description:
      'Where other nodes of the network reach this one, when several share a database. They send it what only the node that seals can do.',
  }),
  logLevel: option<(typeof logLevels)[number]>({
    secret: false,
    flag: 'log-level',
    placeholder: 'LEVEL',
    schema: oneOf(logLevels),
    default: 'info',
    group: 'Operation',
    description: `Level of logs on standard error: ${logLevels.join(', ')}.`,
  }),
}

export type OptionKey = keyof typeof options
