/** Tests of packages/node/test that are never run on PostgreSQL, and why. */
export const notOnPostgres: Record<string, string> = {
  'clients/cli': 'is about options and data directories',
  'upstream/firstStart': 'is about the file in a data directory',
  'server/privateFiles': 'is about the rights of the files in a data directory',
  'chain/reset': 'is about what is refused where several nodes share a network',
}

const server = 'is about sockets, headers, keys and limits'
const clients = 'is about programs that speak to the network, which need not know where it is kept'
const execution = 'is about execution and upstream, and stores what other tests store too'

/** Tests that `npm run test:postgres` runs and `.ci/run` does not, because CI's time is bounded, and why. */
export const notInShortRun: Record<string, string> = {
  'server/bodies': server,
  'server/http': server,
  'server/hugeAnswers': server,
  'server/keys': server,
  'server/metrics': server,
  'server/origins': server,
  'server/turns': server,
  'server/webSocket': server,
  'server/webSocketClients': server,
  'server/webSocketLoad': server,
  'clients/clients': clients,
  'rpc/compatibility': clients,
  'clients/foundry': clients,
  'clients/guides': clients,
  'hardhat/hardhat2': clients,
  'hardhat/hardhat3': clients,
  'contracts/projectImport': clients,
  'clients/remoteCommands': clients,
  'rpc/schemas': clients,
  'chain/sending': clients,
  'rpc/signatures': 'is about keys of accounts and the log',
  'rpc/differential': execution,
  'upstream/killWhileFollowing': 'waits for a lease to run out after each of its kills, as the tests of nodes do',
  'upstream/chainRules': execution,
  'upstream/prefetch': execution,
  'upstream/recording': execution,
  'upstream/startWithoutUpstream': execution,
  'chain/hardforks': execution,
  'chain/heavyTransactions': execution,
  'chain/hostileContracts': execution,
  'rpc/simulation': execution,
  'rpc/simulationErrors': execution,
  'rpc/tokenBalances': execution,
  'rpc/traces': execution,
  'tracking/trackingFork': execution,
  'upstream/uniswapV3': execution,
  'upstream/upstreamFaults': execution,
  'accounts/userOperations': execution,
  'accounts/validationRules': execution,
  'accounts/walletCalls': execution,
}
