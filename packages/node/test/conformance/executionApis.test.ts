import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { startPublishedChain } from './publishedChain.ts'
import type { ServedChain } from './servedChain.ts'

/** The recorded requests and answers of ethereum/execution-apis, and the chain that they are about. */
const projectRoot = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = process.env.EXECUTION_APIS_DIR ?? join(projectRoot, '../shared/execution-apis/tests')

const simulation = (name: string) => `eth_simulateV1/ethSimulate-${name}.io`

/** Files whose answers differ, by reason. */
const differences: Record<string, string[]> = {
  'the chain has no eth_config, which alone says when its forks began': ['eth_config/get-config.io'],
  'blocks run by the rules of Berlin or later': [simulation('empty-with-block-num-set-firstblock')],
  'BLOCKHASH of a simulated block is another hash, because there is no state root': [
    simulation('add-more-non-defined-BlockStateCalls-than-fit-but-now-with-fit'),
    simulation('overwrite-existing-contract'),
  ],
  'methods for tests of consensus clients are not there': [
    'testing_buildBlockV1/build-block-empty-transactions.io',
    'testing_buildBlockV1/build-block-from-mempool.io',
    'testing_buildBlockV1/build-block-invalid-transaction.io',
    'testing_buildBlockV1/build-block-with-transactions.io',
  ],
}

type Answer = { result?: unknown; error?: object }
type Exchange = { request: { method: string }; answer: Answer }

/** Lines that begin with `>>` are requests, those with `<<` their answers. With `speconly`, only the shape matters. */
function exchangesOf(file: string): { exchanges: Exchange[]; isOnlyShape: boolean } {
  const text = readFileSync(join(folder, file), 'utf8')
  const said = (mark: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(mark))
      .map((line) => JSON.parse(line.slice(mark.length)))
  const answers = said('<<')
  const exchanges = said('>>').map((request, index) => ({ request, answer: answers[index] }))
  return { exchanges, isOnlyShape: /^\/\/\s*speconly:/m.test(text) }
}

/**
 * What is compared, as in the suite: each client has its own words for errors. A simulated block has no state root here,
 * so its hash differs too.
 */
function comparable({ method }: Exchange['request'], { result, error }: Answer): unknown {
  if (error) return { ...error, message: '' }
  if (method !== 'eth_simulateV1') return result
  const blocks = result as { hash: string; parentHash: string }[]
  const hashes = new Set(blocks.flatMap(({ hash, parentHash }, index) => (index > 0 ? [hash, parentHash] : [hash])))
  return JSON.parse(JSON.stringify(result), (key, value) => (key === 'stateRoot' || hashes.has(value) ? '' : value))
}

const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.io'))
      .sort()
  : []

describe.skipIf(files.length === 0)(`the files of execution-apis in ${folder}`, { timeout: 180_000 }, () => {
  let chain: ServedChain
  let network: TestNetwork
  beforeAll(async () => {
    chain = await startPublishedChain(folder)
    // The limits of geth, with which the answers were recorded.
    const limits = { chainId: 3503995874084926, callGasLimit: 50_000_000n }
    network = await startNetwork({ forkUrls: [chain.url], mine: 'manual', ...limits })
  }, 180_000)
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  async function agrees(file: string): Promise<boolean> {
    const { exchanges, isOnlyShape } = exchangesOf(file)
    for (const { request, answer } of exchanges) {
      const response = await fetch(network.url, { method: 'POST', body: JSON.stringify(request) })
      const given = (await response.json()) as Answer
      if (isOnlyShape && Object.keys(given).join() !== Object.keys(answer).join()) return false
      if (!isOnlyShape && !isDeepStrictEqual(comparable(request, given), comparable(request, answer))) return false
    }
    return true
  }

  it('are answered as recorded, except for the known differences', async () => {
    const differing: string[] = []
    for (const file of files) if (!(await agrees(file))) differing.push(file)
    const known = Object.values(differences).flat()
    expect(differing.sort()).toEqual(known.filter((file) => files.includes(file)).sort())
    expect(differing.length).toBeLessThan(files.length / 20)
  })
})
