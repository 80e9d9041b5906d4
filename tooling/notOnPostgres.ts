/** Tests of packages/node/test that are never run on PostgreSQL, and why. */
export const notOnPostgres: Record<string, string> = {
  cli: 'is about options and data directories',
  firstStart: 'is about the file in a data directory',
  privateFiles: 'is about the rights of the files in a data directory',
  reset: 'is about what is refused where several nodes share a network',
}

const door = 'is about sockets, headers, keys and limits'
const clients = 'is about programs that speak to the network, which need not know where it is kept'
const elsewhere = 'is about execution and upstream, and stores what other tests store too'

/** Those that `npm run test:postgres` runs and `.ci/run` does not, for its time is bounded, and why these. */
export const notInShortRun: Record<string, string> = {
  bodies: door,
  http: door,
  keys: door,
  metrics: door,
  origins: door,
  webSocket: door,
  webSocketClients: door,
  webSocketLoad: door,
  clients,
  compatibility: clients,
  foundry: clients,
  guides: clients,
  'hardhat/hardhat2': clients,
  'hardhat/hardhat3': clients,
  projectImport: clients,
  remoteCommands: clients,
  schemas: clients,
  sending: clients,
  signatures: 'is about keys of accounts and the log',
  differential: elsewhere,
  followingKill: 'waits for a lease to run out after each of its kills, as the tests of nodes do',
  foresight: elsewhere,
  hostileContracts: elsewhere,
  simulation: elsewhere,
  simulationErrors: elsewhere,
  tokenBalances: elsewhere,
  traces: elsewhere,
  trackingFork: elsewhere,
  uniswapV3: elsewhere,
  upstreamFaults: elsewhere,
}
