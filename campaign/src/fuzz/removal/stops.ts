import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postJsonRpc, runCommand, startAnvil } from '@understudy/testkit'
import { createStoredNetwork } from '../../chaos/kill/storedNetwork.ts'
import type { ScenarioRun } from '../../shared/scenario.ts'
import { callByIpc } from './callers.ts'
import { findingsOf, untilClosed } from './findings.ts'
import { Journal } from './journal.ts'
import { note } from './notes.ts'
import { counting, countingCode, startUsers, use, writesAndReads } from './users.ts'

type Run = ScenarioRun<{ rounds: number; databaseUrl: string }>

/** The longest that users act before the end, in milliseconds. */
const longestUseMs = 1500
/** How long a process may take to stop that has this much to do, in milliseconds. */
const stopLimitMs = 5_000
const branch = 'used'
const gone = ['NETWORK_STOPPING', 'BRANCH_CLOSED', 'STOPPED_DURING_CALL', 'Service Unavailable']

/**
 * Stops a process while clients use its network, also by a local socket, and a branch of it. Each start finds what the
 * process before has left.
 */
export async function stopUnderUse({ random, options, figures }: Run, workers: string): Promise<void> {
  const anvil = await startAnvil()
  const stored = createStoredNetwork(options.databaseUrl)
  const ipc = join(tmpdir(), `understudy-removal-${process.pid}.ipc`)
  const limits = ['--call-timeout', '60', '--call-gas-limit', '100000000000', '--log-level', 'warn']
  const flags = ['--fork-url', anvil.url, '--workers', workers, '--ipc', ipc, ...limits, ...stored.flags]
  try {
    for (let round = 0; round < Math.ceil(options.rounds / 5); round++) {
      const { child, ended, listening } = runCommand(['start', '--port', '0', ...flags])
      try {
        const url = await listening
        if (round === 0) {
          await postJsonRpc(url, 'dev_setCode', [counting, countingCode])
          await postJsonRpc(url, 'dev_createBranch', [{ name: branch }])
        }
        const [ofNetwork, ofBranch] = [new Journal(gone), new Journal(gone)]
        const local = await callByIpc(ofNetwork, 'uses the local socket', ipc)
        const done = [
          use(ofNetwork, local, writesAndReads, random),
          (await startUsers(ofNetwork, url, random)).done,
          (await startUsers(ofBranch, `${url}/n/${branch}`, random)).done,
        ]
        await sleep(random.below(longestUseMs))
        const startedAt = performance.now()
        child.kill('SIGTERM')
        const { code, stderr } = await ended
        const endedAt = performance.now()
        await Promise.all(done)
        for (const [what, journal] of Object.entries({ network: ofNetwork, branch: ofBranch })) {
          await untilClosed(journal)
          const findings = findingsOf(journal, { startedAt, endedAt, code: 1001, endsProcess: true })
          if (findings.length > 0)
            throw new Error(
              `a stop after ${Math.round(endedAt - startedAt)} ms, ${workers} workers, round ${round}: ${findings.length} findings in the ${what}:\n${findings.slice(0, 20).join('\n')}`,
            )
          note(figures, journal, { startedAt, endedAt })
        }
        // A stop that is not done after two seconds, because the machine is busy, is ended. What was answered is stored then, too.
        if (code === 1 && stderr === '') figures.add('stops that were ended at their limit')
        else assert.equal(code, 0, stderr.slice(-2000))
        assert.doesNotMatch(stderr, /"level":50/)
        assert(endedAt - startedAt < stopLimitMs, `the stop took ${Math.round(endedAt - startedAt)} ms`)
        if (code === 0) assert.equal(existsSync(ipc), false, 'the local socket is left')
        await stored.audit()
        figures.add('ends of a stop')
      } finally {
        child.kill('SIGKILL')
        await ended
      }
    }
  } finally {
    await stored.remove()
    await anvil.stop()
  }
}
