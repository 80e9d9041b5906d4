/** Exit codes of the command line. */
export const exitCodes = {
  /** Success; a network was stopped by a signal. */
  done: 0,
  /** It could not start, or it failed: upstream down, port or data directory in use… */
  failed: 1,
  /** The command line or the environment is invalid. */
  usage: 2,
  /** A second signal ended it before it had stopped. */
  killed: 130,
} as const
