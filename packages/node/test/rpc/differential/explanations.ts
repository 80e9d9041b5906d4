/** Paths at which answers may differ, `method path`, by the rows of docs/differences-from-anvil.md. */
export const explanations: readonly { id: string; where: RegExp }[] = [
  { id: 'state-root', where: /(^|[.\s\]])(hash|parentHash|blockHash|stateRoot)$/ },
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
  { id: 'errors', where: /( error\.message|^eth_(getBalance|sendRawTransaction|sendTransaction) error\.code)$/ },
]
