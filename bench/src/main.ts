/** The benches, by the name that `npm run bench -- NAME` takes. */
const benches: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  engine: () => import('./engine/engine.ts'),
}

const name = process.argv[2] ?? ''
const load = benches[name]
if (load === undefined) {
  console.error(`Usage: npm run bench -- ${Object.keys(benches).join('|')}`)
  process.exitCode = 1
} else {
  const bench = await load()
  await bench.run()
}
