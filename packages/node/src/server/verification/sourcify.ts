import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Claim, Job } from '../../contracts/verification/verifications.ts'
import { type ErrorKind, isNetworkError, NetworkError } from '../../shared/errors.ts'
import { requireFewValuesIn } from '../../shared/json/valueLimit.ts'
import { submitClaim, type VerificationNeeds } from './submitClaim.ts'

type ContractRoute = { Params: { chainId: string; address: string } }

/** Sourcify's API, version 2, at `/sourcify/v2`: `verify` and `contract`. https://docs.sourcify.dev/docs/api */
export function serveSourcify(
  server: FastifyInstance,
  { services, identification, bodyLimit, chainId }: VerificationNeeds & { chainId: () => bigint },
): void {
  const { requireRole } = identification
  const guarded = {
    bodyLimit,
    onRequest: identification.hook((reply, { status, error }) => sendError(reply, status, error)),
  }
  for (const prefix of ['', '/rpc/:key']) {
    server.post<ContractRoute>(`${prefix}/sourcify/v2/verify/:chainId/:address`, guarded, (request, reply) =>
      answer(reply, async () => {
        const job = await submitClaim(request, () => claimFrom(request), { services, identification })
        return { status: 202, body: { verificationId: job.id } }
      }),
    )
    server.get<{ Params: { id: string } }>(`${prefix}/sourcify/v2/verify/:id`, guarded, (request, reply) =>
      answer(reply, async () => {
        requireRole(request, 'read')
        const job = await services.verifications.job(request.params.id)
        if (!job) throw new NetworkError('NOT_FOUND', { resource: 'verification', id: request.params.id.slice(0, 100) })
        return { status: 200, body: describe(job, chainId()) }
      }),
    )
    server.get<ContractRoute>(`${prefix}/sourcify/v2/contract/:chainId/:address`, guarded, (request, reply) =>
      answer(reply, async () => {
        requireRole(request, 'read')
        const address = addressOf(request)
        const found = await services.verifications.load(address)
        const contract = { chainId: request.params.chainId, address }
        if (!found) return { status: 404, body: { ...matches(null), ...contract } }
        const { name, abi, sourcePath, source, compiled } = found
        return {
          status: 200,
          body: {
            ...matches(found.match),
            ...contract,
            ...(compiled && { verifiedAt: new Date(compiled.verifiedAt).toISOString() }),
            abi: JSON.parse(abi),
            sources: compiled
              ? JSON.parse(compiled.input).sources
              : { [sourcePath ?? name]: { content: source ?? '' } },
            compilation: {
              language: 'Solidity',
              name,
              fullyQualifiedName: `${sourcePath ?? ''}:${name}`,
              compilerVersion: compiled?.version ?? null,
            },
          },
        }
      }),
    )
  }

  function claimFrom(request: FastifyRequest<ContractRoute>): Claim {
    const address = addressOf(request)
    const { stdJsonInput, compilerVersion, contractIdentifier } = bodyOf(request)
    const input = stdJsonInput as Claim['input'] | undefined
    if (typeof input?.sources !== 'object' || input.sources === null)
      throw new NetworkError('INVALID_PARAMS', { field: 'stdJsonInput', problem: 'expected standard JSON' })
    return {
      address,
      contract: String(contractIdentifier),
      compilerVersion: String(compilerVersion).replace(/^v/, ''),
      input,
    }
  }

  function addressOf({ params }: FastifyRequest<ContractRoute>): `0x${string}` {
    const { chainId: asked, address } = params
    if (asked !== chainId().toString())
      throw new NetworkError('INVALID_PARAMS', {
        field: 'chainId',
        problem: `this network is ${chainId()}, not ${asked}`,
      })
    if (!/^0x[\da-f]{40}$/i.test(address))
      throw new NetworkError('INVALID_PARAMS', { field: 'address', problem: 'expected a 20-byte address' })
    return address.toLowerCase() as `0x${string}`
  }
}

/** The match of the deployed code; creation code is not compared. */
const matches = (match: string | null) => ({ match, creationMatch: null, runtimeMatch: match })

function describe(job: Job, chainId: bigint) {
  const { id: verificationId, address, state } = job
  const match = job.state === 'verified' ? job.match : null
  return {
    isJobCompleted: state !== 'pending',
    verificationId,
    jobStartTime: new Date(job.startedAt).toISOString(),
    ...(job.state !== 'pending' && { jobFinishTime: new Date(job.endedAt).toISOString() }),
    contract: { ...matches(match), chainId: chainId.toString(), address },
    ...(job.state === 'failed' && {
      error: { customCode: 'no_match', message: job.problem, errorId: verificationId },
    }),
  }
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  const text = String(body)
  requireFewValuesIn(text, 'a request')
  try {
    const parsed = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {}
  throw new NetworkError('INVALID_PARAMS', { field: 'body', problem: 'expected a JSON object' })
}

async function answer(
  reply: FastifyReply,
  run: () => Promise<{ status: number; body: unknown }>,
): Promise<FastifyReply> {
  try {
    const { status, body } = await run()
    return reply.code(status).type('application/json').send(JSON.stringify(body))
  } catch (error) {
    if (!isNetworkError(error)) throw error
    return sendError(reply, statuses[error.kind] ?? 400, error)
  }
}

const statuses: Partial<Record<ErrorKind, number>> = {
  NOT_FOUND: 404,
  UNAUTHORIZED: 403,
  RATE_LIMITED: 429,
  NOT_THE_SEALER: 409,
}

function sendError(reply: FastifyReply, status: number, { kind, message }: NetworkError): FastifyReply {
  return reply.code(status).send({ customCode: kind.toLowerCase(), message, errorId: kind })
}
