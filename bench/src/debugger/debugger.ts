import { createRequire } from 'node:module'
import { type LineTable, lineTableOf } from '@understudy/client/artifacts'
import { connectClient, postJsonRpc } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median } from '../times.ts'
import { lineOf, path, source } from './source.ts'

type Code = { object: string; sourceMap: string }
type Compiled = { abi: Abi; storageLayout: object; evm: { bytecode: Code; deployedBytecode: Code } }
type Output = { contracts: Record<string, Record<string, Compiled>> }

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }

const gas = 30_000_000n
/** Positions of the run that it jumps to, and sessions that are opened. */
const positions = 12
const sessions = 5

const file = (name: string) => ({ lines: [{ file: path, line: lineOf(name) }] })
/** What is asked for at each position, in this order. */
const moves: readonly { name: string; to: unknown; isBack?: boolean }[] = [
  { name: 'in', to: 'in' },
  { name: 'in, back', to: 'in', isBack: true },
  { name: 'over', to: 'over' },
  { name: 'over, back', to: 'over', isBack: true },
  { name: 'to a line', to: file('hashes') },
  { name: 'out', to: 'out' },
  { name: 'to a line, back', to: file('halves'), isBack: true },
  { name: 'out, back', to: 'out', isBack: true },
  { name: 'to a write', to: 'write' },
  { name: 'to a write, back', to: 'write', isBack: true },
  { name: 'one operation', to: 'opcode' },
]

/** Prints how long it takes to open a debug session of 30 million gas, and to move in it, as a client sees it over HTTP. */
export async function run(): Promise<void> {
  const network = await startUnderstudy(['--call-timeout', '60'])
  try {
    const { url } = network
    const call = await prepareCall(url)
    const opened: number[] = []
    const times = new Map<string, number[]>()
    const timed = async <T>(name: string, method: string, params: unknown[]): Promise<T> => {
      const begun = performance.now()
      const result = await postJsonRpc<T>(url, method, params)
      const known = times.get(name) ?? []
      known.push((performance.now() - begun) * 1000)
      times.set(name, known)
      return result
    }
    let steps = 0
    for (let session = 0; session < sessions; session++) {
      const begun = performance.now()
      const { id, steps: count } = await postJsonRpc<{ id: string; steps: number }>(url, 'dev_debugOpen', [call])
      opened.push((performance.now() - begun) * 1000)
      steps = count
      for (let position = 0; position < positions; position++) {
        const step = Math.floor((steps * (position + session / sessions)) / positions)
        await timed('to an operation', 'dev_debugStep', [id, { step }])
        for (const { name, to, isBack } of moves) await timed(name, 'dev_debugStep', [id, to, isBack ?? false])
        await timed('variables', 'dev_debugVariables', [id, { level: 0 }])
      }
      await postJsonRpc(url, 'dev_debugClose', [id])
    }
    console.log(`A call of ${gas} gas and ${steps} operations; ${sessions} sessions, ${positions} positions in each\n`)
    console.log('| request | median | worst |')
    console.log('|---|---|---|')
    for (const [name, values] of [['open', opened] as const, ...times])
      console.log(`| ${name} | ${formatDuration(median(values))} | ${formatDuration(Math.max(...values))} |`)
  } finally {
    await network.stop()
  }
}

/** Imports the contract and deploys it. The call uses up its gas: transactions may not have as much by the newest rules. */
async function prepareCall(url: string): Promise<{ from: Address; to: Address; data: Hex; gas: Hex }> {
  const outputSelection = {
    '*': { '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] },
  }
  const input = { language: 'Solidity', sources: { [path]: { content: source } }, settings: { outputSelection } }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const compiled = Object.entries(output.contracts[path] ?? {})
  const contracts = compiled.map(([name, { abi, storageLayout, evm }]) => ({
    name,
    abi: JSON.stringify(abi),
    bytecode: `0x${evm.deployedBytecode.object}`,
    creationBytecode: `0x${evm.bytecode.object}`,
    sourcePath: path,
    storageLayout,
    lines: linesOf(evm),
  }))
  await postJsonRpc(url, 'dev_importContracts', [{ contracts }])
  const client = await connectClient(url)
  const work = compiled.find(([name]) => name === 'Work')?.[1]
  if (!work) throw new Error('The contract was not compiled')
  const { abi } = work
  const bytecode: Hex = `0x${work.evm.bytecode.object}`
  const hash = await client.deployContract({ abi, bytecode })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed')
  const data = encodeFunctionData({ abi, functionName: 'work' })
  return { from: client.account.address, to: contractAddress, data, gas: numberToHex(gas) }
}

const linesOf = ({ bytecode, deployedBytecode }: Compiled['evm']): LineTable | undefined =>
  lineTableOf(
    { runtime: deployedBytecode.sourceMap, creation: bytecode.sourceMap },
    new Map([[0, { path, content: source }]]),
  )
