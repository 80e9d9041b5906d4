import { artifacts, connectClient, deployContract, postJsonRpc, startAnvil } from '@understudy/testkit'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median } from '../times.ts'
import { repeatTransaction } from './seed.ts'

const blocks = 1000
const perBlock = 100
const rounds = 25
/** Maximum median time of each read, in microseconds. */
const bound = 50_000

type Page = { items: { blockNumber: number }[]; next: string | null }

/** Reads dashboards of a token, and of a wallet that sends it, after 100 000 transactions. Fails when one takes too long. */
export async function run(): Promise<void> {
  const anvil = await startAnvil()
  const first = await startUnderstudy(['--fork-url', anvil.url, '--log-level', 'error'])
  const client = await connectClient(first.url)
  const token = await deployContract(client, artifacts.PlainToken, ['Token', 'TOK', 10n ** 18n])
  const { abi } = artifacts.PlainToken
  const wallet = client.account.address
  await client.writeContract({ address: token, abi, functionName: 'transfer', args: [`0x${'be'.repeat(20)}`, 5n] })
  await postJsonRpc(first.url, 'anvil_mine', [`0x${blocks.toString(16)}`])
  await first.stop({ kept: true })
  repeatTransaction(first.directory, { blocks, perBlock })

  const node = await startUnderstudy(['--fork-url', anvil.url, '--log-level', 'error'], first.directory)
  try {
    const call = <T>(method: string, ...params: unknown[]) => postJsonRpc<T>(node.url, method, params)
    const contract = await call<{ projectContract: { id: string } }>('dev_addWorkspace', {
      name: 'Token',
      address: token,
      abi: JSON.stringify(abi),
    })
    const user = await call<{ wallet: { id: string } }>('dev_addWorkspace', { name: 'Wallet', address: wallet })
    console.log(`${blocks * perBlock} transactions of one wallet with one token; ${rounds} reads each over HTTP`)
    const slow: string[] = []
    for (const [name, id] of [
      ['token', contract.projectContract.id],
      ['wallet', user.wallet.id],
    ] as const) {
      const middle = await call<Page>('dev_getWorkspaceTransactions', id, { toBlock: blocks / 2, limit: 1 })
      const reads: [label: string, what: string, options: object][] = [
        ['overview', 'Overview', {}],
        ['transactions, first page', 'Transactions', {}],
        ['transactions, in the middle', 'Transactions', { cursor: middle.next }],
        ['calls', 'Calls', {}],
        ['calls of a method', 'Calls', { method: '0xa9059cbb' }],
        ['calls that failed (none)', 'Calls', { outcome: 'failed' }],
        ['calls of a method (none)', 'Calls', { method: '0x095ea7b3' }],
        ['events', 'Events', {}],
        ['events of one name', 'Events', { event: 'Transfer' }],
        ['transfers', 'Transfers', {}],
        ['transfers of a token', 'Transfers', { token }],
        ['transfers of a kind (none)', 'Transfers', { kind: 'erc721' }],
        ['assets', 'Assets', {}],
        ['storage', 'Storage', {}],
        ['methods', 'Methods', {}],
        ['history', 'History', {}],
      ]
      for (const [label, what, options] of reads) {
        const times: number[] = []
        for (let round = 0; round < rounds; round++) {
          const start = performance.now()
          await call(`dev_getWorkspace${what}`, id, options)
          times.push((performance.now() - start) * 1000)
        }
        const time = median(times)
        if (time > bound) slow.push(`${name} ${label}`)
        console.log(
          `${name.padEnd(7)}${label.padEnd(30)}${formatDuration(time).padStart(10)}, worst ${formatDuration(Math.max(...times))}`,
        )
      }
    }
    if (slow.length > 0) throw new Error(`took more than ${formatDuration(bound)}: ${slow.join(', ')}`)
  } finally {
    await node.stop()
    await anvil.stop()
  }
}
