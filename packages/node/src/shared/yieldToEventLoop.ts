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
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    plan()
  })
}

/**
 * Returns a function that yields to the event loop when `sliceMs` have passed since it last did, or since it was made: to be awaited in each
 * round of a long loop.
 */
export function createPace(sliceMs: number): () => Promise<void> {
  let until = performance.now() + sliceMs
  return async () => {
    if (performance.now() < until) return
    await yieldToEventLoop()
    until = performance.now() + sliceMs
  }
}
