import type { FastifyRequest } from 'fastify'
import type { Claim, Job } from '../../contracts/verification/verifications.ts'
import type { Services } from '../../rpc/services.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { Identification } from '../identification.ts'

/** The services that verification APIs need. */
export type VerificationNeeds = {
  services: Pick<Services, 'verifications' | 'audit' | 'node' | 'branches'>
  identification: Identification
  /** Maximum body size in bytes. */
  bodyLimit: number
}

const method = 'verification'

/** Starts a verification if the sender has the role admin. The audit log records it, accepted or refused. */
export async function submitClaim(
  request: FastifyRequest,
  claimOf: () => Claim,
  { services: { verifications, audit, node }, identification }: Pick<VerificationNeeds, 'services' | 'identification'>,
): Promise<Job> {
  const { key } = identification.identityOf(request)
  let params: unknown = []
  try {
    identification.requireRole(request, 'admin')
    const { role, sealer } = node() ?? {}
    if (role === 'reader')
      throw new NetworkError('NOT_THE_SEALER', { what: 'sources', sealer: sealer?.url ?? 'unknown at the moment' })
    await audit.requireWritable()
    const { input, ...claim } = claimOf()
    params = [claim]
    const job = await verifications.submit({ ...claim, input })
    await audit.note({ key, method, params, error: undefined })
    return job
  } catch (thrown) {
    const error = isNetworkError(thrown) ? thrown.kind : 'INTERNAL'
    if (error === 'UNAUTHORIZED' || error === 'RATE_LIMITED') audit.noteRefusal({ key, method, params, error })
    else await audit.note({ key, method, params, error })
    throw thrown
  }
}
