import type { Refusal } from './refusal.ts'

/** A request that fails, though the same one may be answered the next time. */
export const failures = {
  unavailable: { status: 503, text: 'Service Temporarily Unavailable' },
  badGateway: { status: 502, text: 'Bad Gateway' },
  reset: { reset: true },
  cloudflare520: { status: 520, headers: html(), text: page('520: Web server is returning an unknown error') },
  cloudflare522: { status: 522, headers: html(), text: page('522: Connection timed out') },
  /** No JSON, in an HTTP 200. */
  rateText: { status: 200, headers: { 'content-type': 'text/plain' }, text: 'rate limit exceeded' },
  /** Cloudflare's, of a rate that a site has set. */
  rate1015: { status: 429, headers: { 'content-type': 'text/plain' }, text: 'error code: 1015' },
  retryAfter: {
    status: 429,
    headers: { 'retry-after': '1' },
    error: { code: 429, message: 'Your app has exceeded its compute units per second capacity' },
    batch: 'object',
  },
  tooManyUnits: {
    status: 429,
    error: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' },
    batch: 'object',
  },
  projectRate: {
    status: 429,
    error: {
      code: -32005,
      message: 'project ID request rate exceeded',
      data: { rate: { allowed_rps: 50, backoff_seconds: 0, current_rps: 52.3 } },
    },
    batch: 'object',
  },
  planRate: {
    status: 429,
    error: { code: 429, message: 'The requests per second (RPS) of your requests are higher than your plan allows.' },
    batch: 'object',
  },
  overRate: { status: 429, error: { code: -32016, message: 'over rate limit' }, batch: 'object' },
  limitStatus: { status: 429, error: { code: -32005, message: 'rate limit exceeded' }, batch: 'object' },
  rate1015InJson: { error: { code: -32000, message: 'error code: 1015' } },
  silentRate: { status: 429, text: '' },
  tooManyRequests: { status: 429, text: 'Too Many Requests' },
  limitExceeded: { error: { code: -32005, message: 'rate limit exceeded' } },
  overCapacity: { status: 429, error: { code: -32012, message: 'backend is over capacity' }, batch: 'object' },
  noBackend: {
    status: 503,
    error: { code: -32011, message: 'no backend is currently healthy to serve traffic' },
    batch: 'object',
  },
  internal: { error: { code: -32603, message: 'Internal error' } },
  temporary: { status: 500, error: { code: -32000, message: 'Temporary internal error' }, batch: 'object' },
  freeTimeout: {
    error: { code: 30, message: 'Request timeout on the free tier, please upgrade your tier to the paid one' },
  },
  timeout: { afterMs: 5_000, status: 504, headers: html(), text: page('504 Gateway Time-out') },
} as const satisfies Record<string, Refusal>

/** What an endpoint answers to every request once it serves no more. */
export const endings = {
  usageLimit: { error: { code: -32600, message: 'usage limit exceeded' } },
  monthlyLimit: { status: 403, error: { code: -32600, message: 'Monthly capacity limit exceeded.' }, batch: 'object' },
  dailyLimit: {
    status: 429,
    error: {
      code: -32005,
      message: 'daily request count exceeded, request rate limited',
      data: { rate: { allowed_rps: 1, backoff_seconds: 30, current_rps: 1.27 }, see: 'https://infura.io/dashboard' },
    },
    batch: 'object',
  },
  unauthorized: {
    error: { code: -32000, message: 'Unauthorized: You must authenticate your request with an API key.' },
    batch: 'object',
  },
  unauthorizedStatus: { status: 401, error: { code: -32600, message: 'Must be authenticated!' }, batch: 'object' },
  disabledKey: {
    status: 403,
    text: JSON.stringify('message: API key disabled, reason: tenant disabled, json-rpc code: -32051, rest code: 403'),
  },
  paymentRequired: { status: 402, text: 'Payment Required' },
  freeTimeout: failures.freeTimeout,
  internal: failures.internal,
  /** Cloudflare's, for addresses that it takes for attackers. */
  blockPage: { status: 403, headers: html(), text: page('Attention Required! | Cloudflare') },
  invalidHost: { status: 200, text: 'invalid host specified' },
} as const satisfies Record<string, Refusal>

function html() {
  return { 'content-type': 'text/html' }
}

function page(title: string): string {
  return `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`
}
