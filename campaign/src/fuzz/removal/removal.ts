import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postJsonRpc, runCommand, startAnvil } from '@understudy/testkit'
import { auditDirectory, auditSchema } from '../../chaos/kill/storedNetwork.ts'
import { type CollectedMemory, inspected, readCollectedMemory } from '../../shared/collectedMemory.ts'
import { dropNetwork, schemasOf } from '../../shared/database.ts'
import { eventually } from '../../shared/eventually.ts'
import { readProcess } from '../../shared/processFigures.ts'
import { defineScenario, type ScenarioRun } from '../../shared/scenario.ts'
import { startBystander } from './bystander.ts'
import { endings, type MakeEnding, type Site } from './ends.ts'
import { findingsOf, untilClosed } from './findings.ts'
import { Journal } from './journal.ts'
import { note } from './notes.ts'
import { stopUnderUse } from './stops.ts'
import { counting, countingCode, startUsers } from './users.ts'

type Run = ScenarioRun<{ rounds: number; workers: string; databaseUrl: string; only: string }>

const parentName = 'always'
/** The longest that users act before the end, in milliseconds. */
const longestUseMs = 1500
/**
 * How much memory the second half of the rounds may leave, in MB, and how many rounds fill the caches before. The allocator
 * keeps resident memory for itself.
 */
const growthLimits: CollectedMemory = { heap: 30, external: 100, resident: 150 }
const fillingRounds = 20
/** Files and sockets that may be open more than before the first round. */
const openLimit = 6

/**
 * Removes branches and networks, and stops processes, while clients of every kind use them. Each end
 * must close all connections with its code, end all requests by name, leave nothing, and not concern others.
 */
export const removal = defineScenario({
  name: 'fuzz removal',
  summary:
    'Branches and networks that end while clients of every kind use them: sockets close with their code, requests end by name, nothing is left.',
  options: { rounds: 100, workers: '0,2', databaseUrl: '', only: '' },
  async run(run) {
    for (const workers of run.options.workers.split(',')) {
      await removeUnderUse(run, workers)
      if (!'a stop'.includes(run.options.only)) continue
      await stopUnderUse(run, workers)
    }
  },
})

/** A process whose networks and branches are removed, round after round. */
async function removeUnderUse(run: Run, workers: string): Promise<void> {
  const { options, figures, print } = run
  const kinds = Object.entries(endings).filter(([what]) => what.includes(options.only))
  if (kinds.length === 0) return
  const anvil = await startAnvil()
  const directory = mkdtempSync(join(tmpdir(), 'understudy-removal-'))
  const data = join(directory, 'data')
  const { databaseUrl } = options
  const deployment = `r${run.random.below(1_000_000)}`
  const stored = databaseUrl === '' ? {} : { 'database-url': databaseUrl, network: deployment }
  const limits = { 'call-timeout': 60, 'call-gas-limit': 1e11, 'subscription-limit': 1000, 'log-level': 'warn' }
  const file = join(directory, 'networks.json')
  writeFileSync(
    file,
    JSON.stringify({
      options: { port: 0, 'data-dir': data, 'fork-url': anvil.url, workers: Number(workers), ...limits, ...stored },
      networks: { [parentName]: {} },
    }),
  )
  const { child, ended, listening } = runCommand(['serve', '--config', file], {
    cwd: directory,
    environment: inspected,
  })
  let written = ''
  child.stderr?.on('data', (chunk) => {
    written += chunk
  })
  try {
    const url = await listening
    const site: Site = { url, parent: `${url}/n/${parentName}` }
    await postJsonRpc(site.parent, 'dev_setCode', [counting, countingCode])
    await postJsonRpc(site.parent, 'dev_createBranch', [{ name: 'beside' }])
    const pid = child.pid ?? 0
    const before = readProcess(pid)
    let warm = await readCollectedMemory(written)
    for (let round = 0; round < options.rounds; round++) {
      const [what, make] = kinds[round % kinds.length] as [string, MakeEnding]
      await removeOnce(run, site, make).catch((error) => {
        throw new Error(`${what}, ${workers} workers, round ${round}: ${error.message}`, { cause: error })
      })
      figures.add(`ends of ${what}`)
      if (round === Math.floor(options.rounds / 2)) warm = await readCollectedMemory(written)
      if (round % 10 === 9) print(`${round + 1} of ${options.rounds} rounds, ${workers} workers`)
    }
    await removeChildren(site)
    // Engines of long runs, and connections, are kept for some seconds.
    await eventually(async () => {
      const last = await readCollectedMemory(written)
      for (const kind of ['heap', 'external', 'resident'] as const) {
        const name = `${kind} memory with ${workers} workers, after half of the rounds and at the end, MB`
        figures.set(name, `${warm[kind]}, ${last[kind]}`)
        if (options.rounds >= 2 * fillingRounds)
          assert(last[kind] <= warm[kind] + growthLimits[kind], `what was removed left ${kind}: ${figures.get(name)}`)
      }
    }, 30_000)
    await checkGauges(site.parent)
    // Pooled connections of these clients close after some seconds.
    await eventually(async () => {
      const { files } = readProcess(pid)
      assert(files <= before.files + openLimit, `${files} files and sockets are open, ${before.files} before`)
    }, 30_000)
    await postJsonRpc(site.parent, 'dev_removeBranch', ['beside'])
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    assert.equal(code, 0, stderr.slice(-2000))
    assert.doesNotMatch(stderr, /"level":50/)
    await checkStored({ data, databaseUrl, deployment })
  } finally {
    child.kill('SIGKILL')
    await ended
    await anvil.stop()
    rmSync(directory, { recursive: true, force: true })
    if (databaseUrl !== '')
      for (const network of [`${deployment}_${parentName}`, deployment]) await dropNetwork({ databaseUrl, network })
  }
}

async function removeOnce({ random, figures }: Run, site: Site, make: MakeEnding): Promise<void> {
  const { url, gone, code, end, checkAnew } = await make(site)
  const journal = new Journal(gone)
  const bystander = await startBystander(site.parent, `${site.parent}/n/beside`)
  const { done } = await startUsers(journal, url, random)
  await sleep(random.below(longestUseMs))
  const startedAt = performance.now()
  await end()
  const endedAt = performance.now()
  await done
  await untilClosed(journal)
  const findings = findingsOf(journal, { startedAt, endedAt, code })
  note(figures, journal, { startedAt, endedAt })
  if (findings.length > 0) throw new Error(`${findings.length} findings:\n${findings.slice(0, 20).join('\n')}`)
  figures.raise('longest wait of others, ms', Math.round(await bystander.stop()))
  await checkAnew()
}

/** Branches of a removed branch stay; they are whole, and can be removed. */
async function removeChildren({ parent }: Site): Promise<void> {
  const branches = await postJsonRpc<{ id: string; name: string }[]>(parent, 'dev_getBranches', [])
  for (const { id, name } of branches.filter((branch) => branch.name !== 'beside')) {
    assert.match(String(await postJsonRpc(`${parent}/n/${name}`, 'eth_blockNumber', [])), /^0x/)
    await postJsonRpc(parent, 'dev_removeBranch', [id])
  }
}

/** No connection, subscription or filter is counted without an owner. */
async function checkGauges(parent: string): Promise<void> {
  await eventually(async () => {
    const text = await (await fetch(`${parent}/metrics`)).text()
    for (const name of ['websocket_connections', 'subscriptions', 'filters'])
      assert.match(text, new RegExp(`^\\w*${name} 0$`, 'm'), `${name} is not 0`)
  }, 10_000)
}

/** No row and no file is left of what was removed. */
async function checkStored(stored: { data: string; databaseUrl: string; deployment: string }): Promise<void> {
  const { data, databaseUrl, deployment } = stored
  const network = `${deployment}_${parentName}`
  if (databaseUrl === '') {
    assert.deepEqual(readdirSync(join(data, 'incomplete')), [])
    assert.deepEqual(readdirSync(join(data, 'networks')), [parentName])
    await auditDirectory(join(data, 'networks', parentName), 'without branches')
  } else {
    assert.deepEqual(await schemasOf({ databaseUrl, network: deployment }), [deployment, network])
    await auditSchema({ databaseUrl, network }, 'without branches')
  }
}
