import { quantity, type Rpc } from '../rpc.ts'
import { madeUpAddress, madeUpWord, type Step, type Worker } from '../worker.ts'
import { tokenBalance } from './transactions.ts'

/** Changes one fact of the state from nothing to a value. */
async function write(
  worker: Worker,
  key: string,
  read: (rpc: Rpc) => Promise<unknown>,
  values: [unknown, unknown],
  request: [string, ...unknown[]],
) {
  worker.register.know(key, read, values[0])
  await worker.register.change(key, values[1], () => worker.rpc(...request))
}

export const setBalance: Step = (worker) => {
  const address = worker.freshAddress()
  const wei = 1 + worker.random.below(1_000_000)
  const read = (rpc: Rpc) => rpc('eth_getBalance', address, 'latest')
  return write(worker, `balance of ${address}`, read, ['0x0', quantity(wei)], ['dev_setBalance', address, String(wei)])
}

/** Adds to the same balance repeatedly: nothing may be added twice. */
export const addBalance: Step = async ({ register, rpc, name }) => {
  const address = madeUpAddress(`${name} added to`)
  const key = `balance added to ${address}`
  const read = async (rpc: Rpc) => Number(await rpc('eth_getBalance', address, 'latest'))
  if (register.value(key) === undefined) register.know(key, read, await read(rpc))
  await register.change(key, Number(register.value(key)) + 7, () => rpc('dev_addBalance', address, '7'))
}

export const setNonce: Step = (worker) => {
  const address = worker.freshAddress()
  const nonce = 1 + worker.random.below(1_000)
  const read = (rpc: Rpc) => rpc('eth_getTransactionCount', address, 'latest')
  return write(worker, `nonce of ${address}`, read, ['0x0', quantity(nonce)], ['dev_setNonce', address, nonce])
}

export const setCode: Step = (worker) => {
  const address = worker.freshAddress()
  const code = `0x60${(10 + worker.random.below(89)).toString()}00`
  const read = (rpc: Rpc) => rpc('eth_getCode', address, 'latest')
  return write(worker, `code of ${address}`, read, ['0x', code], ['dev_setCode', address, code])
}

export const setStorage: Step = (worker) => {
  const address = madeUpAddress(`${worker.name} storage`)
  const slot = madeUpWord(worker.random.below(1_000_000_000))
  const word = madeUpWord(worker.random.below(1_000_000))
  const read = (rpc: Rpc) => rpc('eth_getStorageAt', address, slot, 'latest')
  const before = worker.register.value(`slot ${slot} of ${address}`) ?? madeUpWord(-1)
  return write(worker, `slot ${slot} of ${address}`, read, [before, word], ['dev_setStorageAt', address, slot, word])
}

export const setTokenBalance: Step = (worker) => {
  const { token } = worker.live
  const holder = worker.freshAddress()
  const amount = String(1 + worker.random.below(1_000_000))
  const read = (rpc: Rpc) => tokenBalance(rpc, token, holder)
  return write(worker, `tokens of ${holder}`, read, ['0', amount], ['dev_setERC20Balance', holder, token, amount])
}
