import type { Services } from '../services.ts'
import type { Start } from './subscriptions.ts'

/** Tells on what happens when another network has taken the place of the one at which it began; see `Resets`. */
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
