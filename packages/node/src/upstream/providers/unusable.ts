import { knownProfile } from '../../ethereum/chains/profiles.ts'
import type { Refusal } from './askEndpoint.ts'

const longestWords = 120

/** How a refusal looks, in one line. */
export function refusalText({ status, code, words }: Refusal): string {
  if (status === null) return `it ${words}`
  const parts = [`HTTP ${status}`]
  if (code !== null) parts.push(`code ${code}`)
  // The transport's words repeat the status.
  if (!words.startsWith('answered HTTP')) parts.push(`"${cut(words)}"`)
  return parts.join(', ')
}

function cut(words: string): string {
  return words.length > longestWords ? `${words.slice(0, longestWords)}…` : words
}

/** Why an endpoint that refuses what every network needs cannot be used, and what to do. */
export function unusableBy(what: string, refusal: Refusal): string {
  const seen = refusalText(refusal)
  if (refusal.status === null) return `It cannot be reached: ${seen}. Check the host, the port, and what is in between.`
  switch (refusal.kind) {
    case 'denied':
      return `It refuses to serve (${seen}). Check the key and the path of the URL, and whether the plan is used up.`
    case 'slow down':
      return `It limits the rate of requests from the first ones on (${seen}). Wait, or use a plan with more requests.`
    case 'broken':
    case 'unclear':
    case 'not yet':
      return `It fails ${what} (${seen}). Check that the URL is one of JSON-RPC, try again later, or use another one.`
    default:
      return `It refuses ${what} (${seen}). Check that the URL is one of JSON-RPC, or use another one.`
  }
}

/** Why a chain cannot be forked; `null` if it can. */
export function unusableChain(chainId: number): string | null {
  const profile = knownProfile(BigInt(chainId))
  if (profile?.stack !== 'eravm') return null
  return `It is ${profile.name}, whose contracts run on EraVM, not on the EVM: it cannot be forked.`
}
