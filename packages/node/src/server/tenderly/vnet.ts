import { createHash } from 'node:crypto'
import type { GivenKeys } from '../access.ts'

/** What a vnet is reached at. */
export type VnetRpc = { name: string; url: string }

export type Vnet = {
  id: string
  slug: string
  display_name: string
  status: 'running'
  fork_config: { network_id: number; block_number: string }
  virtual_network_config: { chain_config: { chain_id: number } }
  sync_state_config: { enabled: boolean; commitment_level: 'latest' }
  explorer_page_config: { enabled: false; verification_visibility: 'bytecode' }
  rpcs: VnetRpc[]
  created_at: string | null
}

/** What is known of a vnet. */
export type VnetFacts = {
  id: string
  slug: string
  label: string | null
  createdAt: string | null
  /** The block that it begins at: a number, or `latest`. */
  block: string
  /** Where clients reach it. */
  url: string
  /** That of the caller, and one for others; `undefined` where the network has no keys. */
  keys: GivenKeys | undefined
  chainId: number
  /** The live chain, or the network itself where it forks none. */
  networkId: number
  /** Whether it moves with the head of the live chain. */
  followsHead: boolean
}

export const encodeVnet = (facts: VnetFacts): Vnet => ({
  id: facts.id,
  slug: facts.slug,
  display_name: facts.label ?? facts.slug,
  status: 'running',
  fork_config: { network_id: facts.networkId, block_number: facts.block },
  virtual_network_config: { chain_config: { chain_id: facts.chainId } },
  sync_state_config: { enabled: facts.followsHead, commitment_level: 'latest' },
  explorer_page_config: { enabled: false, verification_visibility: 'bytecode' },
  rpcs: rpcsOf(facts.url, facts.keys),
  created_at: facts.createdAt,
})

function rpcsOf(url: string, keys: VnetFacts['keys']): VnetRpc[] {
  const admin = keys ? `${url}/rpc/${keys.own}` : url
  const others = keys ? `${url}/rpc/${keys.public}` : url
  const webSocket = (http: string) => http.replace(/^http/, 'ws')
  return [
    { name: 'Admin RPC', url: admin },
    { name: 'Public RPC', url: others },
    { name: 'Admin websocket RPC', url: webSocket(admin) },
    { name: 'Public websocket RPC', url: webSocket(others) },
  ]
}

/** The UUID of a vnet: always the same for the same branch or network. It is a hash, as their ids have more bits than a UUID. */
export const vnetIdOf = (id: string): string => uuidOf(`vnet ${id}`)

/** A UUID that is always the same for the same name. */
export function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  // Version 8 and the variant of RFC 9562: readers of UUIDs check them.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
