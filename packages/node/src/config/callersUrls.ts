import type { Config } from './config.ts'

/**
 * Whether callers may name URLs that the network sends requests to: in `anvil_reset`, `anvil_setRpcUrl` and `dev_setWebhook`,
 * and in options of `dev_createNetwork` that have `namesUrls`. Such a URL can be one that only this machine reaches.
 */
export const mayNameUrls = ({ resetToUrl, insecure }: Pick<Config, 'resetToUrl' | 'insecure'>): boolean =>
  resetToUrl ?? !insecure
