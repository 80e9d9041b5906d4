import type { Address, Hex } from '@understudy/evm'
import { z } from 'zod'
import type { Decoded, DecodedValue } from '../../contracts/decode.ts'
import type { DecodedCall, DecodedFrame, DecodedLog, DecodedTransaction } from '../../contracts/decodedTransaction.ts'
import { approvals, frameModes, signatureSchemes } from '../../ethereum/encodings/frameTransaction.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { TransferRecord } from '../../storage/records/activity/transfers.ts'
import { DecimalString, HexAddress, HexBytes, HexWord } from '../codecs/wire.ts'

/**
 * `value` is a string, or arrays and objects of strings: integers in decimal, checksummed addresses, bytes as 0x-hex.
 */
export const DecodedValueObject = z
  .object({ name: z.string(), type: z.string(), value: z.unknown() })
  .meta({ title: 'DecodedValue' })
const Values = z.array(DecodedValueObject).nullable()
export const DecodedItemObject = z
  .object({ name: z.string(), signature: z.string(), args: Values })
  .meta({ title: 'DecodedItem' })
export const DecodedRevertObject = DecodedItemObject.extend({ reason: z.string() }).meta({ title: 'DecodedRevert' })

/** A call or a contract creation. */
export const DecodedCallObject = z
  .object({
    depth: z.number(),
    type: z.string(),
    from: HexAddress,
    to: HexAddress,
    contract: z.string().nullable(),
    function: DecodedItemObject.nullable(),
    value: DecimalString,
    gas: DecimalString,
    gasUsed: DecimalString,
    /** The first 1024 bytes; the same for the output. */
    input: HexBytes,
    inputSize: z.number(),
    output: HexBytes,
    outputSize: z.number(),
    returned: Values,
    /** `reverted`: the call succeeded, but an outer call reverted it. */
    outcome: z.enum(['succeeded', 'failed', 'reverted']),
    /** The error of a call that failed without a revert. */
    halt: z.string().nullable(),
    revert: DecodedRevertObject.nullable(),
  })
  .meta({ title: 'DecodedCall' })

export const DecodedEventObject = z
  .object({
    logIndex: z.number(),
    address: HexAddress,
    contract: z.string().nullable(),
    event: DecodedItemObject.nullable(),
    topics: z.array(HexWord),
    data: HexBytes,
  })
  .meta({ title: 'DecodedEvent' })

export const TransferObject = z
  .object({
    kind: z.enum(['native', 'erc20', 'erc721', 'erc1155']),
    /** null for ether. */
    token: HexAddress.nullable(),
    from: HexAddress,
    to: HexAddress,
    tokenId: DecimalString.nullable(),
    amount: DecimalString,
  })
  .meta({ title: 'Transfer' })

/** The calls of a frame transaction (EIP-8141), as the live chain has them: they are not run here. */
const FrameTransactionObject = z
  .object({
    chainId: DecimalString,
    nonce: DecimalString,
    frames: z.array(
      z
        .object({
          mode: z.enum(frameModes),
          mayApprove: z.enum(approvals),
          /** It succeeds or fails together with the next frame. */
          isBatched: z.boolean(),
          target: HexAddress,
          contract: z.string().nullable(),
          function: DecodedItemObject.nullable(),
          gasLimit: DecimalString,
          /** null where it has one limit for both kinds of gas. */
          stateGasLimit: DecimalString.nullable(),
          value: DecimalString,
          /** The first 1024 bytes. */
          data: HexBytes,
          dataSize: z.number(),
        })
        .meta({ title: 'DecodedFrame' }),
    ),
    signatures: z.array(
      z
        .object({
          scheme: z.enum(signatureSchemes),
          /** null: the sender. */
          signer: HexAddress.nullable(),
          /** null: the hash of the transaction without signatures. */
          message: HexWord.nullable(),
          /** The first 1024 bytes. */
          signature: HexBytes,
        })
        .meta({ title: 'FrameSignature' }),
    ),
    maxPriorityFeePerGas: DecimalString,
    maxFeePerGas: DecimalString,
    maxFeePerBlobGas: DecimalString,
    blobVersionedHashes: z.array(HexWord),
    /** Whether these fields give the hash of the transaction. */
    isProven: z.boolean(),
  })
  .meta({ title: 'DecodedFrameTransaction' })

/** The fields of what a transaction called. */
export const calledFields = {
  from: HexAddress,
  /** null for a contract creation. */
  to: HexAddress.nullable(),
  contractAddress: HexAddress.nullable(),
  contract: z.string().nullable(),
  function: DecodedItemObject.nullable(),
  value: DecimalString,
}

export const DecodedTransactionObject = z
  .object({
    hash: HexWord,
    status: z.enum(['success', 'failed', 'pending']),
    blockNumber: z.number().nullable(),
    ...calledFields,
    gasUsed: DecimalString.nullable(),
    revert: DecodedRevertObject.nullable(),
    /** Of type 0x6. */
    frameTransaction: FrameTransactionObject.nullable(),
    /**
     * In execution order, starting with the transaction itself; null if this network did not execute it. At most 1000,
     * like events and transfers.
     */
    calls: z.array(DecodedCallObject).nullable(),
    events: z.array(DecodedEventObject),
    transfers: z.array(TransferObject).nullable(),
  })
  .meta({ title: 'DecodedTransaction' })

export function encodeDecodedTransaction(transaction: DecodedTransaction): z.output<typeof DecodedTransactionObject> {
  const { hash, from, to, value, sealed } = transaction
  return {
    hash,
    status: sealed ? (sealed.succeeded ? 'success' : 'failed') : 'pending',
    blockNumber: sealed ? Number(sealed.blockNumber) : null,
    from,
    to: to ?? null,
    contractAddress: sealed?.contractAddress ?? null,
    contract: transaction.contract ?? null,
    function: encodeDecoded(transaction.function),
    value: value.toString(),
    gasUsed: sealed?.gasUsed.toString() ?? null,
    revert: encodeRevert(transaction.revert),
    frameTransaction: encodeFrameTransaction(transaction),
    calls: transaction.calls?.map(encodeDecodedCall) ?? null,
    events: transaction.events.map(encodeDecodedEvent),
    transfers: transaction.transfers?.map(encodeTransfer) ?? null,
  }
}

function encodeFrameTransaction({
  frameTransaction,
  frames,
}: DecodedTransaction): z.output<typeof FrameTransactionObject> | null {
  if (!frameTransaction) return null
  const { chainId, nonce, signatures, blobVersionedHashes, isProven } = frameTransaction
  const { maxPriorityFeePerGas, maxFeePerGas, maxFeePerBlobGas } = frameTransaction
  return {
    chainId: chainId.toString(),
    nonce: nonce.toString(),
    frames: frames.map((frame) => encodeFrame(frame, frameTransaction.sender)),
    signatures: signatures.map(({ scheme, signer, message, signature }) => ({
      scheme,
      signer: signer ?? null,
      message: message ?? null,
      signature: firstBytes(signature),
    })),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
    maxFeePerGas: maxFeePerGas.toString(),
    maxFeePerBlobGas: maxFeePerBlobGas.toString(),
    blobVersionedHashes,
    isProven,
  }
}

const encodeFrame = (frame: DecodedFrame, sender: Address) => ({
  mode: frame.mode,
  mayApprove: frame.mayApprove,
  isBatched: frame.isBatched,
  target: frame.target ?? sender,
  contract: frame.contract ?? null,
  function: encodeDecoded(frame.function),
  gasLimit: frame.gasLimit.toString(),
  stateGasLimit: frame.stateGasLimit?.toString() ?? null,
  value: frame.value.toString(),
  data: firstBytes(frame.data),
  dataSize: (frame.data.length - 2) / 2,
})

const firstBytes = (bytes: Hex): Hex => bytes.slice(0, 2 + 2 * 1024) as Hex

export function encodeDecodedCall(call: DecodedCall): z.output<typeof DecodedCallObject> {
  return {
    depth: call.depth,
    type: call.type,
    from: call.sender,
    to: call.recipient,
    contract: call.contract ?? null,
    function: encodeDecoded(call.function),
    value: call.value.toString(),
    gas: call.gas.toString(),
    gasUsed: call.gasUsed.toString(),
    input: hexFromBytes(call.input ?? new Uint8Array()),
    inputSize: call.inputSize,
    output: hexFromBytes(call.output ?? new Uint8Array()),
    outputSize: call.outputSize,
    returned: call.returned ?? null,
    outcome: call.outcome,
    halt: call.halt ?? null,
    revert: encodeRevert(call.revert),
  }
}

export function encodeDecodedEvent(log: DecodedLog): z.output<typeof DecodedEventObject> {
  const { logIndex, address, contract, event, topics, data } = log
  return { logIndex, address, contract: contract ?? null, event: encodeDecoded(event), topics, data }
}

export function encodeTransfer(transfer: TransferRecord): z.output<typeof TransferObject> {
  const { kind, token, sender, recipient, tokenId, amount } = transfer
  return {
    kind,
    token: kind === 'native' ? null : token,
    from: sender,
    to: recipient,
    tokenId: tokenId?.toString() ?? null,
    amount: amount.toString(),
  }
}

type Encoded = { name: string; signature: string; args: DecodedValue[] | null }

export function encodeDecoded(decoded: Decoded | undefined): Encoded | null {
  return decoded ? { name: decoded.name, signature: decoded.signature, args: decoded.args ?? null } : null
}

export function encodeRevert(
  revert: (Decoded & { reason: string }) | undefined,
): (Encoded & { reason: string }) | null {
  if (!revert) return null
  const { name, signature, args = null, reason } = revert
  return { name, signature, args, reason }
}
