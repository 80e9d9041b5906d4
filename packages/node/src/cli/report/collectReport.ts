import { release } from 'node:os'
import { arch, platform, versions } from 'node:process'
import type { Result } from '@understudy/client/methods'
import { maskUrl } from '../../shared/urls.ts'
import { createRedactor } from '../../upstream/endpoint/secrets.ts'
import { connectTo, RemoteError } from '../remote/network.ts'

/** What an issue about a fault needs. */
export type FaultReport = {
  command: { version: string; node: string; platform: string; system: string }
  /** What a running network says; `null` if there is none. */
  network: Result<'dev_getReport'> | null
  /** Why there is nothing of a network. */
  problem: string | null
  recording: ReportedRecording | null
}

export type ReportedRecording = {
  file: string
  chainId: number
  head: number
  calls: number
  bytes: number
  /** What reproduces the fault with the file. */
  command: string
}

/** Asks a network, if one answers. What it is asked with is not in the report. */
export async function collectReport(version: string, url: string, apiKey: string | undefined): Promise<FaultReport> {
  const command = { version, node: versions.node, platform: `${platform} ${arch}`, system: release() }
  const report = { command, network: null, problem: null, recording: null }
  try {
    return { ...report, network: await connectTo(url, apiKey).call('dev_getReport') }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const hide = createRedactor(URL.canParse(url) ? [new URL(url)] : [], apiKey === undefined ? {} : { key: apiKey })
    return { ...report, problem: hide(error.message.replaceAll(url, maskUrl(url))) }
  }
}
