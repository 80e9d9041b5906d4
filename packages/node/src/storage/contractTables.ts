/** ABIs and what they belong to. Lists and objects are JSON. */
export type ContractTables = {
  /** A contract of the user's: imported, or described by hand in a workspace. */
  contracts: {
    id: string
    /** `import` or `manual`. */
    origin: string
    name: string
    created_at: number
  }
  contract_versions: {
    id: string
    contract_id: string
    /** From 1. */
    number: number
    abi: string
    /** Tells versions apart. */
    digest: string
    runtime: string | null
    creation: string | null
    /** Templates by which code is recognised; see contracts/matching/codeTemplate.ts. */
    runtime_template: string | null
    creation_template: string | null
    storage_layout: string | null
    source_path: string | null
    source: string | null
    created_at: number
  }
  deployments: {
    id: string
    contract_id: string
    version_id: string
    address: Uint8Array
    /** Where it was created on this network; `null` when it was not. */
    block_number: number | null
    transaction_position: number | null
    /** `null` when they are not known. */
    constructor_args: string | null
    created_at: number
  }
  /** What explorers said of upstream's contracts. */
  explorer_contracts: {
    address: Uint8Array
    /** `null` when none of them knows it. */
    source: string | null
    name: string | null
    abi: string | null
    implementation: Uint8Array | null
    compiler: string | null
    /** Its sources: a JSON list of paths and contents; `null` when there are none, or they are too large. */
    files: string | null
    fetched_at: number
  }
  /** Contracts whose sources were compared with the code at an address. */
  verifications: {
    address: Uint8Array
    name: string
    source_path: string
    abi: string
    compiler_version: string
    /** The compiler's standard JSON. */
    input: string
    /** `exact_match` or `match`. */
    match: string
    verified_at: number
  }
  /** Wallets and contracts of upstream's; those of `contracts` are workspaces of their own. */
  workspaces: {
    id: string
    /** `wallet` or `mainnet-contract`. */
    kind: string
    address: Uint8Array
    name: string
    /** `ERC20`, `ERC721`, or `null`. */
    type: string | null
    created_at: number
  }
}
