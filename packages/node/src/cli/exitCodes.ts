/** What the command ends with. */
export const exitCodes = {
  /** It did what was asked; a network was stopped by a signal. */
  done: 0,
  /** It could not start, or it failed: upstream down, port or data directory in use… */
  failed: 1,
  /** The command line or the environment is not right. */
  usage: 2,
  /** A second signal ended it before it had stopped. */
  killed: 130,
} as const
