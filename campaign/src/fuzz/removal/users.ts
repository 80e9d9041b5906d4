import { type Random, testAccounts } from '@understudy/testkit'
import { type Hex, numberToHex, pad } from 'viem'
import { type Caller, callByHttp, callByMcp, callByWebSocket } from './callers.ts'
import { type Journal, Unanswered } from './journal.ts'

/** Made by all users, whichever network they use. */
let made = 0

const [{ address: sender }, { address: payee }] = testAccounts
/** What users write. A network that begins anew has nothing of it. */
export const holder: Hex = `0x${'a1'.repeat(20)}`
/** Loops 3000 times and stores the number of rounds. */
export const counting: Hex = `0x${'a2'.repeat(20)}`
export const countingCode: Hex = '0x610bb85b600190038060035750600160005500'
/** Runs until its time is spent. */
const endless = { [holder]: { code: '0x5b600056' } }
const tracer = '{ step() { for (;;); }, fault() {}, result() {} }'
const topic = (index: number) => pad(numberToHex(index))

type Act = (caller: Caller, random: Random) => Promise<unknown>

const reads: readonly Act[] = [
  ({ ask }) => ask('eth_blockNumber'),
  ({ ask }) => ask('eth_getBalance', holder, 'latest'),
  ({ ask }) => ask('eth_getBlockByNumber', 'pending', true),
  ({ ask }) => ask('eth_getLogs', { fromBlock: '0x0' }),
  ({ ask }) => ask('eth_feeHistory', '0x20', 'latest', [10, 50]),
  ({ ask }) => ask('eth_call', { to: counting }, 'latest'),
  ({ ask }) => ask('dev_getSlotHistory', holder, '0x0'),
  ({ ask }) => ask('dev_getFollowed'),
  ({ ask }) => ask('txpool_content'),
]

const writes: readonly Act[] = [
  ({ ask }, random) => ask('dev_setBalance', holder, String(random.integer(1, 1e9))),
  ({ ask }, random) => ask('dev_setStorageAt', holder, String(random.below(9)), topic(random.integer(1, 1e9))),
  ({ ask }) => ask('eth_sendTransaction', { from: sender, to: counting, gas: '0x186a0' }),
  ({ ask }) => ask('eth_sendTransaction', { from: sender, to: payee, value: '0x1', gas: '0x5208' }),
  ({ ask }) => ask('evm_mine'),
  ({ ask }, random) => ask('anvil_mine', numberToHex(random.integer(2, 300))),
  ({ ask }) => ask('evm_increaseTime', 10),
  async ({ ask }, random) => {
    const id = await ask('evm_snapshot')
    if (random.chance(0.3)) await ask('evm_revert', id)
  },
  ({ ask }) => ask('dev_addTrackedData', { address: holder, name: `item ${++made}`, type: 'native-token-balance' }),
  ({ ask }) =>
    ask('dev_addFunctionOverride', {
      contractAddress: holder,
      functionAbi: 'function f() view returns (uint256)',
      returnValues: ['1'],
    }),
  ({ ask }) => ask('dev_followAccount', payee),
  ({ ask }) => ask('mock_wipeLocalState'),
  ({ ask }) => ask('dev_impersonateAccount', holder),
]

/** Of one connection. */
export const writesAndReads: readonly Act[] = [...reads, ...writes]

/** Requests that would take a minute. */
const long: readonly Act[] = [
  ({ ask }) => ask('eth_call', { to: holder, gas: '0xffffffffff' }, 'latest', endless),
  ({ ask }) => ask('debug_traceCall', { to: counting, gas: '0xffffff' }, 'latest', { tracer }),
  ({ ask }) => ask('debug_traceCall', { to: counting, gas: '0xffffff' }, 'latest', {}),
  ({ ask }) => ask('eth_estimateGas', { to: holder, gas: '0xffffffffff' }, 'latest', endless),
  ({ ask }) =>
    ask('eth_simulateV1', { blockStateCalls: [{ stateOverrides: endless, calls: [{ to: holder }] }] }, 'latest'),
  ({ ask }) => ask('anvil_mine', numberToHex(50_000)),
]

const sessions: readonly Act[] = [
  async ({ ask }) => {
    const { id } = (await ask('dev_debugOpen', { to: counting, gas: '0xfffff' })) as { id: string }
    for (const way of ['end', 'write', 'over']) await ask('dev_debugStep', id, way, way === 'write')
    await ask('dev_debugVariables', id)
    await ask('dev_debugClose', id)
  },
]

/** Makes branches of the network or branch. */
const children: readonly Act[] = [
  async ({ ask }) => {
    const name = `child-${++made}`
    await ask('dev_createBranch', { name })
    // Most are removed again, so that there is room; some are made to stay.
    if (made % 4 > 0) await ask('dev_removeBranch', name)
  },
  async ({ ask }) => {
    const { id } = (await ask('dev_createBranch', {})) as { id: string }
    await ask('dev_compareBranches', id)
    await ask('dev_promoteBranch', id)
    await ask('dev_removeBranch', id)
  },
]

const pages: readonly Act[] = [
  async ({ ask }) => {
    const { id } = (await ask('dev_openWalletRequest', 'http://localhost', 'eth_requestAccounts', [])) as { id: string }
    await ask('dev_getWalletRequest', id)
    await ask('dev_answerWalletRequest', id, true, sender)
  },
]

const topics = ['newHeads', 'logs', 'newPendingTransactions', 'transactionReceipts', 'dev_changes', 'dev_network']
const subscriptions: readonly Act[] = [
  ({ ask }, random) => ask('eth_subscribe', random.pick(topics)),
  ({ ask }) => ask('eth_newBlockFilter'),
]

const tools: readonly Act[] = [
  ({ ask }) => ask('describe_network'),
  ({ ask }, random) => ask('set_balance', { account: holder, amount: `${random.integer(1, 1e6)} ETH` }),
]

/** Acts until the network is gone, and then some more, as clients do that notice nothing. The network closes its connection. */
export async function use(journal: Journal, caller: Caller, acts: readonly Act[], random: Random): Promise<void> {
  let told = 0
  while (!journal.isOver && !caller.isClosed() && told < 4) {
    try {
      await random.pick(acts)(caller, random)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      if (journal.isGone(error.ending) || error.ending === 'cut off') told++
      if (error.ending === 'not answered') break
    }
  }
}

/** Connects by WebSocket, asks once and leaves, until it is refused. */
async function comeAndGo(journal: Journal, url: string): Promise<void> {
  while (!journal.isOver) {
    const caller = await callByWebSocket(journal, 'comes and goes', url).catch(() => undefined)
    if (!caller) return
    await caller.ask('eth_chainId').catch(() => {})
    caller.leave()
  }
}

/** Starts every kind of user at a URL. They have connected when it resolves; `done` resolves when all have ended. */
export async function startUsers(journal: Journal, url: string, random: Random): Promise<{ done: Promise<unknown> }> {
  const http = (user: string) => callByHttp(journal, user, url)
  const webSocket = (user: string) => callByWebSocket(journal, user, url)
  const running = [
    use(journal, http('reads'), reads, random),
    use(journal, http('writes'), writes, random),
    use(journal, http('writes, too'), writes, random),
    use(journal, http('waits long'), long, random),
    use(journal, http('debugs'), sessions, random),
    use(journal, http('makes branches'), children, random),
    use(journal, http('is a page'), pages, random),
    comeAndGo(journal, url),
    use(journal, callByMcp(journal, 'is an agent', url), tools, random),
    use(journal, await webSocket('reads by WebSocket'), reads, random),
    use(journal, await webSocket('waits long by WebSocket'), long, random),
    use(journal, await webSocket('does all by WebSocket'), [...writesAndReads, ...sessions, ...children], random),
    use(journal, await webSocket('subscribes'), [...subscriptions, ...reads], random),
  ]
  // Asks many things at once on one connection.
  const busy = await webSocket('does much at once')
  for (let count = 0; count < 8; count++) running.push(use(journal, busy, writesAndReads, random))
  const idle = await webSocket('only listens')
  await idle.ask('eth_subscribe', 'newHeads')
  return { done: Promise.all(running) }
}
