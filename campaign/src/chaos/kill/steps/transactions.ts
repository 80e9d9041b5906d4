import { artifacts } from '@understudy/testkit'
import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  pad,
} from 'viem'
import { quantity, type Rpc, type RpcReceipt } from '../rpc.ts'
import { madeUpAddress, type Step, send, sign } from '../worker.ts'

const { abi } = artifacts.PlainToken
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const statusOf = async (rpc: Rpc, hash: Hex) =>
  (await rpc<RpcReceipt | null>('eth_getTransactionReceipt', hash))?.status ?? null

/** The transactions in which an address appears, by the index of calls. */
async function appearances(rpc: Rpc, address: Address): Promise<Hex[]> {
  const { txs } = await rpc<{ txs: { hash: Hex }[] }>('ots_searchTransactionsAfter', address, '0x0', 25)
  return txs.map(({ hash }) => hash)
}

/** Pays an empty account. */
export const pay: Step = async (worker) => {
  const to = worker.freshAddress()
  const value = BigInt(1 + worker.random.below(1_000_000))
  const signed = await sign(worker, { to, value, gas: 21_000n })
  const read = async (rpc: Rpc) => ({
    status: await statusOf(rpc, signed.hash),
    balance: await rpc('eth_getBalance', to, 'latest'),
    appears: await appearances(rpc, to),
  })
  const key = `payment ${signed.hash}`
  worker.register.know<unknown>(key, read, { status: null, balance: '0x0', appears: [] })
  const after = { status: '0x1', balance: quantity(value), appears: [signed.hash] }
  await worker.register.change(key, after, () => send(worker, signed))
}

/** Moves tokens of the live chain: a log and a transfer come with it. */
export const transferTokens: Step = async (worker) => {
  const { token } = worker.live
  const to = worker.freshAddress()
  const amount = BigInt(1 + worker.random.below(1_000_000))
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })
  const signed = await sign(worker, { to: token, data })
  const read = async (rpc: Rpc) => {
    const topics = [transferTopic, null, pad(to)]
    const logs = await rpc<{ transactionHash: Hex }[]>('eth_getLogs', { address: token, topics, fromBlock: '0x0' })
    return {
      status: await statusOf(rpc, signed.hash),
      balance: await tokenBalance(rpc, token, to),
      logs: logs.map(({ transactionHash }) => transactionHash),
    }
  }
  const key = `token transfer ${signed.hash}`
  worker.register.know<unknown>(key, read, { status: null, balance: '0', logs: [] })
  const after = { status: '0x1', balance: amount.toString(), logs: [signed.hash] }
  await worker.register.change(key, after, () => send(worker, signed))
}

/** As decimal text. */
export async function tokenBalance(rpc: Rpc, token: Address, holder: Address): Promise<string> {
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [holder] })
  const answer = await rpc<Hex>('eth_call', { to: token, data }, 'latest')
  return decodeFunctionResult({ abi, functionName: 'balanceOf', data: answer }).toString()
}

/** Creates a contract: code, storage and creator are one fact. */
export const create: Step = async (worker) => {
  const start = BigInt(worker.random.below(1_000_000))
  const data = encodeDeployData({ ...artifacts.Counter, args: [start] })
  const address = getContractAddress({ from: worker.account.address, nonce: BigInt(worker.nonce) })
  const signed = await sign(worker, { data })
  const read = async (rpc: Rpc) => {
    const status = await statusOf(rpc, signed.hash)
    // Another transaction with the same nonce creates at the same address.
    if (status === null) return { status }
    const creator = await rpc<{ hash: Hex } | null>('ots_getContractCreator', address)
    return {
      status,
      hasCode: (await rpc('eth_getCode', address, 'latest')) !== '0x',
      start: BigInt(await rpc<Hex>('eth_getStorageAt', address, '0x0', 'latest')).toString(),
      creator: creator?.hash ?? null,
    }
  }
  const key = `creation ${signed.hash}`
  worker.register.know<unknown>(key, read, { status: null })
  const after = { status: '0x1', hasCode: true, start: start.toString(), creator: signed.hash }
  await worker.register.change(key, after, () => send(worker, signed))
}

/** Sends a transaction with a nonce gap: it stays in the pool. */
export const queue: Step = async (worker) => {
  const signed = await sign(worker, { to: worker.freshAddress(), nonce: 1_000_000 + worker.random.below(1_000_000) })
  const key = `waiting ${signed.hash}`
  worker.register.know<boolean>(
    key,
    async (rpc) => (await rpc('eth_getTransactionByHash', signed.hash)) !== null,
    false,
  )
  await worker.register.change(key, true, () => send(worker, signed))
}

/** Sends from an impersonated account. */
export const sendImpersonated: Step = async (worker) => {
  const { rpc, register } = worker
  const from = madeUpAddress(`${worker.name} impersonated`)
  const key = `impersonated ${from}`
  const to = madeUpAddress(`${worker.name} paid by impersonated`)
  const read = async (rpc: Rpc) => {
    const listed = await rpc<Address[]>('dev_getImpersonatedAccounts')
    return {
      isListed: listed.includes(from),
      nonce: Number(await rpc('eth_getTransactionCount', from, 'latest')),
      paid: Number(await rpc('eth_getBalance', to, 'latest')),
    }
  }
  type Known = Awaited<ReturnType<typeof read>>
  if (!register.value(key)) {
    await rpc('dev_setBalance', from, (10n ** 30n).toString())
    register.know(key, read, await read(rpc))
  }
  const known = register.value<Known>(key)
  if (!known) return
  if (!known.isListed)
    await register.change(key, { ...known, isListed: true }, () => rpc('dev_impersonateAccount', from))
  else if (worker.random.below(4) === 0)
    await register.change(key, { ...known, isListed: false }, () => rpc('dev_stopImpersonatingAccount', from))
  else
    await register.change(key, { ...known, nonce: known.nonce + 1, paid: known.paid + 1 }, () =>
      rpc('eth_sendTransaction', { from, to, value: '0x1', gas: '0x5208' }),
    )
}
