const waiting: (() => void)[] = []
let planned = false

function plan(): void {
  if (planned) return
  planned = true
  setImmediate(() => {
    planned = false
    waiting.shift()?.()
    if (waiting.length > 0) plan()
  })
}

/**
 * Lets the event loop serve what arrived. Long loops outside of the engine call it every few milliseconds. One caller goes
 * on in each turn of the loop, so that many of them together block it no longer than one.
 */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    plan()
  })
}
