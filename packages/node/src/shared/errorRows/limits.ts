/** What is refused because it is too much. */
export const limitErrors = {
  LIMIT_EXCEEDED: { code: -32005, message: 'limit exceeded: {what}; the limit is {limit}' },
  /** Indexers look for these words, and go on with the range. */
  TOO_MANY_LOGS: { code: -32005, message: 'query returned more than {limit}. {advice}' },
  /** Indexers look for these words, too. */
  LIVE_LOG_RANGE_TOO_LARGE: {
    code: -32005,
    message:
      'query exceeds max block range: the endpoint of the live chain returns logs of few blocks at a time, so {blocks} blocks need more than {limit} requests. Try with this block range [{from}, {to}], or use an endpoint with a larger range',
  },
  ANSWER_TOO_LARGE: {
    code: -32005,
    message:
      'limit exceeded: the answer, or those of its batch together, would have more than {limit} bytes (--answer-limit). Request less at a time, or raise the limit',
  },
  IN_FLIGHT_LIMIT_EXCEEDED: {
    code: -32005,
    message:
      'limit exceeded: you are using your share of the {limit} bytes of messages and answers in flight. Read the pending answers and retry, or raise --in-flight-limit',
  },
  RATE_LIMITED: {
    code: -32005,
    message: 'limit exceeded: more requests per second than --rate-limit allows; retry later',
  },
  KEY_COMPUTE_QUOTA_EXCEEDED: {
    code: -32005,
    message:
      'compute quota exceeded: the calls of this key ran for {seconds} seconds within a minute (--key-computing). Retry in a few seconds, or send fewer expensive calls',
  },
  KEY_FETCH_QUOTA_EXCEEDED: {
    code: -32005,
    message:
      'fetch quota exceeded: {limit} values of the live chain were fetched for this key within a minute (--key-values). Retry in a few seconds',
  },
  REQUEST_CANCELLED: { code: -32005, message: 'cancelled: the client closed its connection before the answer' },
} as const
