/** ABIs and related data. Lists and objects are JSON. */
export const contractTables = {
  /** A project contract: imported, or defined by the ABI of a workspace. */
  contracts: {
    id: 'text',
    /** `import` or `manual`. */
    origin: 'text',
    /** Of an imported one, the name that it is pushed by. */
    name: 'text',
    created_at: 'integer',
    /** Another name that `dev_addWorkspace` gave to an imported one. */
    workspace_name: 'text?',
  },
  contract_versions: {
    id: 'text',
    contract_id: 'text',
    /** Starts with 1. */
    number: 'integer',
    abi: 'text',
    /** Identifies the version's content. */
    digest: 'text',
    runtime: 'text?',
    creation: 'text?',
    /** Templates for matching code; see contracts/matching/codeTemplate.ts. */
    runtime_template: 'text?',
    creation_template: 'text?',
    storage_layout: 'text?',
    source_path: 'text?',
    source: 'text?',
    /** JSON: where its instructions come from in its sources. */
    lines: 'text?',
    created_at: 'integer',
  },
  deployments: {
    id: 'text',
    contract_id: 'text',
    version_id: 'text',
    address: 'blob',
    /** Where it was created on this network; `null` if it was created elsewhere. */
    block_number: 'integer?',
    transaction_position: 'integer?',
    /** `null` if unknown. */
    constructor_args: 'text?',
    created_at: 'integer',
  },
  /** Answers of explorers about upstream's contracts. */
  explorer_contracts: {
    address: 'blob',
    /** `null` if none of them has it. */
    source: 'text?',
    name: 'text?',
    abi: 'text?',
    implementation: 'blob?',
    compiler: 'text?',
    /** Its sources: a JSON list of paths and contents; `null` if there are none, or they are too large. */
    files: 'text?',
    fetched_at: 'integer',
  },
  /** Contracts whose sources were verified against the code at an address. */
  verifications: {
    address: 'blob',
    name: 'text',
    source_path: 'text',
    abi: 'text',
    compiler_version: 'text',
    /** The compiler's standard JSON. */
    input: 'text',
    /** `exact_match` or `match`. */
    match: 'text',
    verified_at: 'integer',
  },
  /** Wallets and upstream's contracts; project contracts have their own table. */
  workspaces: {
    id: 'text',
    /** `wallet` or `mainnet-contract`. */
    kind: 'text',
    address: 'blob',
    name: 'text',
    /** `ERC20`, `ERC721`, or `null`. */
    type: 'text?',
    created_at: 'integer',
  },
} as const
