import { createRequire } from 'node:module'
import { type Abi, type Address, concatHex, getContractAddress, type Hex, zeroHash } from 'viem'
import { requireSuccess, type TestClient } from './client.ts'

type Version = '0.6' | '0.7' | '0.8'
type Artifact = { abi: Abi; bytecode: Hex }

/** The contracts of ERC-4337 of npm, by version: those that are deployed on live chains, byte by byte. */
const load = createRequire(import.meta.url)
const artifactOf = (version: Version, name: string): Artifact =>
  load(`account-abstraction-${version.replace('.', '')}/artifacts/${name}.json`)

/** The deterministic deployment proxy, which every anvil has. */
const deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const entryPointSalts: Record<Version, Hex> = {
  '0.6': zeroHash,
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
}

export type SmartAccountContracts = Record<Version, { entryPoint: Address; factory: Address }>

/** Deploys the entry points, and Simple7702Account, at their addresses on live chains, and a factory of SimpleAccount for each. */
export async function deploySmartAccounts(client: TestClient): Promise<SmartAccountContracts> {
  const deploy = async (bytecode: Hex, salt: Hex = zeroHash): Promise<Address> => {
    const address = getContractAddress({ opcode: 'CREATE2', from: deployer, salt, bytecode })
    await requireSuccess(client, await client.sendTransaction({ to: deployer, data: concatHex([salt, bytecode]) }))
    return address
  }
  const deployVersion = async (version: Version) => {
    const entryPoint = await deploy(artifactOf(version, 'EntryPoint').bytecode, entryPointSalts[version])
    const argument: Hex = `0x${entryPoint.slice(2).padStart(64, '0')}`
    const factory = await deploy(concatHex([artifactOf(version, 'SimpleAccountFactory').bytecode, argument]))
    return { entryPoint, factory }
  }
  await deploy(artifactOf('0.8', 'Simple7702Account').bytecode)
  return { '0.6': await deployVersion('0.6'), '0.7': await deployVersion('0.7'), '0.8': await deployVersion('0.8') }
}
