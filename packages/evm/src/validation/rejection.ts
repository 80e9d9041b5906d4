/** The message is invalid in this block. Nothing was changed. */
export type Rejected = { type: 'rejected'; reason: RejectReason; details: Record<string, bigint | string> }

export type RejectReason =
  | 'NONCE_TOO_LOW'
  | 'NONCE_TOO_HIGH'
  | 'NONCE_MAX'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'GAS_LIMIT_EXCEEDS_BLOCK'
  | 'GAS_LIMIT_EXCEEDS_CAP'
  | 'FEE_CAP_BELOW_BASE_FEE'
  | 'TIP_ABOVE_FEE_CAP'
  | 'SENDER_HAS_CODE'
  | 'MINT_TOO_HIGH'
  | 'INITCODE_TOO_LARGE'
  | 'BLOB_FEE_CAP_TOO_LOW'
  | 'BLOBS_CREATE'
  | 'BLOB_LIST_EMPTY'
  | 'BLOB_LIST_TOO_LONG'
  | 'BLOB_HASH_VERSION'
  | 'AUTHORIZATIONS_CREATE'
  | 'AUTHORIZATION_LIST_EMPTY'
  | 'TYPE_NOT_SUPPORTED'
