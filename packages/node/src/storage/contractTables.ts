/** ABIs and related data. Lists and objects are JSON. */
export type ContractTables = {
  /** A project contract: imported, or defined by the ABI of a workspace. */
  contracts: {
    id: string
    /** `import` or `manual`. */
    origin: string
    /** Of an imported one, the name that it is pushed by. */
    name: string
    created_at: number
    /** Another name that `dev_addWorkspace` gave to an imported one. */
    workspace_name: string | null
  }
  contract_versions: {
    id: string
    contract_id: string
    /** Starts with 1. */
    number: number
    abi: string
    /** Identifies the version's content. */
    digest: string
    runtime: string | null
    creation: string | null
    /** Templates for matching code; see contracts/matching/codeTemplate.ts. */
    runtime_template: string | null
    creation_template: string | null
    storage_layout: string | null
    source_path: string | null
    source: string | null
    /** JSON: where its instructions come from in its sources. */
    lines: string | null
    created_at: number
  }
  deployments: {
    id: string
    contract_id: string
    version_id: string
    address: Uint8Array
    /** Where it was created on this network; `null` if it was created elsewhere. */
    block_number: number | null
    transaction_position: number | null
    /** `null` if unknown. */
    constructor_args: string | null
    created_at: number
  }
  /** Answers of explorers about upstream's contracts. */
  explorer_contracts: {
    address: Uint8Array
    /** `null` if none of them has it. */
    source: string | null
    name: string | null
    abi: string | null
    implementation: Uint8Array | null
    compiler: string | null
    /** Its sources: a JSON list of paths and contents; `null` if there are none, or they are too large. */
    files: string | null
    fetched_at: number
  }
  /** Contracts whose sources were verified against the code at an address. */
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
  /** Wallets and upstream's contracts; project contracts have their own table. */
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
