import { formatEther, type Transaction } from 'viem'

type Sent = Pick<Transaction, 'from' | 'to' | 'value' | 'input' | 'gas'>

/** A transaction as a command of Foundry that sends it again. The network impersonates the sender. */
export function castCommand({ from, to, value, input, gas }: Sent, url: string): string {
  const target = to === null ? `--create ${input}` : `${to}${input === '0x' ? '' : ` ${input}`}`
  return `cast send --rpc-url ${url} --unlocked --from ${from} --gas-limit ${gas}${value > 0n ? ` --value ${value}` : ''} ${target}`
}

/** A transaction as a script for viem that sends it again. */
export function viemScript({ from, to, value, input, gas }: Sent, url: string): string {
  const fields = [
    `  account: '${from}',`,
    ...(to === null ? [] : [`  to: '${to}',`]),
    ...(value > 0n ? [`  value: ${value}n, // ${formatEther(value)}`] : []),
    ...(input === '0x' ? [] : [`  data: '${input}',`]),
    `  gas: ${gas}n,`,
  ]
  return `import { createTestClient, http, publicActions, walletActions } from 'viem'

const client = createTestClient({ mode: 'anvil', transport: http('${url}') }).extend(publicActions).extend(walletActions)
await client.impersonateAccount({ address: '${from}' })
const hash = await client.sendTransaction({
  chain: null,
${fields.join('\n')}
})
console.log(await client.waitForTransactionReceipt({ hash }))
`
}
