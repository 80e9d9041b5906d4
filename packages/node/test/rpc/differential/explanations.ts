/** Places at which answers may differ, `method path`, by the rows of docs/differences-from-anvil.md. */
export const explanations: readonly { id: string; where: RegExp }[] = [
  { id: 'result-of-writes', where: /^(anvil_(set(Balance|Nonce|Code|StorageAt)|(stopI|i)mpersonat\w+)) result$/ },
  { id: 'block-hash', where: /(^|[.\s\]])(hash|parentHash|blockHash)$/ },
  { id: 'state-root', where: /^eth_getBlockByNumber result\.stateRoot$/ },
  { id: 'randomness', where: /^eth_getBlockByNumber result\.mixHash$/ },
  { id: 'block-size', where: /^eth_getBlockByNumber result\.(size|totalDifficulty)$/ },
  {
    id: 'receipt-fields',
    where: /^eth_get(TransactionReceipt|BlockReceipts) result(\[\])?\.(blobGasPrice|blockTimestamp)$/,
  },
  { id: 'unsigned-hash', where: /^(eth_sendTransaction result|eth_getTransactionReceipt result\.transactionHash)$/ },
  { id: 'snapshot-ids', where: /^evm_snapshot result$/ },
  { id: 'client-version', where: /^web3_clientVersion result$/ },
  { id: 'estimates-check-funds', where: /^eth_estimateGas (error|result)$/ },
  { id: 'trace-gas', where: /^debug_traceTransaction result\.gas$/ },
  { id: 'error-data', where: / error\.data$/ },
  { id: 'error-messages', where: / error\.message$/ },
  { id: 'error-codes', where: /^eth_(getBalance|sendRawTransaction|sendTransaction) error\.code$/ },
]
