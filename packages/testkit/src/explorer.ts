import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A contract that is verified at the stand-in. */
export type VerifiedEntry = {
  name: string
  abi: unknown
  implementation?: string
  /** Texts by their paths, the contract's own first; one of a line when left out. */
  sources?: Record<string, string>
}

export type ExplorerRequest = { api: 'etherscan' | 'sourcify' | 'blockscout'; address: string; key: string | undefined }

/** What goes wrong. */
export type ExplorerTrouble = 'rate-limit' | 'daily-limit' | 'down' | 'not-json' | 'silent' | undefined

/**
 * Block explorers on this machine. They answer in the real formats: Etherscan's v2 at `/v2/api` (always HTTP 200), Sourcify's v2
 * at `/sourcify`, Blockscout's v2 at `/blockscout`. The three know the same contracts, but for those that `only` names.
 */
export type ExplorerStandIn = {
  readonly etherscanUrl: string
  readonly sourcifyUrl: string
  readonly blockscoutUrl: string
  verify(address: string, entry: VerifiedEntry, only?: ExplorerRequest['api']): void
  /** The next `count` requests get trouble; all of them when it is left out. */
  trouble(kind: ExplorerTrouble, count?: number): void
  /** What was asked, oldest first. */
  readonly requests: readonly ExplorerRequest[]
  stop(): Promise<void>
}

export async function startExplorer({ chainId, key }: { chainId: number; key?: string }): Promise<ExplorerStandIn> {
  const contracts = new Map<string, VerifiedEntry>()
  const requests: ExplorerRequest[] = []
  let trouble: ExplorerTrouble
  let left = 0

  const find = (api: ExplorerRequest['api'], address: string) =>
    contracts.get(`${api}:${address.toLowerCase()}`) ?? contracts.get(`:${address.toLowerCase()}`)

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, first = '', ...path] = url.pathname.split('/')
    const api = first === 'v2' ? 'etherscan' : (first as ExplorerRequest['api'])
    const address = (api === 'etherscan' ? url.searchParams.get('address') : path.at(-1)) ?? ''
    requests.push({ api, address: address.toLowerCase(), key: url.searchParams.get('apikey') ?? undefined })
    const now = left > 0 ? trouble : undefined
    left -= 1
    if (now === 'silent') return
    if (now === 'down') return send(response, 503, { error: 'down' })
    if (now === 'not-json') return void response.writeHead(200).end('<html>Just a moment...</html>')
    if (api === 'etherscan') return send(response, 200, etherscanAnswer(url.searchParams, now))
    if (now) return send(response, 429, { message: 'Too many requests' })
    const entry = find(api, address)
    if (api === 'sourcify') {
      if (path[2] !== String(chainId) || !entry) return send(response, 404, sourcifyNotFound(path[2], address))
      return send(response, 200, sourcifyAnswer(entry, address, chainId))
    }
    if (!entry) return send(response, 404, { message: 'Not found' })
    send(response, 200, blockscoutAnswer(entry))
  })

  function etherscanAnswer(query: URLSearchParams, now: ExplorerTrouble) {
    const refuse = (result: string) => ({ status: '0', message: 'NOTOK', result })
    if (now === 'rate-limit') return refuse('Max calls per sec rate limit reached (3/sec)')
    if (now === 'daily-limit') return refuse('Max daily rate limit reached. 100,000 (100%) of 100,000 day/limit')
    if (key !== undefined && query.get('apikey') !== key)
      return refuse(query.has('apikey') ? 'Invalid API Key (#err2)|' : 'Missing/Invalid API Key')
    if (query.get('chainid') !== String(chainId))
      return refuse(
        'Missing or unsupported chainid parameter (required for v2 api), please see https://api.etherscan.io/v2/chainlist for the list of supported chainids',
      )
    if (query.get('module') !== 'contract' || query.get('action') !== 'getsourcecode')
      return refuse('Error! Missing Or invalid Action name')
    const entry = find('etherscan', query.get('address') ?? '')
    return { status: '1', message: 'OK', result: [etherscanEntry(entry)] }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    etherscanUrl: `${base}/v2/api`,
    sourcifyUrl: `${base}/sourcify`,
    blockscoutUrl: `${base}/blockscout`,
    verify: (address, entry, only) => void contracts.set(`${only ?? ''}:${address.toLowerCase()}`, entry),
    trouble(kind, count = Number.POSITIVE_INFINITY) {
      trouble = kind
      left = kind === undefined ? 0 : count
    },
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const compilerVersion = '0.8.30+commit.73712a01'

function sourcesOf({ name, sources }: VerifiedEntry): Record<string, string> {
  return sources ?? { [`src/${name}.sol`]: `contract ${name} {}` }
}

function contentsOf(entry: VerifiedEntry): Record<string, { content: string }> {
  return Object.fromEntries(Object.entries(sourcesOf(entry)).map(([path, content]) => [path, { content }]))
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** What Etherscan says of a contract that is not verified. */
const unverified = {
  SourceCode: '',
  ABI: 'Contract source code not verified',
  ContractName: '',
  CompilerVersion: '',
  OptimizationUsed: '',
  Runs: '',
  ConstructorArguments: '',
  EVMVersion: 'Default',
  Library: '',
  ContractFileName: '',
  LicenseType: 'Unknown',
  Proxy: '0',
  Implementation: '',
  SwarmSource: '',
  SimilarMatch: '',
}

function etherscanEntry(entry: VerifiedEntry | undefined) {
  if (!entry) return unverified
  return {
    ...unverified,
    // Several files come as standard JSON in braces of its own, one as it is.
    SourceCode: entry.sources
      ? `{${JSON.stringify({ language: 'Solidity', sources: contentsOf(entry) })}}`
      : `contract ${entry.name} {}`,
    ABI: JSON.stringify(entry.abi),
    ContractName: entry.name,
    CompilerVersion: `v${compilerVersion}`,
    Proxy: entry.implementation === undefined ? '0' : '1',
    Implementation: entry.implementation ?? '',
  }
}

function blockscoutAnswer(entry: VerifiedEntry) {
  const implementations = entry.implementation === undefined ? [] : [{ address_hash: entry.implementation, name: null }]
  const [[file, text], ...others] = Object.entries(sourcesOf(entry)) as [[string, string], ...[string, string][]]
  return {
    abi: entry.abi,
    name: entry.name,
    is_verified: true,
    implementations,
    language: 'solidity',
    compiler_version: `v${compilerVersion}`,
    file_path: file,
    source_code: text,
    additional_sources: others.map(([file_path, source_code]) => ({ file_path, source_code })),
  }
}

function sourcifyAnswer(entry: VerifiedEntry, address: string, chainId: number) {
  const { implementation } = entry
  return {
    abi: entry.abi,
    compilation: {
      name: entry.name,
      language: 'Solidity',
      fullyQualifiedName: `${Object.keys(sourcesOf(entry))[0]}:${entry.name}`,
      compilerVersion,
    },
    sources: contentsOf(entry),
    proxyResolution: {
      isProxy: implementation !== undefined,
      proxyType: implementation === undefined ? null : 'EIP1967Proxy',
      implementations: implementation === undefined ? [] : [{ address: implementation }],
    },
    match: 'exact_match',
    creationMatch: 'exact_match',
    runtimeMatch: 'exact_match',
    chainId: String(chainId),
    address,
  }
}

const sourcifyNotFound = (chainId: string | undefined, address: string) => ({
  match: null,
  creationMatch: null,
  runtimeMatch: null,
  chainId,
  address,
})
