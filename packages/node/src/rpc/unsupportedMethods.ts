const useReset =
  'the live chain is exchanged together with the blocks that stand on it. Use anvil_reset with forking.jsonRpcUrl, or give --fork-url several times for a failover'
const noKeys = 'Use dev_impersonateAccount: an impersonated address sends without a key'

/** Methods of other test networks that this one refuses, each with what to do instead. */
export const unsupportedMethods: Readonly<Record<string, string>> = {
  anvil_setRpcUrl: useReset,
  hardhat_setRpcUrl: useReset,
  anvil_setChainId: 'the chain id is chosen when the network begins, with --chain-id',
  anvil_setMinGasPrice:
    'blocks have a base fee (EIP-1559), which takes the place of a minimum price. Use anvil_setNextBlockBaseFeePerGas',
  hardhat_setMinGasPrice:
    'blocks have a base fee (EIP-1559), which takes the place of a minimum price. Use hardhat_setNextBlockBaseFeePerGas',
  anvil_enableTraces: 'nothing has to be turned on. Use debug_traceTransaction or trace_transaction',
  anvil_impersonateSignature:
    'signatures are not forged. Override the function that checks them with dev_addFunctionOverride',
  anvil_getBlobByHash: 'blobs are not kept, only their hashes',
  anvil_getBlobsByTransactionHash: 'blobs are not kept, only their hashes',
  eth_getAccount:
    'state here is in no tree, so an account has no storage root. Use eth_getAccountInfo, or eth_getProof before the fork',
  eth_protocolVersion: 'no protocol between nodes is spoken. Use web3_clientVersion',
  hardhat_setLedgerOutputEnabled: 'no hardware wallet is used',
  anvil_addCapability: 'wallet capabilities are not served',
  anvil_setExecutor: 'wallet capabilities are not served',
  hardhat_addCompilationResult:
    'Use dev_importContracts, or `understudy push`, to name contracts and decode their calls',
  hardhat_getStackTraceFailuresCount: 'no stack traces of Solidity are made',
  evm_addAccount: noKeys,
  evm_removeAccount: 'Use dev_stopImpersonatingAccount',
  personal_newAccount: noKeys,
  personal_importRawKey: noKeys,
  personal_unlockAccount: noKeys,
  personal_lockAccount: 'Use dev_stopImpersonatingAccount',
  miner_start: 'Use evm_setAutomine or dev_setMiningMode',
  miner_stop: 'Use evm_setAutomine or dev_setMiningMode',
  tenderly_setMaxErc20Balance: 'Use tenderly_setErc20Balance or dev_setERC20Balance',
  tenderly_simulateTransaction: 'Use eth_simulateV1, or debug_traceCall for the frames',
  tenderly_simulateBundle: 'Use eth_simulateV1',
  tenderly_traceTransaction: 'Use debug_traceTransaction with the callTracer',
  tenderly_estimateGas: 'Use eth_estimateGas',
  evm_getLatest: 'Use evm_snapshot to remember a state, and evm_revert to go back to it',
  eth_getWork: 'blocks are not mined by work. Use evm_mine',
  eth_submitWork: 'blocks are not mined by work. Use evm_mine',
  eth_submitHashrate: 'blocks are not mined by work. Use evm_mine',
}
