import { type Address, pad, toHex } from 'viem'
import type { SampleNetwork } from './startSampleNetwork.ts'

const sender = '0x00000000000000000000000000000000000000e1'
const perBlock = 1000

/**
 * Sends as many transfers in blocks of a thousand, one of `newAccountEvery` to an account of its own: the network asks
 * the live chain for each of those. Leaves the network in manual mode.
 */
export async function sendMany(
  { rpc, url }: SampleNetwork,
  count: number,
  newAccountEvery = Number.POSITIVE_INFINITY,
): Promise<void> {
  await rpc('dev_setBalance', sender, (10n ** 24n).toString())
  await rpc('dev_impersonateAccount', sender)
  await rpc('dev_setMiningMode', 'manual')
  for (let sent = 0; sent < count; sent += perBlock) {
    const requests = Array.from({ length: perBlock }, (_, id) => {
      const isNew = id % newAccountEvery === newAccountEvery - 1
      const to: Address = isNew ? pad(toHex(0x10_0000 + sent + id), { size: 20 }) : sender
      const request = { from: sender, to, value: '0x1', gas: '0x5208', gasPrice: '0x174876e800' }
      return { jsonrpc: '2.0', id, method: 'eth_sendTransaction', params: [request] }
    })
    const headers = { 'content-type': 'application/json' }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(requests) })
    await rpc('evm_mine')
  }
}
