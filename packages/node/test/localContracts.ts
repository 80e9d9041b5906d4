import type { Abi } from 'viem'

/** What a compiler or the npm package of a project says of a contract. */
export type Artifact = {
  abi: Abi | readonly unknown[]
  bytecode: string
  deployedBytecode: string
  linkReferences?: unknown
  deployedLinkReferences?: unknown
  storageLayout?: unknown
}

/** A contract as `dev_importContracts` takes it, with the deployed bytecode as `bytecode`, as the specification says. */
export function localContract(name: string, artifact: Artifact) {
  return {
    name,
    abi: JSON.stringify(artifact.abi),
    bytecode: artifact.deployedBytecode,
    creationBytecode: artifact.bytecode,
    deployedBytecode: artifact.deployedBytecode,
    bytecodeLinkReferences: artifact.linkReferences,
    deployedBytecodeLinkReferences: artifact.deployedLinkReferences,
    ...(artifact.storageLayout !== null && { storageLayout: artifact.storageLayout }),
  }
}

export type ImportResult = {
  contracts: { name: string; projectContractId: string; projectContractVersionId: string; status: string }[]
  linkedDeployments: { name: string; address: string; backfilledCalls: number }[]
}
