import { describe, expect, it } from 'vitest'
import { isNetworkError } from '../shared/errors.ts'
import { configFromSources, createConfig, describeConfig, environmentName } from './config.ts'
import { type OptionKey, options } from './options.ts'

const problemOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (isNetworkError(error, 'CONFIG_INVALID')) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

const key = 'a-k3y-of-somebody'

describe('createConfig', () => {
  it('fills in the defaults', () => {
    expect(createConfig()).toMatchInlineSnapshot(`
      {
        "acceptDeposits": false,
        "accounts": 10,
        "allowSameTimestamp": false,
        "allowedHosts": [],
        "allowedOrigins": [],
        "answerLimit": 67108864,
        "apiKeys": [],
        "auditFile": undefined,
        "auditLimit": 10000,
        "balance": 10000000000000000000000n,
        "batchLimit": 1000,
        "blockscoutUrl": undefined,
        "bodyLimit": 5242880,
        "branchDiskLimit": 1000,
        "branchLimit": 2000,
        "callGasLimit": 100000000n,
        "callTimeout": 5,
        "chainId": undefined,
        "chainProfile": undefined,
        "checkFidelity": 200,
        "codeSizeLimit": undefined,
        "connectionLimit": 12000,
        "dataDirectory": ".understudy",
        "databaseUrl": undefined,
        "derivationPath": [
          2147483692,
          2147483708,
          2147483648,
          0,
        ],
        "disableBlockGasLimit": false,
        "disableCodeSizeLimit": false,
        "disableMinPriorityFee": false,
        "ephemeral": false,
        "explorerKey": undefined,
        "explorerUrl": undefined,
        "extend": false,
        "filterLifetime": 300,
        "filterLimit": 1000,
        "followHead": true,
        "forkBlockNumber": undefined,
        "forkHeaders": {},
        "forkTransactionHash": undefined,
        "forkUrls": [],
        "from": undefined,
        "hardfork": undefined,
        "host": "127.0.0.1",
        "importBodyLimit": 52428800,
        "inFlightLimit": 268435456,
        "init": undefined,
        "insecure": false,
        "ipc": undefined,
        "keepBlobs": 512,
        "keepBlocks": undefined,
        "keyComputing": undefined,
        "keyValues": undefined,
        "l1Fee": true,
        "logLevel": "info",
        "logRowsLimit": 10000,
        "mine": undefined,
        "mnemonic": "test test test test test test test test test test test junk",
        "network": "understudy",
        "nodeUrl": undefined,
        "offline": false,
        "order": "fees",
        "playHeads": undefined,
        "pollIntervalMs": undefined,
        "poolLimit": 10000,
        "port": 8545,
        "prices": "measured",
        "proxyUnknown": false,
        "publicExplorers": true,
        "publicUrl": undefined,
        "rateLimit": undefined,
        "record": undefined,
        "recordHeads": false,
        "replayMaxGap": 7200,
        "requestKeys": 20000,
        "requestTimeout": 120,
        "resetToUrl": undefined,
        "shadow": false,
        "simulationLimit": 1000,
        "simulationStorageLimit": 200,
        "slotsInEpoch": 0,
        "sourcifyUrl": undefined,
        "subscriptionLimit": 1000,
        "timestamp": undefined,
        "totalSubscriptionLimit": 20000,
        "txGasCap": true,
        "upstreamBatchSize": 100,
        "upstreamCacheMegabytes": 64,
        "upstreamHedge": false,
        "upstreamRate": undefined,
        "upstreamTimeoutMs": 20000,
        "userOperationRules": "warn",
        "webSocketBuffer": 16777216,
        "webSocketLimit": 10000,
        "workerMemory": 2048,
        "workers": undefined,
      }
    `)
  })

  it('takes values as they are in TypeScript', () => {
    expect(
      createConfig({ port: 0, balance: 5n, mine: { type: 'interval', intervalMs: 20 }, forkUrls: ['http://a.b'] }),
    ).toMatchObject({ port: 0, balance: 5n, mine: { type: 'interval', intervalMs: 20 }, forkUrls: ['http://a.b'] })
    const more = { type: 'manual', more: 1 } as { type: 'manual' }
    expect(createConfig({ mine: more }).mine).toEqual({ type: 'manual' })
  })

  it('names the nearest known key when one is unknown', () => {
    expect(problemOf(() => createConfig({ prot: 1 } as never))).toBe('prot: is not an option; did you mean port?')
  })

  it('accepts each of its own defaults', () => {
    const defaults = createConfig()
    const chosen = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
    expect(createConfig(chosen)).toEqual(defaults)
  })
})

describe('configFromSources', () => {
  it('prefers flags to the environment and the environment to the defaults', () => {
    const config = configFromSources({ port: '1' }, { UNDERSTUDY_PORT: '2', UNDERSTUDY_ACCOUNTS: '3', PATH: '/bin' })
    expect(config).toMatchObject({ port: 1, accounts: 3, host: '127.0.0.1' })
  })

  it('decodes every kind of value from text', () => {
    expect(
      configFromSources(
        {
          forkUrls: ['https://one.example/', 'http://two.example:8545/x'],
          forkHeaders: ['Authorization: Bearer a:b', 'X-Other: 1'],
          forkBlockNumber: '0x10',
          followHead: false,
          balance: '0.5',
          mine: 'interval:0.25',
          hardfork: 'cancun',
        },
        {
          UNDERSTUDY_CHAIN_ID: '1337',
          UNDERSTUDY_INSECURE: 'true',
          UNDERSTUDY_ALLOWED_HOST: 'a.example, b.example',
          UNDERSTUDY_API_KEYS: `${key}:write`,
        },
      ),
    ).toMatchObject({
      forkUrls: ['https://one.example/', 'http://two.example:8545/x'],
      forkHeaders: { Authorization: 'Bearer a:b', 'X-Other': '1' },
      forkBlockNumber: 16n,
      followHead: false,
      balance: 5n * 10n ** 17n,
      mine: { type: 'interval', intervalMs: 250 },
      hardfork: 'cancun',
      chainId: 1337n,
      insecure: true,
      allowedHosts: ['a.example', 'b.example'],
      apiKeys: [{ key, role: 'write' }],
    })
  })

  it.each([
    [{ port: '99999' }, {}, '--port: expected a port from 0 to 65535, got "99999"'],
    [{ port: '-1' }, {}, '--port: expected a port from 0 to 65535, got "-1"'],
    [{ accounts: '1.5' }, {}, '--accounts: expected a number of accounts from 0 to 1000, got "1.5"'],
    [
      { mine: 'interval:0' },
      {},
      '--mine: expected instant, instant:SECONDS, manual, replay or interval:SECONDS (above 0, at most 86400), got "interval:0"',
    ],
    [
      { mine: 'auto' },
      {},
      '--mine: expected instant, instant:SECONDS, manual, replay or interval:SECONDS (above 0, at most 86400), got "auto"',
    ],
    [{ balance: '-5' }, {}, '--balance: expected an amount of ether such as 10000 or 0.5, got "-5"'],
    [{ balance: '1e3' }, {}, '--balance: expected an amount of ether such as 10000 or 0.5, got "1e3"'],
    [
      { derivationPath: "m/44'/60'/x" },
      {},
      `--derivation-path: expected a path such as m/44'/60'/0'/0, of numbers below 2147483648 that may end in ' or h, got "m/44'/60'/x"`,
    ],
    [
      { forkBlockNumber: '-1.5' },
      {},
      '--fork-block-number: expected a block number, or -N for the block N before the head, got "-1.5"',
    ],
    [{ chainId: '0' }, {}, '--chain-id: expected a chain id of at least 1, got "0"'],
    [
      { hardfork: 'merge' },
      {},
      '--hardfork: expected one of berlin, london, paris, shanghai, cancun, prague, osaka, amsterdam, got "merge"',
    ],
    [
      {},
      { UNDERSTUDY_LOG_LEVEL: 'loud' },
      'UNDERSTUDY_LOG_LEVEL: expected one of trace, debug, info, warn, error, silent, got "loud"',
    ],
    [{}, { UNDERSTUDY_FOLLOW_HEAD: 'maybe' }, 'UNDERSTUDY_FOLLOW_HEAD: expected true or false, got "maybe"'],
    [
      { network: 'pg_mine' },
      {},
      '--network: expected lower-case letters, digits and underscores, at most 63, starting with a letter, but not with pg_, got "pg_mine"',
    ],
    [{}, { UNDERSTUDY_PROT: '1' }, 'UNDERSTUDY_PROT: is not an option; did you mean UNDERSTUDY_PORT?'],
  ] as const)('refuses %o %o', (flags, environment, message) => {
    expect(problemOf(() => configFromSources(flags, environment))).toBe(message)
  })

  it.each([
    [
      { forkUrls: ['ftp://user:secret@host'] },
      '--fork-url: expected http://, https://, ws:// or wss:// URLs, or paths of local sockets',
    ],
    [
      { forkHeaders: ['secret'] },
      '--fork-header: expected HTTP headers of the form "Name: value", but none of the connection or of the body',
    ],
    ...[
      'Host: a.example',
      'transfer-encoding: chunked',
      'Connection: close',
      'X-A: b\r\nX-B: c',
      'X-A: \0',
      'X-A: \u0100',
    ].flatMap((line) => {
      const [name = '', ...value] = line.split(': ')
      const problem =
        '--fork-header: expected HTTP headers of the form "Name: value", but none of the connection or of the body'
      return [
        [{ forkHeaders: [line] }, problem],
        [{ forkHeaders: { [name]: value.join(': ') } }, problem],
      ] as [Record<string, unknown>, string][]
    }),
    [{ mnemonic: 'secret words' }, '--mnemonic: expected 12 to 24 words'],
    [{ databaseUrl: 'mysql://user:secret@host/db' }, '--database-url: expected a postgres:// URL'],
    [
      { apiKeys: [`${key}:read`, `${key}:root`] },
      '--api-key: expected KEY:ROLE with a key of 16 to 200 letters, digits and ._~- and one of the roles read, write, admin',
    ],
  ])('does not repeat what may be a secret: %o', (flags, message) => {
    expect(problemOf(() => configFromSources(flags, {}))).toBe(message)
  })

  it('leaves alone the variables of the commands that talk to a running network', () => {
    expect(configFromSources({}, { UNDERSTUDY_RPC_URL: 'http://x', UNDERSTUDY_API_KEY: 'k' })).toEqual(createConfig())
  })
})

it.each([
  ['/tmp/geth.ipc', 'ipc:///tmp/geth.ipc'],
  ['ipc:///tmp/geth.ipc', 'ipc:///tmp/geth.ipc'],
  ['ipc:/tmp/geth.ipc', 'ipc:///tmp/geth.ipc'],
  ['file:///tmp/my geth.ipc', 'ipc:///tmp/my%20geth.ipc'],
  ['geth.ipc', `ipc://${process.cwd()}/geth.ipc`],
  ['./geth.socket', `ipc://${process.cwd()}/geth.socket`],
])('takes the path of a local socket: %s', (given, url) => {
  expect(createConfig({ forkUrls: [given] })).toMatchObject({ forkUrls: [url], forkBlockNumber: undefined })
  expect(createConfig({ forkUrls: [`${given}@7`] })).toMatchObject({ forkUrls: [url], forkBlockNumber: 7n })
  expect(createConfig({ forkUrls: [url] })).toMatchObject({ forkUrls: [url] })
})

it.each(['ipc://host/geth.ipc', 'file:geth', 'geth'])('takes no other text as one: %s', (given) => {
  expect(problemOf(() => createConfig({ forkUrls: [given] }))).toContain('or paths of local sockets')
})

describe('a block in the URL of the live chain', () => {
  it.each([
    ['https://rpc.example@21000000', 'https://rpc.example', 21_000_000n],
    ['http://localhost:8545/v3/key@0x10', 'http://localhost:8545/v3/key', 16n],
    ['wss://name:secret@rpc.example:8546@-5', 'https://name:secret@rpc.example:8546', -5n],
    ['http://localhost:8545@latest', 'http://localhost:8545', undefined],
    ['https://name:secret@rpc.example', 'https://name:secret@rpc.example', undefined],
    ['https://name:secret@10', 'https://name:secret@10', undefined],
    ['https://rpc.example/@someone', 'https://rpc.example/@someone', undefined],
  ])('is told from credentials: %s', (given, url, forkBlockNumber) => {
    expect(createConfig({ forkUrls: [given] })).toMatchObject({ forkUrls: [url], forkBlockNumber })
    expect(configFromSources({}, { UNDERSTUDY_FORK_URL: `${given}, http://other.example` })).toMatchObject({
      forkUrls: [url, 'http://other.example'],
      forkBlockNumber,
    })
  })

  it('may be named twice, but not differently', () => {
    const forkUrls = ['http://one.example@5', 'http://two.example@0x5']
    expect(createConfig({ forkUrls, forkBlockNumber: '0x5' })).toMatchObject({ forkBlockNumber: 5n })
    expect(problemOf(() => configFromSources({ forkUrls, forkBlockNumber: '6' }, {}))).toBe(
      '--fork-url: one URL names block 5, and 6 is named as well. Name one block',
    )
    expect(problemOf(() => createConfig({ forkUrls: ['http://one.example@5', 'http://two.example@6'] }))).toBe(
      'forkUrls: one URL names block 6, and 5 is named as well. Name one block',
    )
  })
})

describe('a host that others can reach', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.org'])('is refused without a key or --insecure: %s', (host) => {
    expect(problemOf(() => configFromSources({ host }, {}))).toBe(
      `--host: other machines can reach ${host}, and no key protects the network. Pass an --api-key, listen on 127.0.0.1, or pass --insecure to allow it`,
    )
    expect(configFromSources({ host, insecure: true }, {})).toMatchObject({ host, insecure: true })
    expect(configFromSources({ host, apiKeys: [`${key}:read`] }, {})).toMatchObject({ host, insecure: false })
  })

  it.each(['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]'])('is not what %s is', (host) => {
    expect(createConfig({ host })).toMatchObject({ host })
  })
})

it('refuses a limit for keys where there are none', () => {
  expect(problemOf(() => configFromSources({ keyComputing: 5 }, {}))).toBe(
    '--key-computing: there are no keys to limit. Give the network an --api-key, or leave the option out',
  )
  expect(configFromSources({ keyComputing: 5, apiKeys: [`${key}:read`] }, {})).toMatchObject({ keyComputing: 5 })
})

describe('bytes in flight', () => {
  it.each([
    ['--body-limit', { bodyLimit: 60_000_000 }],
    ['--import-body-limit', { importBodyLimit: 60_000_000 }],
  ])('must have room for the largest body by %s', (flag, limit) => {
    const flags = { ...limit, inFlightLimit: 119_999_999 }
    expect(problemOf(() => configFromSources(flags, {}))).toBe(
      `--in-flight-limit: the largest body, of 60000000 bytes by ${flag}, would always be refused: one client may have half of the 119999999 bytes. Allow at least 120000000 bytes here, or smaller bodies`,
    )
    expect(configFromSources({ ...limit, inFlightLimit: 120_000_000 }, {})).toMatchObject(limit)
  })
})

describe('every origin', () => {
  const everyOrigin = { allowedOrigins: ['*'] }
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

  it('is refused where any website could sign with accounts that are not for tests', () => {
    expect(problemOf(() => configFromSources({ ...everyOrigin, mnemonic }, {}))).toBe(
      '--allowed-origin: with * any website could sign with the accounts of your --mnemonic. Name the origins, give the network an --api-key, or leave the mnemonic out',
    )
    for (const chosen of [{}, { mnemonic, accounts: 0 }, { mnemonic, allowedOrigins: ['https://app.example'] }])
      expect(createConfig({ ...everyOrigin, ...chosen })).toMatchObject(chosen)
    expect(createConfig({ ...everyOrigin, mnemonic, apiKeys: [`${key}:write`] })).toMatchObject({ mnemonic })
  })
})

describe('describeConfig', () => {
  it('prints secrets as ***', () => {
    const described = describeConfig(
      createConfig({
        forkUrls: ['https://user:pw@rpc.example/v3/0123456789abcdef0123456789abcdef?key=secret'],
        forkHeaders: { Authorization: 'Bearer secret' },
        apiKeys: [`${key}:admin`, `${key}2:read`],
        explorerUrl: 'https://explorer.example/v2/api?apikey=secret',
        explorerKey: 'secret',
        databaseUrl: 'postgres://user:pw@host:5432/db?password=secret',
        mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
      }),
    )
    expect(described).toMatchObject({
      forkUrls: 'https://***@rpc.example/v3/***?key=***',
      forkHeaders: 'Authorization: ***',
      mnemonic: '***',
      apiKeys: '***:admin, ***:read',
      explorerUrl: 'https://explorer.example/v2/api?apikey=***',
      explorerKey: '***',
      databaseUrl: 'postgres://***@host:5432/db?password=***',
      chainId: "the live chain's",
      mine: 'instant at the first start, later the last mode',
    })
    expect(JSON.stringify(described)).not.toMatch(/secret|k3y|0123456789abcdef|winner|pw@/)
  })

  it('prints the public test mnemonic', () => {
    expect(describeConfig(createConfig()).mnemonic).toMatch(/^test test .* junk$/)
  })
})

describe('options', () => {
  it('have flags and environment names of their own', () => {
    const keys = Object.keys(options) as OptionKey[]
    expect(new Set(keys.map((key) => options[key].flag)).size).toBe(keys.length)
    expect(environmentName('forkBlockNumber')).toBe('UNDERSTUDY_FORK_BLOCK_NUMBER')
  })
})
