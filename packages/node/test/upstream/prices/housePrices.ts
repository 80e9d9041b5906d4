import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prices } from '@understudy/evm'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

export type Rules = {
  hardfork: string
  prices: Prices
  pricing: {
    source: string
    different: { name: string; fork: number | null; price: unknown; source: string }[]
    unmeasured: string[]
    odd: string[]
  }
}

export const rulesOf = async (network: TestNetwork): Promise<Rules> =>
  (await network.rpc<{ rules: Rules }>('dev_getNetworkInfo')).rules

const directory = mkdtempSync(join(tmpdir(), 'understudy-prices-'))
/** For the end of each file: files share this module. */
export const removeProfiles = (): void => rmSync(directory, { recursive: true, force: true })
let profiles = 0

/** A file of `--chain-profile`. */
export function profileFile(profile: object): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `profile-${profiles++}.json`)
  writeFileSync(path, JSON.stringify({ chainId: 31_337, name: 'House chain', ...profile }))
  return path
}

/** A network that forks nothing, and has the prices of its profile. */
export const chainOf = (profile: object, options: Parameters<typeof startNetwork>[0] = {}): Promise<TestNetwork> =>
  startNetwork({ chainProfile: profileFile(profile), ...options })
