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
  /** As passed or detected; `undefined` if it is neither. */
  type: TokenType | undefined
}

/** A project contract: defined by an ABI, or imported. */
export type ManualWorkspace = Common & {
  kind: 'manual'
  origin: 'manual' | 'import'
  /** The latest version. */
  version: { id: string; number: number }
  /** The deployment linked last, of `deployments`. */
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
