import { type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex, numberToHex } from 'viem'
import { type Artifact, linkedCode } from './artifacts.ts'
import type { Addresses, Failure, Project } from './project.ts'

/** A network: Hardhat's or ours. */
export type Request = (method: string, params: unknown[]) => Promise<unknown>

/** A call, as JSON-RPC has it. */
export type Call = { from: Address; to?: Address; data: Hex; value?: Hex; gas: Hex }

const gasOfCalls = 3_000_000n
const gasOfCreations = 12_000_000n

/** The addresses and calls of a project; they are the same on each network whose accounts are the same. */
export function createWorld(
  { deployed, copied = [], prepared = [] }: Project,
  artifacts: ReadonlyMap<string, Artifact>,
  accounts: readonly Address[],
) {
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

  const callOf = (failure: Failure): Call => {
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
  }

  return {
    callOf,
    async deploy(request: Request): Promise<void> {
      const send = async (name: string, transaction: object) => {
        const hash = await request('eth_sendTransaction', [transaction])
        const { status } = (await request('eth_getTransactionReceipt', [hash])) as { status: Hex }
        if (status !== '0x1') throw new Error(`${name} failed`)
      }
      for (const { name, contract, args, value } of deployed) {
        const data = creationOf(contract, args?.(addresses))
        await send(`the creation of ${name}`, {
          ...{ from: first, data, gas: numberToHex(gasOfCreations) },
          ...(value && { value: numberToHex(value) }),
        })
        const code = await request('eth_getCode', [addresses[name], 'latest'])
        if (code === '0x') throw new Error(`${name} was not deployed at ${addresses[name]}`)
      }
      for (const { from, address } of copied)
        await request('hardhat_setCode', [address, await request('eth_getCode', [addresses[from], 'latest'])])
      for (const failure of prepared) await send(failure.name, callOf(failure))
    },
  }
}
