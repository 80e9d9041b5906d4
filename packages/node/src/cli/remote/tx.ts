import { given, weiFrom } from './arguments.ts'
import type { CommandGroup } from './command.ts'
import type { RemoteNetwork } from './network.ts'
import { RemoteError } from './network.ts'

export const tx: CommandGroup = {
  name: 'tx',
  summary: 'send and inspect transactions',
  commands: [
    {
      usage: 'send <to>',
      summary: 'send a transaction of a funded or impersonated account',
      options: [
        ['--from <ADDRESS>', 'the sender (default: the first funded account)'],
        ['--value <AMOUNT>', 'in wei or with a unit: 1.5ether'],
        ['--data <HEX>', 'call data as 0x-hex'],
        ['--gas <N>', 'gas limit (default: estimated)'],
      ],
      examples: [
        'understudy tx send 0x7099… --value 1ether',
        'understudy tx send 0xa0b8… --from 0xd8da… --data 0xa905…',
      ],
      async run(network, [to], { from, value, data, gas }) {
        const [first] = from === undefined ? await network.call<string[]>('eth_accounts') : [String(from)]
        const request = given({
          from: first,
          to,
          value: value === undefined ? undefined : `0x${BigInt(weiFrom(String(value))).toString(16)}`,
          data,
          gas: gas === undefined ? undefined : `0x${BigInt(String(gas)).toString(16)}`,
        })
        const hash = await network.call<string>('eth_sendTransaction', [request])
        return describe(network, hash)
      },
    },
    {
      usage: 'show <hash>',
      summary: 'print a transaction and its receipt',
      run: (network, [hash]) => describe(network, String(hash)),
    },
    {
      usage: 'drop [hash]',
      summary: 'remove a transaction from the pool, or all of them',
      run: async (network, [hash]) =>
        hash === undefined
          ? network.call('anvil_dropAllTransactions')
          : { dropped: (await network.call('anvil_dropTransaction', [hash])) !== null },
    },
  ],
}

type Transaction = { from: string; to: string | null; value: string; nonce: string; input: string }
type Receipt = { blockNumber: string; status: string; gasUsed: string; contractAddress: string | null; logs: unknown[] }

async function describe(network: RemoteNetwork, hash: string) {
  const transaction = await network.call<Transaction | null>('eth_getTransactionByHash', [hash])
  if (!transaction) throw new RemoteError(`no transaction has the hash ${hash}`)
  const receipt = await network.call<Receipt | null>('eth_getTransactionReceipt', [hash])
  const { from, to, value, nonce, input } = transaction
  return {
    hash,
    status: receipt === null ? 'pending' : receipt.status === '0x1' ? 'success' : 'failed',
    block: receipt ? Number(receipt.blockNumber) : null,
    from,
    to,
    value: BigInt(value).toString(),
    nonce: Number(nonce),
    input,
    ...(receipt && {
      gasUsed: Number(receipt.gasUsed),
      contract: receipt.contractAddress,
      logs: receipt.logs.length,
      ...(await loadConsole(network, hash)),
      ...(receipt.status === '0x0' && { stack: await loadStack(network, hash) }),
    }),
  }
}

/** What its contracts logged with `console.log`, if they did. */
async function loadConsole(network: RemoteNetwork, hash: string): Promise<{ console?: string[] }> {
  const logs = await network.call('dev_getConsoleLogs', [hash])
  return logs.length > 0 ? { console: logs.map(({ text }) => text) } : {}
}

/** Where it failed, innermost first. */
async function loadStack(network: RemoteNetwork, hash: string): Promise<string[]> {
  const entries = await network.call('dev_getStackTrace', [hash])
  return entries.map(({ file, line, function: name, contract, address, message }) => {
    const location = file === null ? address : `${file}:${line}`
    const reason = message === null ? '' : `${message}, `
    return `${reason}at ${name ?? contract ?? 'unknown code'} (${location})`
  })
}
