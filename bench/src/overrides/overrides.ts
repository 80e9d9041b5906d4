import { artifacts, connectClient, deployContract, postJsonRpc, startAnvil } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, padHex } from 'viem'
import { repeaterCode } from '../engine/contracts.ts'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median } from '../times.ts'

const installed = 10_000
const innerCalls = 5_000
const rounds = 41
const repeater: Address = `0x${'4e'.repeat(20)}`

/** Installs overrides in parallel requests. Every second one is for the called contract, but another function. */
async function install(url: string, target: Address): Promise<void> {
  const request = (index: number) => {
    const contractAddress = index % 2 ? target : `0x${index.toString(16).padStart(40, '7')}`
    const functionAbi = `function unused${index}(uint256) view returns (uint256)`
    return postJsonRpc(url, 'dev_addFunctionOverride', [{ contractAddress, functionAbi, returnValues: ['1'] }])
  }
  for (let index = 0; index < installed; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, offset) => request(index + offset)))
}

/** Prints the time of a call that matches no override, without overrides and with many, in turns. */
export async function run(): Promise<void> {
  const anvil = await startAnvil()
  const options = ['--fork-url', anvil.url, '--no-follow-head']
  const servers = [await startUnderstudy(options), await startUnderstudy(options)] as const
  try {
    const calls: Hex[] = []
    let target: Address = repeater
    for (const { url } of servers) {
      target = await deployContract(await connectClient(url), artifacts.Counter, [7n])
      await postJsonRpc(url, 'dev_setCode', [repeater, repeaterCode])
    }
    const inner = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'number' })
    for (const times of [1, innerCalls])
      calls.push(
        `${padHex(target, { size: 32 })}${padHex(`0x${times.toString(16)}`, { size: 32 }).slice(2)}${inner.slice(2)}`,
      )
    const start = performance.now()
    await install(servers[1].url, target)
    console.log(`Installed ${installed} overrides in ${formatDuration((performance.now() - start) * 1000)}\n`)

    console.log(`| eth_call over HTTP | no override | ${installed} overrides | ratio |`)
    console.log('|---|---|---|---|')
    for (const [index, data] of calls.entries()) {
      const times = servers.map((): number[] => [])
      for (let round = 0; round < rounds; round++)
        for (const [server, { url }] of servers.entries()) {
          const begun = performance.now()
          await postJsonRpc(url, 'eth_call', [{ to: repeater, data }, 'latest'])
          if (round > 5) times[server]?.push((performance.now() - begun) * 1000)
        }
      const [none = 0, many = 0] = times.map(median)
      const name = index === 0 ? '1 inner call' : `${innerCalls} inner calls`
      console.log(`| ${name} | ${formatDuration(none)} | ${formatDuration(many)} | ${(many / none).toFixed(3)} |`)
    }
  } finally {
    for (const server of servers) await server.stop()
    await anvil.stop()
  }
}
