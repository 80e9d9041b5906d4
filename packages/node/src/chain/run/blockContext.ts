import type { BlockContext, Message } from '@understudy/evm'
import { isPlaceholder, withChosenAuthorities } from '../../ethereum/authorization.ts'
import { l1Of } from '../../ethereum/chains/arbitrum.ts'
import { contractContext } from '../../ethereum/chains/contracts/contractsOf.ts'
import { l1SurchargeOf } from '../../ethereum/chains/l1Fees.ts'
import { blobBaseFee } from '../../ethereum/fees.ts'
import type { Header } from '../../ethereum/header.ts'
import type { BlockRules } from '../../ethereum/rules.ts'
import { effectiveGasPrice, hasGasPrice, type Transaction } from '../../ethereum/transaction.ts'
import type { LocalRules } from './localRules.ts'

/** The block context for a header. */
export function blockContext(header: Header, rules: BlockRules, { chainId, signatures }: LocalRules): BlockContext {
  return {
    chainId,
    fork: rules.fork,
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    baseFee: header.baseFeePerGas ?? 0n,
    prevRandao: header.difficulty === 0n ? BigInt(header.mixHash) : header.difficulty,
    blobBaseFee: rules.blobs ? blobBaseFee(header.excessBlobGas ?? 0n, rules.blobs) : 0n,
    ...(header.slotNumber !== undefined && { slotNumber: header.slotNumber }),
    ...(rules.precompiles && { precompiles: rules.precompiles }),
    ...(rules.limits && { limits: rules.limits }),
    ...(rules.prices && { prices: rules.prices }),
    ...(signatures && { signatures }),
    ...(rules.l1Fees && { surcharge: l1SurchargeOf(header) }),
    ...(rules.contracts && contractContext(rules.contracts, header, { precompiles: rules.precompiles, chainId })),
    ...(rules.arbitrum && { l1: l1Of(header) }),
  }
}

/** A transaction as a message for the engine, in a block. */
export function messageFrom(
  transaction: Transaction,
  { baseFee, signatures }: Pick<BlockContext, 'baseFee' | 'signatures'>,
): Message {
  return {
    from: transaction.from,
    to: transaction.to,
    value: transaction.value,
    data: transaction.data,
    gasLimit: transaction.gasLimit,
    gasPrice: effectiveGasPrice(transaction, baseFee),
    mint: transaction.deposit?.mint,
    maxFeePerGas: transaction.maxFeePerGas,
    // For other types, this is the gas price again. Before London there are no tips.
    maxPriorityFeePerGas: hasGasPrice(transaction.type) ? undefined : transaction.maxPriorityFeePerGas,
    nonce: transaction.deposit ? undefined : transaction.nonce,
    accessList: transaction.accessList,
    maxFeePerBlobGas: transaction.maxFeePerBlobGas,
    blobVersionedHashes: transaction.blobVersionedHashes,
    authorizationList: withChosenAuthorities(transaction.authorizationList, signatures),
    encoded: transaction.raw,
    // Impersonated contracts can send, too.
    senderMayHaveCode: isPlaceholder(transaction.signature, transaction.from),
  }
}
