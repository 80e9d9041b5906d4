import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

/** Seals only on request. */
export function createManualMode({ sealer, seal }: Pick<SealingModeNeeds, 'sealer' | 'seal'>): SealingMode {
  return {
    async resume() {},
    store: () => seal(() => sealer.storeWaiting()),
    onUpstreamHead() {},
    async stop() {},
  }
}
