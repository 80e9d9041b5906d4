import { type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex, numberToHex } from 'viem'
import { type Artifact, linkedCode } from './artifacts.ts'
import { type Addresses, deployed, type Failure } from './failures.ts'

/** A network: Hardhat's or ours. */
export type Request = (method: string, params: unknown[]) => Promise<unknown>

/** A call, as JSON-RPC has it. */
export type Call = { from: Address; to?: Address; data: Hex; value?: Hex; gas: Hex }

const gasOfCalls = 3_000_000n
const gasOfCreations = 12_000_000n

/** The addresses and calls of the failures; they are the same on each network whose accounts are the same. */
export function createWorld(artifacts: ReadonlyMap<string, Artifact>, accounts: readonly Address[]) {
  const [first = '0x'] = accounts
  const addresses: Addresses = Object.fromEntries(
    deployed.map(({ name }, index) => [name, getContractAddress({ from: first, nonce: BigInt(index) })]),
  )
  const contractOf = new Map(deployed.map(({ name, contract }) => [name, contract]))
  const artifactOf = (name: string): Artifact => {
    const artifact = artifacts.get(name)
    if (!artifact) throw new Error(`${name} was not compiled`)
    return artifact
  }
  const creationOf = (contract: string, args: readonly unknown[] = []): Hex => {
    const artifact = artifactOf(contract)
    const bytecode = linkedCode(artifact, (library) => addresses[library.toLowerCase()] as Address)
    return encodeDeployData({ abi: artifact.abi, bytecode, args: args as never })
  }
  const argsOf = ({ args = [] }: Pick<Failure, 'args'>) => (typeof args === 'function' ? args(addresses) : args)

  return {
    async deploy(request: Request): Promise<void> {
      for (const { name, contract, args, value } of deployed) {
        const data = creationOf(contract, args?.(addresses))
        const hash = await request('eth_sendTransaction', [
          { from: first, data, gas: numberToHex(gasOfCreations), ...(value && { value: numberToHex(value) }) },
        ])
        const receipt = (await request('eth_getTransactionReceipt', [hash])) as {
          status: Hex
          contractAddress: Address
        }
        if (receipt.status !== '0x1' || receipt.contractAddress.toLowerCase() !== addresses[name]?.toLowerCase())
          throw new Error(`${name} was not deployed at ${addresses[name]}`)
      }
    },
    callOf(failure: Failure): Call {
      const { to, contract = contractOf.get(to ?? '') ?? '', call = '', data, value, from = 0 } = failure
      const given = typeof data === 'function' ? data(addresses) : data
      const encode = () =>
        to === undefined
          ? creationOf(contract, argsOf(failure))
          : encodeFunctionData({ abi: artifactOf(contract).abi, functionName: call, args: argsOf(failure) as never })
      const gas = failure.gas ?? (to === undefined ? gasOfCreations : gasOfCalls)
      return {
        from: accounts[from] as Address,
        ...(to !== undefined && { to: addresses[to] as Address }),
        data: given ?? encode(),
        ...(value !== undefined && { value: numberToHex(value) }),
        gas: numberToHex(gas),
      }
    },
  }
}
