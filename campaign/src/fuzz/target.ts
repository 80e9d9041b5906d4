import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil, startUnderstudy } from '@understudy/testkit'
import { probeOthers } from './probeOthers.ts'

/** A network in a process of its own, to be attacked. */
export type Target = {
  readonly url: string
  readonly port: number
  /** How long other clients wait during the attack. */
  readonly others: ReturnType<typeof probeOthers>
  /** Resident memory of its process, in MB. */
  residentMb(): number
  /** Throws when the process is no longer there, with what it said last. */
  requireAlive(): Promise<void>
  /** Stops it. Throws unless it exits with 0. Returns its log. */
  stop(): Promise<string>
  /** Ends it at once, in whatever state it is. */
  kill(): Promise<void>
}

/** Starts a network: the fork of a real anvil, or of the built-in sample chain, at a block where it stays. */
export async function startTarget(
  { forked, key }: { forked: boolean; key?: string },
  args: readonly string[] = [],
): Promise<Target> {
  const anvil = forked ? await startAnvil() : undefined
  const directory = mkdtempSync(join(tmpdir(), 'understudy-fuzz-'))
  const fork = anvil ? ['--fork-url', anvil.url] : ['--no-follow-head']
  const network = await startUnderstudy([...fork, '--data-dir', directory, '--log-level', 'warn', ...args])
  const others = probeOthers(network.url, key)
  return {
    url: network.url,
    port: Number(new URL(network.url).port),
    others,
    residentMb: () => residentMb(network.process.pid),
    async requireAlive() {
      const { exitCode, signalCode } = network.process
      if (exitCode === null && signalCode === null) return
      const { stderr } = await network.end()
      throw new Error(`The network ended with ${exitCode ?? signalCode}: ${stderr.slice(-2000)}`)
    },
    async stop() {
      await others.stop()
      const { code, stderr } = await network.end()
      await anvil?.stop()
      rmSync(directory, { recursive: true, force: true })
      if (code !== 0) throw new Error(`The network ended with code ${code}: ${stderr.slice(-2000)}`)
      return stderr
    },
    async kill() {
      others.stop().catch(() => {})
      await network.end('SIGKILL')
      await anvil?.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
