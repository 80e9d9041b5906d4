export { announceProvider } from './announce.ts'
export { createProvider, type ProviderEvent, type ProviderOptions, type UnderstudyProvider } from './provider.ts'
export { ProviderRpcError } from './providerRpcError.ts'
