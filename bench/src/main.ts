/** The benchmarks by name: `npm run bench -- NAME [OPTIONS]`. Without a name, all run in turn. */
const benches: Record<string, () => Promise<{ run(args: readonly string[]): Promise<void> }>> = {
  engine: () => import('./engine/engine.ts'),
  import: () => import('./import/import.ts'),
  fork: () => import('./fork/fork.ts'),
  workspaces: () => import('./workspaces/workspaces.ts'),
  overrides: () => import('./overrides/overrides.ts'),
  tracking: () => import('./tracking/tracking.ts'),
  scale: () => import('./scale/scale.ts'),
  serve: () => import('./serve/serve.ts'),
  branches: () => import('./branches/branches.ts'),
  networks: () => import('./networks/networks.ts'),
  suite: () => import('./suite/suite.ts'),
  streams: () => import('./streams/streams.ts'),
  debugger: () => import('./debugger/debugger.ts'),
  simulate: () => import('./simulate/simulate.ts'),
  coverage: () => import('./coverage/coverage.ts'),
}

const [name, ...args] = process.argv.slice(2)
const chosen = Object.entries(benches).filter(([known]) => name === undefined || name === known)
if (chosen.length === 0) {
  console.error(`Usage: npm run bench [-- ${Object.keys(benches).join('|')}]`)
  process.exitCode = 1
}
for (const [title, load] of chosen) {
  if (chosen.length > 1) console.log(`\n# ${title}\n`)
  const bench = await load()
  await bench.run(args)
}
