/** What is refused because it is too much. */
export const limitErrors = {
  LIMIT_EXCEEDED: { code: -32005, message: 'limit exceeded: {what}; the limit is {limit}' },
  /** Indexers look for these words, and go on with the range. */
  TOO_MANY_LOGS: { code: -32005, message: 'query returned more than {limit}. {advice}' },
  /** Indexers look for these words, too. */
  LIVE_LOG_RANGE: {
    code: -32005,
    message:
      'query exceeds max block range: the endpoint of the live chain takes so few blocks of logs at a time that {blocks} blocks need more than {limit} requests. Try with this block range [{from}, {to}], or use an endpoint that takes more',
  },
  ANSWER_TOO_LARGE: {
    code: -32005,
    message:
      'limit exceeded: the answer, together with the others of its batch, has more than {limit} bytes. Request less at a time, or raise --answer-limit',
  },
  TOO_MUCH_IN_FLIGHT: {
    code: -32005,
    message:
      'limit exceeded: you are using your share of the {limit} bytes of messages and answers in flight. Read the pending answers and retry, or raise --in-flight-limit',
  },
  RATE_LIMITED: {
    code: -32005,
    message: 'limit exceeded: more requests per second than --rate-limit allows; retry later',
  },
  KEY_COMPUTING_SPENT: {
    code: -32005,
    message:
      'limit exceeded: your key has computed for {seconds} seconds in a minute, which is all that --key-computing allows; wait some seconds, or give it less to do',
  },
  KEY_VALUES_SPENT: {
    code: -32005,
    message:
      'limit exceeded: {limit} values of the live chain were fetched for your key in a minute, which is all that --key-values allows; wait some seconds',
  },
  REQUEST_CANCELLED: { code: -32005, message: 'cancelled: the client closed its connection before the answer' },
} as const
