import type { Address, Hex, Word } from '@understudy/evm'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { nodeInterface } from '../ethereum/chains/arbitrum.ts'
import { encodeTransaction } from '../ethereum/encodings/encodeTransaction.ts'
import type { EntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import { encodeBundle, type UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import type { Signature } from '../ethereum/transaction.ts'
import type { Execution, ExecutionPoint } from '../execution/execution.ts'
import { isNetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { bundleGas } from './bundleRun.ts'

type Needs = { bundler: Address; execution: Pick<Execution, 'call'> }

/**
 * What a rollup takes for the data of an operation's bundle, as gas at the price that the operation pays: the entry point
 * cannot measure it. 0 on other chains. `gasUsed` is that of the bundle.
 */
export type DataGas = (
  operation: UserOperation,
  entryPoint: EntryPoint,
  at: ExecutionPoint,
  gasUsed: bigint,
) => Promise<bigint>

const estimator = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
])

export function createDataGas({ bundler, execution }: Needs): DataGas {
  /** Bundlers on Arbitrum ask this, too; the live chain answers it. */
  async function askArbitrum(to: Address, data: Hex, at: ExecutionPoint): Promise<bigint> {
    const read = { abi: estimator, functionName: 'gasEstimateL1Component' } as const
    const input = bytesFromHex(encodeFunctionData({ ...read, args: [to, false, data] }))
    try {
      const output = await execution.call({ to: nodeInterface, data: input }, at)
      return decodeFunctionResult({ ...read, data: hexFromBytes(output) })[0]
    } catch (error) {
      // It takes no longer data.
      if (isNetworkError(error) && error.kind === 'EXECUTION_REVERTED') return 0n
      throw error
    }
  }

  return async (operation, entryPoint, at, gasUsed) => {
    const { block } = at
    const data = encodeBundle(operation, entryPoint, bundler)
    if (block.l1) return askArbitrum(entryPoint.address, data, at)
    if (!block.surcharge) return 0n
    const { maxFeePerGas, maxPriorityFeePerGas } = operation
    const gasLimit = bundleGas(operation, entryPoint)
    const encoded = encodeTransaction(
      {
        type: 'eip1559',
        chainId: block.chainId,
        nonce: 0xffffn,
        maxFeePerGas,
        maxPriorityFeePerGas,
        gasLimit,
        to: entryPoint.address,
        value: 0n,
        data: bytesFromHex(data),
        accessList: [],
        maxFeePerBlobGas: undefined,
        blobVersionedHashes: undefined,
        authorizationList: undefined,
      },
      signature,
    )
    const wei = await surchargeOf(encoded, { ...at, gasLimit, from: bundler }, gasUsed)
    const price = priceOf(operation, block.baseFee)
    return (wei + price - 1n) / price
  }
}

/** As long as a real one, and as hard to compress. */
const signature: Signature = { r: keccak(Uint8Array.of(1)), s: keccak(Uint8Array.of(2)), yParity: 1 }

/** What the sender of a transaction pays beside its gas, in wei. */
async function surchargeOf(
  encoded: Hex,
  { block, view, gasLimit, from }: ExecutionPoint & { gasLimit: bigint; from: Address },
  gasUsed: bigint,
): Promise<bigint> {
  const message = { encoded, gasLimit, from, to: undefined, value: 0n, gasPrice: 0n, data: new Uint8Array() }
  for (;;) {
    const slots: [Address, Word][] = []
    const surcharge = block.surcharge?.(message, (address, slot) => {
      const value = view.storage(address, slot)
      if (value === undefined) slots.push([address, slot])
      return value ?? 0n
    })
    if (slots.length === 0) return surcharge?.final(gasUsed) ?? 0n
    await view.load({ accounts: [], codes: [], slots, blockHashes: [] })
  }
}

/** What an operation pays for gas; the base fee, if that is not decided yet. */
function priceOf({ maxFeePerGas, maxPriorityFeePerGas }: UserOperation, baseFee: bigint): bigint {
  const price = baseFee + maxPriorityFeePerGas
  const paid = maxFeePerGas === 0n || maxFeePerGas > price ? price : maxFeePerGas
  return paid > 0n ? paid : 1n
}
