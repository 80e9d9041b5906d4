import type { Rejected, RejectReason } from '@understudy/evm'
import { rejection } from '../execution/rejection.ts'
import { type ErrorKind, NetworkError } from '../shared/errors.ts'

type WithText = Exclude<
  Extract<ErrorKind, `SIMULATED_${string}`>,
  'SIMULATED_NUMBER_NOT_INCREASING' | 'SIMULATED_TIME_NOT_INCREASING' | 'SIMULATION_TOO_LARGE'
>

/** Rejections with their own error codes in `eth_simulateV1`. */
const kinds: Partial<Record<RejectReason, WithText>> = {
  NONCE_TOO_LOW: 'SIMULATED_NONCE_TOO_LOW',
  NONCE_MAX: 'SIMULATED_NONCE_MAX',
  NONCE_TOO_HIGH: 'SIMULATED_NONCE_TOO_HIGH',
  FEE_CAP_BELOW_BASE_FEE: 'SIMULATED_FEE_TOO_LOW',
  INTRINSIC_GAS_TOO_LOW: 'SIMULATED_GAS_TOO_LOW',
  INSUFFICIENT_FUNDS: 'SIMULATED_INSUFFICIENT_FUNDS',
  GAS_LIMIT_EXCEEDS_BLOCK: 'SIMULATED_BLOCK_FULL',
  INITCODE_TOO_LARGE: 'SIMULATED_INITCODE_TOO_LARGE',
}

/** Converts the rejection of a call, which ends the simulation, to an error. */
export function simulationError(rejected: Rejected, from: `0x${string}`): NetworkError {
  const error = rejection(rejected, from)
  const kind = kinds[rejected.reason]
  return kind ? new NetworkError(kind, { text: error.message }, { cause: error }) : error
}
