import { createRequire } from 'node:module'
import {
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV3,
  postJsonRpc,
  requireSuccess,
  testMnemonic,
  type UniswapV3,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { openHttpClient } from '../httpClient.ts'

export const logCount = 1000
const holderCount = 256
export const senders = Array.from({ length: 16 }, (_, addressIndex) =>
  mnemonicToAccount(testMnemonic, { addressIndex: 2 + addressIndex }),
)
export const holders = Array.from(
  { length: holderCount },
  (_, index): Address => `0x${(index + 1).toString(16).padStart(40, 'a')}`,
)

/** A server with the contracts that the rows use. */
export type Server = {
  url: string
  token: Address
  events: Address
  uniswap: UniswapV3
  quoter: Address
  /** Hashes of the transactions that gave the holders their tokens. */
  hashes: Hex[]
}

/** Gives a server a token with holders, a V3 pool with its quoter, and a contract with 1 000 logs, all local. */
export async function prepareServer(url: string): Promise<Server> {
  const client = await connectClient(url)
  const token = await deployContract(client, artifacts.PlainToken, ['Plain', 'PLN', parseEther('1000000')])
  const uniswap = await deployUniswapV3(client)
  const quoterArtifact = createRequire(import.meta.url)(
    '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  ) as { abi: []; bytecode: Hex }
  const quoter = await deployContract(client, quoterArtifact, [uniswap.factory, uniswap.weth] as never)
  const events = await deployContract(client, artifacts.Events)
  const emit = await client.writeContract({
    address: events,
    abi: artifacts.Events.abi,
    functionName: 'emitMany',
    args: [BigInt(logCount)],
    gas: 10_000_000n,
  })
  await requireSuccess(client, emit)
  for (const { address } of senders) await postJsonRpc(url, 'anvil_setBalance', [address, '0x3635c9adc5dea0000000'])
  const http = await openHttpClient(url)
  const hashes: Hex[] = []
  for (const [index, holder] of holders.entries()) {
    await http.post(request('anvil_setBalance', [holder, `0x${(10 ** 15 + index).toString(16)}`]))
    const data = encodeFunctionData({
      abi: artifacts.PlainToken.abi,
      functionName: 'transfer',
      args: [holder, 10n ** 18n + BigInt(index)],
    })
    const answer = await http.post(
      request('eth_sendTransaction', [{ from: client.account.address, to: token, data, gas: '0x186a0' }]),
    )
    hashes.push((JSON.parse(answer.toString()) as { result: Hex }).result)
  }
  http.close()
  return { url, token, events, uniswap, quoter, hashes }
}

let id = 0
export function request(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
}
