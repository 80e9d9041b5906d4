import { bigWholeNumber, wholeNumber } from '../values.ts'
import { option } from './option.ts'

export const limitsOptions = {
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
      'Compute quota of an API key: the seconds per minute that its calls, estimates, simulations and traces may run; the quota of a minute may be used at once. Beyond: -32005, HTTP 429.',
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
      'Fetch quota of an API key: the number of live chain values that may be fetched for it per minute. Beyond: -32005, HTTP 429.',
  }),
  simulationLimit: option<number>({
    flag: 'simulation-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 1_000_000, 'a number of simulations'),
    default: 1000,
    group: 'Limits',
    description:
      'Maximum number of stored simulations of a network, and of each of its branches. The oldest that are not shared are deleted first.',
  }),
  simulationStorageLimit: option<number>({
    flag: 'simulation-storage-limit',
    placeholder: 'MB',
    schema: wholeNumber(1, 1_000_000, 'a number of megabytes'),
    default: 200,
    group: 'Limits',
    description:
      'What the stored simulations of a network, and of each of its branches, may take together, in megabytes. The oldest that are not shared are deleted first.',
  }),
  branchLimit: option<number>({
    flag: 'branch-limit',
    placeholder: 'N',
    schema: wholeNumber(1, 10_000, 'a number of branches'),
    default: 2000,
    group: 'Limits',
    description: 'Maximum number of branches, with branches of branches.',
  }),
  branchDiskLimit: option<number>({
    flag: 'branch-disk-limit',
    placeholder: 'MB',
    schema: wholeNumber(1, 1_000_000, 'a number of megabytes'),
    default: 1000,
    group: 'Limits',
    description:
      'Maximum size of the values that a branch may write, in MB, including values that it deletes later. Beyond, the branch accepts no changes and seals no blocks; reads still work.',
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
      'Maximum time for a client to send a request, in seconds (then HTTP 408, and the connection is closed), and maximum time for which it reads nothing of an answer.',
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
    description:
      'Maximum size of a request body for dev_importContracts and anvil_loadState over HTTP, in bytes, if it is larger than --body-limit.',
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
}
