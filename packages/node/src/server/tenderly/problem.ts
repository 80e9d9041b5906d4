import { randomUUID } from 'node:crypto'
import { MethodError } from '../../rpc/dispatch/methodCalls.ts'
import { type ErrorKind, isNetworkError, type NetworkError } from '../../shared/errors.ts'

/** An error of the REST interface: its status, and what is answered. */
export type Problem = { status: number; slug: string; message: string; id?: string | undefined }

/** The name of the project that is the network itself. */
export const itself = 'project'

/** By status. */
const slugs: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  429: 'too_many_requests',
  500: 'internal_server_error',
  503: 'service_unavailable',
}

const statuses: Partial<Record<ErrorKind, number>> = {
  UNAUTHORIZED: 403,
  RATE_LIMITED: 429,
  KEY_COMPUTE_QUOTA_EXCEEDED: 429,
  KEY_FETCH_QUOTA_EXCEEDED: 429,
  IN_FLIGHT_LIMIT_EXCEEDED: 503,
  AWAKE_NETWORK_LIMIT_EXCEEDED: 503,
  HOSTED_NETWORK_UNAVAILABLE: 503,
  UPSTREAM_UNAVAILABLE: 503,
  NETWORK_STOPPING: 503,
  STOPPED_DURING_CALL: 503,
  NOT_THE_SEALER: 503,
  NO_SEALER: 503,
  INTERNAL: 500,
}

/** The status of an error, by its kind. */
function statusOf(kind: ErrorKind | undefined): number {
  if (kind === undefined) return 400
  if (kind.endsWith('NOT_FOUND')) return 404
  if (kind.endsWith('_EXISTS')) return 409
  return statuses[kind] ?? 400
}

export const problemOf = (status: number, message: string, id?: string): Problem => ({
  status,
  slug: slugs[status] ?? 'bad_request',
  message,
  id,
})

/** What an error of a method or of a route is answered with; `undefined` for errors that nothing was to throw. */
export function problemFrom(error: unknown): Problem | undefined {
  if (error instanceof MethodError) return problemOf(statusOf(error.kind), error.message, error.id)
  if (isNetworkError(error)) return problemOf(statusOf(error.kind), error.message)
  return undefined
}

/** An error that was found before the route ran, with the status that it has everywhere. */
export const problemText = (error: NetworkError, status: number): string => textOf(problemOf(status, error.message))

/** A problem as JSON. */
export const textOf = ({ slug, message, id = randomUUID() }: Problem): string =>
  JSON.stringify({ error: { id, slug, message } })
