import type { Address } from '@understudy/evm'

/** A dashboard of one account or contract. Times are milliseconds since 1970. */
export type Workspace = WalletWorkspace | MainnetContractWorkspace | ManualWorkspace

type Common = { id: string; name: string; createdAt: number }

/** An account without code. */
export type WalletWorkspace = Common & { kind: 'wallet'; address: Address }

/** A contract of the live chain. */
export type MainnetContractWorkspace = Common & {
  kind: 'mainnet-contract'
  address: Address
  /** As the caller said, or as it was found out; `undefined` when it is neither. */
  type: TokenType | undefined
}

/** A contract that is known by what the user gave: an ABI, or a compiled contract that was imported. */
export type ManualWorkspace = Common & {
  kind: 'manual'
  origin: 'manual' | 'import'
  /** The newest version. */
  version: { id: string; number: number }
  /** The one that was linked last, of `deployments`. */
  deployment: { id: string; address: Address } | undefined
  deployments: number
}

export type TokenType = 'ERC20' | 'ERC721'

export type WorkspaceInput = {
  name: string
  address: Address | undefined
  /** JSON. */
  abi: string | undefined
  type: TokenType | undefined
}
