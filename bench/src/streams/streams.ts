import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { startAnvil } from '@understudy/testkit'
import { openHttpClient } from '../httpClient.ts'
import { startUnderstudy } from '../startUnderstudy.ts'

type Configuration = {
  providerConfig: {
    allowUnlimitedContractSize: boolean
    network: { Local: { genesisBlockGasLimit: number; genesisBlockTime: string } }
  }
}
type Request = { method: string; params?: unknown[] }
type Replayed = { perSecond: number; failed: number; slowest: string }

/** Ids of snapshots are those of the recording: each stands for the newest of ours that fits. */
function createSnapshots() {
  let taken: { id: string; recorded: bigint }[] = []
  let nextRecorded = 1n
  return {
    took(id: string) {
      taken.push({ id, recorded: nextRecorded++ })
    },
    idOf(recorded: string) {
      const index = taken.findLastIndex((one) => one.recorded <= BigInt(recorded))
      const found = taken[index] ?? taken[0]
      taken = taken.slice(0, Math.max(0, index))
      return found?.id ?? recorded
    },
  }
}

async function replay(url: string, requests: readonly Request[]): Promise<Replayed> {
  const http = await openHttpClient(url)
  const snapshots = createSnapshots()
  const spent = new Map<string, number>()
  let failed = 0
  const start = performance.now()
  for (const [index, { method, params = [] }] of requests.entries()) {
    const given = method === 'evm_revert' ? [snapshots.idOf(String(params[0]))] : params
    const sentAt = performance.now()
    const answer = await http.post(JSON.stringify({ jsonrpc: '2.0', id: index + 1, method, params: given }))
    spent.set(method, (spent.get(method) ?? 0) + performance.now() - sentAt)
    if (answer.includes('"error":')) failed++
    else if (method === 'evm_snapshot') snapshots.took((JSON.parse(answer.toString()) as { result: string }).result)
  }
  const ms = performance.now() - start
  http.close()
  const slowest = [...spent].sort((a, b) => b[1] - a[1]).slice(0, 4)
  return {
    perSecond: (requests.length * 1000) / ms,
    failed,
    slowest: slowest.map(([method, sum]) => `${method} ${((sum / ms) * 100).toFixed(0)} %`).join(', '),
  }
}

/** Replays recorded requests of real test suites, in `STREAMS_DIR`, over one connection, to this server and to anvil: both fork the same chain, which is asked for what they do not know. `--limit N` takes the first N of each; with `--ephemeral`, this server keeps as little as anvil; `--repeat N` replays each N times to the same two servers, which shows what a process that has just started costs. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      limit: { type: 'string', default: '20000' },
      only: { type: 'string', default: '' },
      ephemeral: { type: 'boolean' },
      repeat: { type: 'string', default: '1' },
    },
  })
  const directory = resolve(process.env.STREAMS_DIR ?? '../shared/streams')
  if (!existsSync(directory)) {
    console.log(`No recorded streams at ${directory}: set STREAMS_DIR to their directory`)
    return
  }
  const files = readdirSync(directory).filter((name) => name.endsWith('.jsonl.gz') && name.includes(values.only))
  console.log('| stream | understudy, a second | anvil, a second | understudy / anvil | failed (anvil) | our time |')
  console.log('|---|---|---|---|---|---|')
  for (const file of files) {
    const [first = '', ...lines] = gunzipSync(readFileSync(join(directory, file)))
      .toString()
      .trimEnd()
      .split('\n')
    const { allowUnlimitedContractSize, network } = (JSON.parse(first) as Configuration).providerConfig
    const requests = lines.slice(0, Number(values.limit)).map((line) => JSON.parse(line) as Request)
    const gasLimit = String(network.Local.genesisBlockGasLimit)
    const options = { accounts: 20, hardfork: 'shanghai' }
    const time = String(Date.parse(network.Local.genesisBlockTime) / 1000)
    const anvilArgs = [
      '--gas-limit',
      gasLimit,
      '--timestamp',
      time,
      ...(allowUnlimitedContractSize ? ['--code-size-limit', '1000000'] : []),
    ]
    const upstream = await startAnvil({ ...options, accounts: 0, args: anvilArgs })
    const theirs = await startAnvil({
      ...options,
      args: [...anvilArgs, '--fork-url', upstream.url, '--chain-id', '31337'],
    })
    const ours = await startUnderstudy([
      ...(values.ephemeral ? ['--ephemeral'] : []),
      '--fork-url',
      upstream.url,
      '--no-follow-head',
      '--accounts',
      '20',
      '--hardfork',
      'shanghai',
      '--chain-id',
      '31337',
    ])
    try {
      for (let round = 0; round < Number(values.repeat); round++) {
        const [mine, other] = [await replay(ours.url, requests), await replay(theirs.url, requests)]
        const ratio = (mine.perSecond / other.perSecond).toFixed(2)
        console.log(
          `| ${file.split('_')[0]}, ${requests.length} | ${mine.perSecond.toFixed(0)} | ${other.perSecond.toFixed(0)} | ${ratio} | ${mine.failed} (${other.failed}) | ${mine.slowest} |`,
        )
      }
    } finally {
      await Promise.all([ours.stop(), theirs.stop(), upstream.stop()])
    }
  }
}
