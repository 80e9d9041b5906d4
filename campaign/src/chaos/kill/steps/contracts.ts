import type { Address, Hex } from 'viem'
import { quantity, type Rpc } from '../rpc.ts'
import { madeUpAddress, type Step, send, sign } from '../worker.ts'

type Imported = { name: string; projectContractId: string; versions: unknown[]; deployments: { address: Address }[] }

const abi = JSON.stringify([
  { type: 'function', name: 'number', inputs: [], outputs: [{ type: 'uint256', name: '' }], stateMutability: 'view' },
])

/** Unique runtime code: it has the selector of `number()` and returns a unique number. */
const runtimeOf = (number: number): Hex =>
  `0x638381f58a5063${number.toString(16).padStart(8, '0')}60005260206000f3${'5b'.repeat(20)}`

/** Code that deploys it. */
const creationOf = (runtime: Hex): Hex => {
  const size = (runtime.length - 2) / 2
  return `0x60${quantity(size).slice(2).padStart(2, '0')}80600b6000396000f3${runtime.slice(2)}`
}

/** Imports two contracts at once, deploys one of them, and removes both. */
export const importContracts: Step = async (worker) => {
  const { rpc, register, random } = worker
  const number = random.below(2 ** 30)
  const contracts = [number, number + 1].map((it) => ({ name: `contract ${it}`, abi, bytecode: runtimeOf(it) }))
  const list = async (rpc: Rpc) => {
    const all = await rpc<Imported[]>('dev_getImportedContracts')
    return contracts.map(({ name }) => all.find((it) => it.name === name) ?? null)
  }
  const read = async (rpc: Rpc) => (await list(rpc)).map((it) => it && [it.versions.length, it.deployments.length])
  const key = `imports of ${number}`
  register.know<unknown>(key, read, [null, null])
  const [imported, deployed] = [
    [1, 0],
    [1, 1],
  ]
  await register.change(key, [imported, imported], () => rpc('dev_importContracts', { contracts }))
  const signed = await sign(worker, { data: creationOf(runtimeOf(number)) })
  await register.change(key, [deployed, imported], () => send(worker, signed))
  const ids = (await list(rpc)).map((it) => it?.projectContractId)
  await register.change(key, [null, imported], () => rpc('dev_removeImportedContract', ids[0]))
  await register.change(key, [null, null], () => rpc('dev_removeImportedContract', ids[1]))
}

/** Adds and removes the workspace of a wallet. */
export const workspace: Step = async (worker) => {
  const { rpc, register, random } = worker
  const address = madeUpAddress(`${worker.name} workspace ${random.below(3)}`)
  const find = async (rpc: Rpc) =>
    (await rpc<{ id: string; address: Address | null }[]>('dev_getWorkspaces')).filter((it) => it.address === address)
  const key = `workspace of ${address}`
  if (register.value(key) === undefined) register.know(key, async (rpc) => (await find(rpc)).length, 0)
  if (register.value(key) === 0)
    return register.change(key, 1, () => rpc('dev_addWorkspace', { name: 'a wallet', address }))
  const [found] = await find(rpc)
  await register.change(key, 0, () => rpc('dev_removeWorkspace', found?.id))
}
