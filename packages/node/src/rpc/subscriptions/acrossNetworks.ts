import type { Services } from '../services.ts'
import type { Start } from './subscriptions.ts'

/** Keeps a subscription running after another network replaces the one on which it began; see `Resets`. */
export function acrossNetworks({ changes }: Pick<Services, 'changes'>, start: Start): Start {
  return (notify) => {
    let stop = start(notify)
    const unsubscribe = changes.on('exchanged', () => {
      stop()
      stop = start(notify)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }
}
