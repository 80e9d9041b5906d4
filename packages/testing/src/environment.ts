/** How workers learn of the network of their run. */
export const environment = {
  /** As `understudy record` sets it for its command. */
  url: 'UNDERSTUDY_RPC_URL',
  keep: 'UNDERSTUDY_KEEP_ON_FAILURE',
} as const
