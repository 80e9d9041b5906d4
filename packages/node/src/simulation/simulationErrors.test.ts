import type { Rejected } from '@understudy/evm'
import { expect, it } from 'vitest'
import { simulationError } from './simulationErrors.ts'

const sender = `0x${'a1'.repeat(20)}` as const
const errorOf = (reason: Rejected['reason'], details: Record<string, bigint> = {}) =>
  simulationError({ type: 'rejected', reason, details } as Rejected, sender)

it('has an own error for what geth gives an own code in simulations, in the same words and with its cause', () => {
  const error = errorOf('NONCE_TOO_LOW', { nonce: 3n, expected: 5n })
  expect(error.kind).toBe('SIMULATED_NONCE_TOO_LOW')
  expect(error.cause).toMatchObject({ kind: 'NONCE_TOO_LOW', details: { address: sender, nonce: 3n, expected: 5n } })
  expect(error.message).toBe((error.cause as Error).message)
  expect(errorOf('GAS_LIMIT_EXCEEDS_BLOCK').kind).toBe('SIMULATED_BLOCK_FULL')
  expect(errorOf('FEE_CAP_BELOW_BASE_FEE').kind).toBe('SIMULATED_FEE_TOO_LOW')
})

it('has the error of a transaction for all others', () => {
  expect(errorOf('TIP_ABOVE_FEE_CAP').kind).toBe('TRANSACTION_INVALID')
  expect(errorOf('TIP_ABOVE_FEE_CAP').cause).toBeUndefined()
})
