import { type Anvil, artifacts, connectClient, deployContract, requireSuccess, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, parseEther } from 'viem'

/** Contracts of the live chain. */
export type LiveContracts = {
  /** Numbers by numbers; traffic writes those below `trafficKeys`. */
  reader: Address
  /** The first four test accounts have of it. */
  token: Address
}

/** Keys of the reader that the traffic of the live chain writes. */
export const trafficKeys = 20

/** Deploys, on a chain with a block every second and as the fifth of the test accounts, what the load uses, and then writes to it for ever, about three times a second, until `stop`. */
export async function startLiveTraffic(anvil: Anvil): Promise<{ contracts: LiveContracts; stop(): Promise<void> }> {
  await anvil.rpc('evm_setAutomine', [true])
  const client = await connectClient(anvil.url, testAccounts[4])
  const reader = await deployContract(client, artifacts.SlotReader)
  const token = await deployContract(client, artifacts.PlainToken, ['Plain', 'PLN', parseEther('1000000')])
  for (const { address } of testAccounts.slice(0, 4)) {
    const write = { address: token, abi: artifacts.PlainToken.abi, functionName: 'transfer' } as const
    await requireSuccess(client, await client.writeContract({ ...write, args: [address, parseEther('1000')] }))
  }
  await anvil.rpc('evm_setAutomine', [false])
  await anvil.rpc('evm_setIntervalMining', [1])
  let count = 0
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    const args = [BigInt(count++ % trafficKeys), BigInt(count)] as const
    const data = encodeFunctionData({ abi: artifacts.SlotReader.abi, functionName: 'set', args })
    // The test may pause the chain.
    last = anvil.rpc('eth_sendTransaction', [{ from: client.account.address, to: reader, data }]).catch(() => {})
  }, 300)
  return {
    contracts: { reader, token },
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
