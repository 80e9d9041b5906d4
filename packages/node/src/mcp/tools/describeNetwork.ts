import { getNetworkInfo as getNetworkInfoMethod } from '../../rpc/methods/dev/getNetworkInfo.ts'
import { amountText } from '../amounts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const describeNetwork = defineTool({
  name: 'describe_network',
  methods: [getNetworkInfoMethod],
  example: exampleOf(getNetworkInfoMethod, () => ({})),
  description:
    'Also funded accounts, your role, and what was set up here: workspaces (named contracts and wallets), function overrides, followed accounts, tracked values, snapshots and branches. Call it first.',
  effect: 'reads',
  input: {},
  hasPages: true,
  async run(network) {
    const info = await network.call('dev_getNetworkInfo')
    const { chainId, chain, rules, head, mode, upstream, accounts } = info
    const { currency } = chain
    const balance = accounts[0] && BigInt(await network.call<string>('eth_getBalance', accounts[0], 'latest'))
    const { role } = await network.call('dev_getRole')
    const followed = await network.call('dev_getFollowed')
    const overrides = await network.call('dev_getFunctionOverrides')
    const workspaces = await network.call('dev_getWorkspaces')
    const tracked = await network.call('dev_getTrackedData')
    const snapshots = await network.call('dev_getSnapshots')
    const branches = await network.call('dev_getBranches')
    const items = [
      ...workspaces.map(({ id, name, address, kind }) => ({ workspace: id, name, address, kind })),
      ...overrides.map(({ id, contractAddress, functionAbi, inputParams, returnValues, enabled }) => ({
        override: id,
        contract: contractAddress,
        function: nameOf(functionAbi),
        args: inputParams,
        returns: returnValues,
        enabled,
      })),
      ...followed.accounts.map((account) => ({ followed: account })),
      ...Object.entries(followed.slots).map(([account, slots]) => ({ followed: account, slots: slots.length })),
      ...tracked.map(({ id, name, address, type, lastError }) => ({ tracked: id, name, address, type, lastError })),
      ...snapshots.map(({ id, name, blockNumber }) => ({ snapshot: id, name, block: Number(blockNumber) })),
      ...branches.map(({ name, parent, expiresAt }) => ({ branch: name, of: parent, expires: expiresAt })),
    ]
    return {
      fields: {
        chainId,
        chain: chain.name,
        currency: currency.symbol,
        hardfork: rules.hardfork,
        head: head.number,
        time: head.timestamp,
        mining: mode,
        liveChain: upstream && {
          head: upstream.head,
          blocksAhead: upstream.blocksAhead,
          reachable: upstream.reachable,
        },
        role,
        fundedAccounts: accounts,
        balanceOfFirst: balance === undefined ? undefined : amountText(balance as bigint, currency),
        counts: {
          workspaces: workspaces.length,
          overrides: overrides.length,
          followed: followed.accounts.length,
          tracked: tracked.length,
          snapshots: snapshots.length,
          branches: branches.length,
        },
        dashboard: network.link('/'),
      },
      list: { name: 'setUp', items },
    }
  },
})

function nameOf(functionAbi: string): string {
  try {
    return String((JSON.parse(functionAbi) as { name?: unknown }).name)
  } catch {
    return functionAbi
  }
}
