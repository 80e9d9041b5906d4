export type { NetworkOptions } from './options.ts'
export { type StartedNetwork, startNetwork } from './startNetwork.ts'
