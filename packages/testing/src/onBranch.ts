import { environment } from './environment.ts'
import { type Branch, type BranchOptions, connectNetwork, type Network } from './network.ts'

/** Seconds after which a branch goes that a worker left behind, because it was killed. */
const leftBehindTtl = 3_600

let network: Promise<Network> | undefined
let ofWorker: Promise<Branch> | undefined

/** The network of this run, at UNDERSTUDY_RPC_URL: of `globalNetwork`, of `understudy record -- COMMAND`, or one of yours. */
export function sharedNetwork(): Promise<Network> {
  const url = process.env[environment.url]
  if (!url) throw new Error(`No network: use globalNetwork() in the set-up of this run, or set ${environment.url}`)
  network ??= connectNetwork(url)
  return network
}

/** A branch that all tests of this process share. It is removed with the network, or an hour after its start. */
export function workerBranch(): Promise<Branch> {
  ofWorker ??= sharedNetwork().then(({ createBranch }) => createBranch({ ttl: leftBehindTtl, ephemeral: true }))
  return ofWorker
}

/**
 * Runs a test on a branch of its own, made of the network of this run. The branch is removed at its end, or kept if it failed
 * and `keepOnFailure` is set.
 */
export async function runOnBranch(
  run: (branch: Branch) => Promise<{ hasFailed: boolean; title: string | undefined }>,
  options: BranchOptions = {},
): Promise<void> {
  const isKept = Boolean(process.env[environment.keep])
  const branch = await (await sharedNetwork()).createBranch({
    ...(!isKept && { ttl: leftBehindTtl, ephemeral: true }),
    ...options,
  })
  try {
    const { hasFailed, title } = await run(branch)
    if (hasFailed && isKept) await branch.keep(title)
  } finally {
    await branch.remove()
  }
}

/** Makes a test for Jest, node:test and others of a function that takes a branch: `it('…', onBranch(async (branch) => …))`. */
export function onBranch(test: (branch: Branch) => unknown, options?: BranchOptions) {
  // Without a parameter of its own, which Jest would take for a callback. node:test passes its context.
  return async (...[context]: { name?: string }[]): Promise<void> => {
    let failure: { error: unknown } | undefined
    await runOnBranch(async (branch) => {
      try {
        await test(branch)
      } catch (error) {
        failure = { error }
      }
      return { hasFailed: failure !== undefined, title: context?.name }
    }, options)
    if (failure) throw failure.error
  }
}
