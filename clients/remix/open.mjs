import remixDebug from 'remix-debug'
import remixLib from 'remix-lib'

/**
 * What the debugger of Remix shows of a transaction: how many steps it has, the memory at the last one, and the storage of
 * the called contract before the first, as values by slot.
 *
 * @param {{ url: string, transaction: Record<string, unknown> }} debugged the network, and the transaction as it answers it
 */
export async function debugTransaction({ url, transaction }) {
  const remix = new remixDebug.EthDebugger({ web3: remixLib.init.loadWeb3(url), compilationResult: () => null })
  const { traceManager } = remix
  await called((done) => traceManager.resolveTrace(transaction, done))
  const loaded = new Promise((resolve) => remix.event.register('newTraceLoaded', resolve))
  remix.debug(transaction)
  await loaded
  const last = traceManager.trace.length - 1
  const slots = await called((done) => remix.storageViewAt(0, transaction.to).storageRange(done))
  return {
    steps: traceManager.trace.length,
    memory: await called((done) => traceManager.getMemoryAt(last, done)),
    storage: Object.fromEntries(Object.values(slots).map(({ key, value }) => [key, value])),
  }
}

/** A promise of what a callback is called with. */
function called(task) {
  return new Promise((resolve, reject) =>
    task((error, result) => (error ? reject(error instanceof Error ? error : new Error(`${error}`)) : resolve(result))),
  )
}
