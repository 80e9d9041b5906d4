const noKeys = 'Use dev_impersonateAccount: an impersonated address sends without a key'

const tempo = 'fees are paid in ether: the chain Tempo and its fee tokens are not supported'

/** Methods of other test networks that this one rejects, each with an alternative. */
export const unsupportedMethods: Readonly<Record<string, string>> = {
  anvil_setMinGasPrice: 'it is not supported when EIP-1559 is active. Use anvil_setNextBlockBaseFeePerGas',
  tenderly_setMinGasPrice: 'it is not supported when EIP-1559 is active. Use tenderly_setNextBlockBaseFeePerGas',
  hardhat_setMinGasPrice: 'it is not supported when EIP-1559 is active. Use hardhat_setNextBlockBaseFeePerGas',
  anvil_enableTraces: 'tracing is always on. Use debug_traceTransaction or trace_transaction',
  anvil_setFeeToken: tempo,
  anvil_setValidatorFeeToken: tempo,
  anvil_setFeeAmmLiquidity: tempo,
  debug_dbGet:
    'local state is stored in SQL tables, without the keys of a trie. Use eth_getStorageAt or debug_codeByHash',
  eth_getAccount:
    'local state is not stored in a trie, so an account has no storage root. Use eth_getAccountInfo, or eth_getProof before the fork',
  eth_protocolVersion: 'the network has no peer-to-peer protocol. Use web3_clientVersion',
  hardhat_setLedgerOutputEnabled: 'hardware wallets are not supported',
  anvil_addCapability: 'wallet capabilities are not supported',
  anvil_setExecutor: 'wallet capabilities are not supported',
  hardhat_addCompilationResult:
    'Use dev_importContracts, or `understudy push`, to name contracts and decode their calls',
  hardhat_getStackTraceFailuresCount: 'Solidity stack traces are not supported',
  evm_addAccount: noKeys,
  evm_removeAccount: 'Use dev_stopImpersonatingAccount',
  personal_newAccount: noKeys,
  personal_importRawKey: noKeys,
  personal_unlockAccount: noKeys,
  personal_lockAccount: 'Use dev_stopImpersonatingAccount',
  miner_start: 'Use evm_setAutomine or dev_setMiningMode',
  miner_stop: 'Use evm_setAutomine or dev_setMiningMode',
  tenderly_createAccessList: 'Use eth_createAccessList',
  tenderly_getTransactionsAddress: 'Use tenderly_getTransactionsRange, or dev_getTransactions',
  tenderly_getLatest: 'Use evm_getLatest, or eth_blockNumber',
  eth_getWork: 'the network has no proof of work. Use evm_mine',
  eth_submitWork: 'the network has no proof of work. Use evm_mine',
  eth_submitHashrate: 'the network has no proof of work. Use evm_mine',
}
