import type { Address, Rejected, RejectReason } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'

/** Rejections without their own row in the error table, in geth's words. */
const texts: Partial<Record<RejectReason, string>> = {
  NONCE_MAX: 'nonce has max value',
  GAS_LIMIT_EXCEEDS_CAP: 'transaction gas limit too high',
  TIP_ABOVE_FEE_CAP: 'max priority fee per gas higher than max fee per gas',
  SENDER_HAS_CODE: 'sender not an eoa',
  MINT_TOO_HIGH: 'the mint makes the balance of the sender too high',
  INITCODE_TOO_LARGE: 'max initcode size exceeded',
  BLOB_FEE_CAP_TOO_LOW: 'max fee per blob gas less than block blob gas fee',
  BLOBS_CREATE: 'blob transaction of type create',
  BLOB_LIST_EMPTY: 'blob transaction missing blob hashes',
  BLOB_LIST_TOO_LONG: 'blob transaction has too many blobs',
  BLOB_HASH_VERSION: 'blob has invalid hash version',
  AUTHORIZATIONS_CREATE: 'EIP-7702 transaction cannot be used to create contract',
  AUTHORIZATION_LIST_EMPTY: 'EIP-7702 transaction with empty auth list',
  TYPE_NOT_SUPPORTED: 'transaction type not supported',
}

/** Converts the rejection of a message to an error for the client. */
export function rejection({ reason, details }: Rejected, address: Address): NetworkError {
  const detail = (name: string) => details[name] ?? '?'
  switch (reason) {
    case 'NONCE_TOO_LOW':
    case 'NONCE_TOO_HIGH':
      return new NetworkError(reason, {
        address,
        nonce: detail('nonce'),
        expected: detail('expected'),
      })
    case 'INSUFFICIENT_FUNDS':
      return new NetworkError(reason, { address, have: detail('balance'), want: detail('required') })
    case 'INTRINSIC_GAS_TOO_LOW':
      return new NetworkError(reason, { gas: detail('gasLimit'), minimum: detail('required') })
    case 'GAS_LIMIT_EXCEEDS_BLOCK':
      return new NetworkError('GAS_LIMIT_EXCEEDED', { gas: detail('gasLimit'), limit: detail('blockGasLimit') })
    case 'FEE_CAP_BELOW_BASE_FEE':
      return new NetworkError('FEE_CAP_TOO_LOW', { maxFeePerGas: detail('maxFeePerGas'), baseFee: detail('baseFee') })
    default: {
      const more = Object.entries(details).map(([name, value]) => `${name} ${value}`)
      return new NetworkError('TRANSACTION_INVALID', { text: [texts[reason] ?? reason, ...more].join(', ') })
    }
  }
}
