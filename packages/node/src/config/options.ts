import type { Fork } from '@understudy/evm'
import type { z } from 'zod'
import { formatMiningMode, type MiningMode, miningMode } from '../ethereum/miningMode.ts'
import { logLevels } from '../shared/logger.ts'
import { maskUrl } from '../shared/maskUrl.ts'
import { type ApiKey, apiKeys } from './apiKeys.ts'
import {
  bigWholeNumber,
  chainUrls,
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

/** One thing that the user can choose. Flag, environment name, type and documentation follow from it. */
type Option<Value> = {
  /** Without the dashes; the environment name is `UNDERSTUDY_` and this in capitals. */
  flag: string
  /** What stands for the value in the help; a switch has none. */
  placeholder: string | undefined
  /** The environment name, when it is another than the flag's. */
  environment?: string
  /** `--flag` may be given several times. */
  repeatable?: true
  /** The switch is spelled `--no-flag` and turns the option off. */
  negated?: true
  schema: z.ZodType<Value, unknown>
  /** `undefined` when the network finds out by itself. */
  default: Value | undefined
  /** How the default reads in the docs. */
  defaultText: string
  /** Whether a value may give access to something: errors do not repeat it, and it shows as `***` unless `show` masks a part. */
  secret: boolean
  /** How a value is shown. */
  show(value: Value): string
  group: 'Fork' | 'Chain' | 'Accounts' | 'Explorers' | 'Server' | 'Limits' | 'Operation'
  description: string
}

/** Every text says whether it is a secret, so that none leaks because that was forgotten. */
type Row<Value> = Pick<Option<Value>, 'flag' | 'placeholder' | 'schema' | 'group' | 'description'> &
  Partial<Option<Value>> &
  (Value extends boolean | number | bigint ? unknown : Pick<Option<Value>, 'secret'>)

function option<Value>(row: Row<Value>): Option<Value> {
  const { secret = false } = row
  const show = row.show ?? (secret ? () => '***' : String)
  const byDefault = row.default === undefined ? '' : show(row.default)
  return { default: undefined, defaultText: byDefault, ...row, secret, show }
}

/** Public test accounts: everybody has these keys. */
export const testMnemonic = 'test test test test test test test test test test test junk'

const forks = ['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const satisfies Fork[]
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
      'JSON-RPC URL of the live chain to fork; its heads come by WebSocket where the same address offers it. Given several times, the next one takes over when one fails.',
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
    description: 'HTTP header that is sent with every request to the live chain.',
  }),
  forkBlockNumber: option<bigint>({
    flag: 'fork-block-number',
    placeholder: 'N',
    schema: bigWholeNumber(0n, 'a block number'),
    defaultText: "the live chain's head",
    group: 'Fork',
    description: 'Forks at this block and stays there: untouched state never moves.',
  }),
  followHead: option<boolean>({
    flag: 'follow-head',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Fork',
    description: "Untouched state stays at the live chain's block of the first start.",
  }),
  pollIntervalMs: option<number>({
    flag: 'poll-interval',
    placeholder: 'MS',
    schema: wholeNumber(50, 3_600_000, 'milliseconds'),
    defaultText: "by the live chain's block time",
    group: 'Fork',
    description: 'How often the live chain is asked for its head, in milliseconds.',
  }),
  upstreamTimeoutMs: option<number>({
    flag: 'upstream-timeout',
    placeholder: 'MS',
    schema: wholeNumber(100, 600_000, 'milliseconds'),
    default: 20_000,
    group: 'Fork',
    description: 'The longest that a request waits for the live chain, retries included, in milliseconds.',
  }),
  upstreamBatchSize: option<number>({
    flag: 'upstream-batch-size',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000, 'a number of requests'),
    default: 100,
    group: 'Fork',
    description: 'The most JSON-RPC requests that are sent to the live chain in one HTTP request.',
  }),
  upstreamCacheMegabytes: option<number>({
    flag: 'upstream-cache',
    placeholder: 'MB',
    schema: wholeNumber(4, 100_000, 'megabytes'),
    default: 64,
    group: 'Fork',
    description: "How much of the live chain's state is kept in memory and in the data directory, in megabytes.",
  }),
  resetToUrl: option<boolean>({
    flag: 'reset-to-url',
    placeholder: 'true|false',
    schema: trueOrFalse,
    defaultText: 'true, and false with --insecure',
    group: 'Fork',
    description:
      'Whether anvil_reset may name another URL to fork: the network then asks that address, which only its own machine may reach.',
  }),
  proxyUnknown: option<boolean>({
    flag: 'proxy-unknown',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Fork',
    description:
      'Sends methods that the network does not know to the live chain when their names say that they only read. Their answers know nothing of local state.',
  }),
  mine: option<MiningMode>({
    secret: false,
    flag: 'mine',
    placeholder: 'MODE',
    schema: miningMode,
    defaultText: 'instant at the first start, later as it was last',
    show: formatMiningMode,
    group: 'Chain',
    description:
      'When blocks are sealed: instant (one for each transaction), manual (on request), interval:SECONDS, or replay (one for each block of the live chain, with its number and time).',
  }),
  replayMaxGap: option<number>({
    flag: 'replay-max-gap',
    placeholder: 'BLOCKS',
    schema: wholeNumber(1, 100_000_000, 'a number of blocks'),
    default: 7200,
    group: 'Chain',
    description:
      'In replay, the longest way to the head that is gone block by block after a pause; a longer one is jumped.',
  }),
  keepBlocks: option<number>({
    flag: 'keep-blocks',
    placeholder: 'N',
    schema: wholeNumber(256, 1_000_000_000, 'a number of blocks'),
    defaultText: 'all',
    group: 'Chain',
    description:
      'Blocks that are kept, with the state that they saw: at least 256, as far as BLOCKHASH reaches. Older ones are forgotten, and reads of them say so.',
  }),
  chainId: option<bigint>({
    flag: 'chain-id',
    placeholder: 'N',
    schema: bigWholeNumber(1n, 'a chain id'),
    defaultText: "the live chain's",
    group: 'Chain',
    description:
      'Chain id of the network. One of its own keeps wallets from mixing it up with the live chain, and stops transactions signed here from being replayed there.',
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
    description: 'How many accounts are funded. The network holds their keys and signs for them.',
  }),
  balance: option<bigint>({
    flag: 'balance',
    placeholder: 'ETHER',
    schema: etherAsWei,
    default: 10_000n * 10n ** 18n,
    defaultText: '10000',
    show: (wei) => `${wei} wei`,
    group: 'Accounts',
    description: 'What each funded account has, in ether.',
  }),
  mnemonic: option<string>({
    secret: true,
    flag: 'mnemonic',
    placeholder: 'WORDS',
    schema: text('12 to 24 words', /^\s*\S+(\s+\S+){11,23}\s*$/),
    default: testMnemonic,
    show: (words) => (words === testMnemonic ? words : '***'),
    group: 'Accounts',
    description: "Seed phrase of the funded accounts, at m/44'/60'/0'/0/N. Not printed when it is your own.",
  }),
  explorerUrl: option<string>({
    secret: true,
    flag: 'explorer-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: "Etherscan's, when there is a key",
    show: maskUrl,
    group: 'Explorers',
    description:
      "API that is compatible with Etherscan's v2, asked first for the ABIs of the live chain's contracts. Nothing is asked before it is needed.",
  }),
  explorerKey: option<string>({
    secret: true,
    flag: 'explorer-key',
    placeholder: 'KEY',
    schema: text('a key without blanks', /^\S+$/),
    defaultText: 'none',
    group: 'Explorers',
    description: 'Key of that API.',
  }),
  sourcifyUrl: option<string>({
    secret: true,
    flag: 'sourcify-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: 'https://sourcify.dev/server',
    show: maskUrl,
    group: 'Explorers',
    description: 'Sourcify server, asked next.',
  }),
  blockscoutUrl: option<string>({
    secret: true,
    flag: 'blockscout-url',
    placeholder: 'URL',
    schema: httpUrl,
    defaultText: 'the public instance of the chain, where there is one',
    show: maskUrl,
    group: 'Explorers',
    description: 'Blockscout instance of the live chain, asked last.',
  }),
  publicExplorers: option<boolean>({
    flag: 'public-explorers',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Explorers',
    description: 'Only explorers whose URL is given are asked. Forks of chain 1337 and 31337 never ask others.',
  }),
  host: option<string>({
    secret: false,
    flag: 'host',
    placeholder: 'HOST',
    schema: text('a host name or an IP address', anyHost),
    default: '127.0.0.1',
    group: 'Server',
    description:
      'Address to listen on. Other than loopback it needs an --api-key (or --insecure), because whoever reaches it owns it.',
  }),
  port: option<number>({
    flag: 'port',
    placeholder: 'PORT',
    schema: wholeNumber(0, 65_535, 'a port'),
    default: 8545,
    group: 'Server',
    description: 'Port to listen on; 0 takes a free one.',
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
      'A further name by which clients may address the server. Other names are refused on loopback, and everywhere once one is given, against DNS rebinding.',
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
      'A further origin whose web pages may use the network; * for any. Pages of localhost and of loopback addresses may, and its own.',
  }),
  apiKeys: option<ApiKey[]>({
    secret: true,
    flag: 'api-key',
    environment: 'UNDERSTUDY_API_KEYS',
    placeholder: 'KEY:ROLE',
    repeatable: true,
    schema: apiKeys,
    default: [],
    defaultText: 'none: everybody who reaches the server may do everything',
    show: (keys) => keys.map(({ role }) => `***:${role}`).join(', '),
    group: 'Server',
    description:
      'A key that callers must give, and its role: read, write (send and sign transactions) or admin (change the network).',
  }),
  insecure: option<boolean>({
    flag: 'insecure',
    placeholder: undefined,
    schema: trueOrFalse,
    default: false,
    group: 'Server',
    description: 'Allows a --host that others can reach, although no key protects the network.',
  }),
  callGasLimit: option<bigint>({
    flag: 'call-gas-limit',
    placeholder: 'GAS',
    schema: bigWholeNumber(21_000n, 'gas'),
    default: 100_000_000n,
    group: 'Limits',
    description: 'The most gas of an eth_call.',
  }),
  callTimeout: option<number>({
    flag: 'call-timeout',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 3_600, 'seconds'),
    default: 5,
    group: 'Limits',
    description:
      'How long the calls, estimates, simulations and traces of one message may compute, those of a batch together; waiting for the live chain does not count.',
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
      'The most values of the live chain (a slot; a balance, a nonce or a code) that are fetched for one message, a batch included.',
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
    description: 'The most transactions that wait in the pool.',
  }),
  logRowsLimit: option<number>({
    flag: 'log-rows-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000_000, 'a number of logs'),
    default: 10_000,
    group: 'Limits',
    description: 'The most logs that one eth_getLogs answers.',
  }),
  requestTimeout: option<number>({
    flag: 'request-timeout',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 86_400, 'seconds'),
    default: 120,
    group: 'Limits',
    description:
      'How long a client may take to send a request (beyond: HTTP 408, and the connection is closed), and take nothing of an answer.',
  }),
  bodyLimit: option<number>({
    flag: 'body-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 1_000_000_000, 'bytes'),
    default: 5 * 1024 * 1024,
    group: 'Limits',
    description: 'The largest body of a request, in bytes. Beyond: HTTP 413.',
  }),
  importBodyLimit: option<number>({
    flag: 'import-body-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 500_000_000, 'bytes'),
    default: 50 * 1024 * 1024,
    group: 'Limits',
    description: 'The same for dev_importContracts and anvil_loadState over HTTP, when it is larger.',
  }),
  batchLimit: option<number>({
    flag: 'batch-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of requests'),
    default: 1000,
    group: 'Limits',
    description: 'The most requests in one batch.',
  }),
  answerLimit: option<number>({
    flag: 'answer-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 500_000_000, 'bytes'),
    default: 64 * 1024 * 1024,
    group: 'Limits',
    description:
      'The largest answer of a request, and of all requests of a batch together, in bytes. A request beyond it is refused by itself: -32005.',
  }),
  inFlightLimit: option<number>({
    flag: 'in-flight-limit',
    placeholder: 'BYTES',
    schema: wholeNumber(1024 * 1024, 100_000_000_000, 'bytes'),
    default: 256 * 1024 * 1024,
    group: 'Limits',
    description:
      'The most bytes of messages that are received or answered and of answers that were not taken yet, of all clients. A key (a connection, when there are no keys) may have as much of it as it leaves free. Beyond: -32005, HTTP 503, or WebSocket close 1013.',
  }),
  rateLimit: option<number>({
    flag: 'rate-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000_000, 'requests a second'),
    defaultText: 'none',
    group: 'Limits',
    description:
      'The most requests a second of one key (of one address, when there are no keys). Beyond: -32005, HTTP 429.',
  }),
  auditLimit: option<number>({
    flag: 'audit-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 100_000_000, 'a number of calls'),
    default: 10_000,
    group: 'Limits',
    description:
      'The most calls that the audit log keeps (dev_getAuditLog), and as many that failed or were refused; the oldest are forgotten first.',
  }),
  connectionLimit: option<number>({
    flag: 'connection-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of connections'),
    default: 12_000,
    group: 'Limits',
    description:
      'The most connections at a time, WebSockets among them; the system must allow as many open files. Beyond: HTTP 503.',
  }),
  webSocketLimit: option<number>({
    flag: 'websocket-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of connections'),
    default: 10_000,
    group: 'Limits',
    description: 'The most WebSocket connections at a time. Beyond: HTTP 503.',
  }),
  webSocketBuffer: option<number>({
    flag: 'websocket-buffer',
    placeholder: 'BYTES',
    schema: wholeNumber(1024, 1_000_000_000, 'bytes'),
    default: 16 * 1024 * 1024,
    group: 'Limits',
    description:
      'The most bytes of notifications that wait for a WebSocket that reads slowly. Beyond, it is closed with code 1008.',
  }),
  subscriptionLimit: option<number>({
    flag: 'subscription-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of subscriptions'),
    default: 1000,
    group: 'Limits',
    description: 'The most subscriptions of one WebSocket connection.',
  }),
  totalSubscriptionLimit: option<number>({
    flag: 'total-subscription-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of subscriptions'),
    default: 20_000,
    group: 'Limits',
    description:
      'The most subscriptions at a time. One of several keys (a connection, when there are no keys) may have as many as it leaves free. Beyond: -32005.',
  }),
  filterLimit: option<number>({
    flag: 'filter-limit',
    placeholder: 'N',
    schema: wholeNumber(0, 1_000_000, 'a number of filters'),
    default: 1000,
    group: 'Limits',
    description: 'The most filters (eth_newFilter and its kin) at a time.',
  }),
  filterLifetime: option<number>({
    flag: 'filter-lifetime',
    placeholder: 'SECONDS',
    schema: wholeNumber(1, 1_000_000, 'seconds'),
    default: 300,
    group: 'Limits',
    description: 'After how many seconds a filter is forgotten that nobody asks for.',
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
      'File to which the audit log is also written, entry by entry, before the call is answered. Each line has the hash of the one before: `understudy audit verify FILE` shows whether it was changed.',
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
      'postgres:// URL of a database in which the network is kept instead of the data directory, in a schema of its own.',
  }),
  network: option<string>({
    secret: false,
    flag: 'network',
    placeholder: 'NAME',
    schema: networkName,
    default: 'understudy',
    group: 'Operation',
    description: 'The name of the network in that database, which is the name of its schema. One database holds many.',
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
    description: `What is logged to standard error: ${logLevels.join(', ')}.`,
  }),
}

export type OptionKey = keyof typeof options
