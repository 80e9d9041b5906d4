import { postJsonRpc, startUnderstudy, type Understudy } from '@understudy/testkit'

export type Started = {
  network: Understudy /** From spawning to the first answer, and to listening before it. */
  answeredMs: number
  listeningMs: number
}

/** Starts the network and asks it for its head. */
export async function startTimed(args: readonly string[]): Promise<Started> {
  const start = performance.now()
  const network = await startUnderstudy(args)
  const listeningMs = performance.now() - start
  await postJsonRpc(network.url, 'eth_blockNumber', [])
  return { network, listeningMs, answeredMs: performance.now() - start }
}
