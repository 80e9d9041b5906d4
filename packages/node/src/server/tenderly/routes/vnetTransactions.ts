import type { Result } from '@understudy/client/methods'
import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import { optional } from '../../../rpc/codecs/optional.ts'
import { MethodError } from '../../../rpc/dispatch/methodCalls.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { decodeFields, pageFrom, VnetBlock } from '../fields.ts'
import { projectPath, type RestNetwork, type RestRoute } from '../route.ts'
import { simulationBody } from '../simulations/request.ts'
import { uuidOf } from '../vnet.ts'
import { requireVnet, type VnetSource } from '../vnetSources.ts'
import { run as runSimulations } from './simulations.ts'

type Listed = Result<'dev_getTransactions'>['items'][number]

/** Fields of a transaction, and of its receipt, as `eth_getTransactionByHash` returns them. */
type Fields = Readonly<Record<string, unknown>>

const path = `${projectPath}/vnets/:vnet/transactions`

/** The most pages that are counted off to reach one. */
const pageLimit = 100
/** What one transaction may use since Osaka (EIP-7825). */
const gasOfTransaction = 16_777_216n

const Sent = z.looseObject({
  callArgs: z.looseObject({}, { error: 'expected an object with from, to, gas, gasPrice, value and data' }),
  blockNumber: optional(VnetBlock),
  stateOverrides: optional(z.unknown()),
  blockOverrides: optional(z.unknown()),
})

/** `GET …/vnets/{id}/transactions` */
const list: RestRoute = {
  method: 'GET',
  paths: [path],
  role: 'read',
  async answer(request) {
    const { page, perPage } = pageFrom(request.query)
    if (page > pageLimit)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'page',
        problem: `expected at most ${pageLimit}; dev_getTransactions lists older ones, by a cursor`,
      })
    const source = await requireVnet(request)
    const vnet = await source.open()
    let cursor: string | undefined
    for (let passed = 1; passed < page; passed++) {
      const { next } = await vnet.call('dev_getTransactions', {
        limit: perPage,
        ...(cursor !== undefined && { cursor }),
      })
      if (next === null) return []
      cursor = next
    }
    const found = await vnet.call('dev_getTransactions', { limit: perPage, ...(cursor !== undefined && { cursor }) })
    return Promise.all(
      found.items.map(async (item) =>
        encodeTransaction(source, {
          ...listedFacts(item, source),
          fields: await vnet.call<Fields>('eth_getTransactionByHash', item.transactionHash),
        }),
      ),
    )
  },
}

/** `POST …/vnets/{id}/transactions` */
const send: RestRoute = {
  method: 'POST',
  paths: [path],
  role: 'write',
  status: 201,
  async answer(request) {
    const { callArgs, blockNumber = 'latest', stateOverrides, blockOverrides } = decodeFields(Sent, request.body)
    const refuse = (field: string, problem: string) => new NetworkError('INVALID_PARAMS', { field, problem })
    if (blockNumber !== 'latest') throw refuse('blockNumber', 'a transaction is sent to the next block: leave it out')
    if (stateOverrides)
      throw refuse('stateOverrides', 'are of simulations. Set state with tenderly_setStorageAt and its like')
    if (blockOverrides)
      throw refuse('blockOverrides', 'are of simulations. Set the time with tenderly_setNextBlockTimestamp')
    const source = await requireVnet(request)
    const vnet = await source.open()
    const hash = await sendThere(vnet, callFrom(callArgs))
    const fields = await vnet.call<Fields>('eth_getTransactionByHash', hash)
    const receipt = await vnet.call<Fields | null>('eth_getTransactionReceipt', hash)
    const { items } = receipt ? await vnet.call('dev_getTransactions', { limit: 20 }) : { items: [] }
    const item = items.find(({ transactionHash }) => transactionHash === hash)
    return encodeTransaction(source, {
      ...(item ? listedFacts(item, source) : waitingFacts),
      ...{ origin: 'api', rpcMethod: 'eth_sendTransaction', fields },
    })
  },
}

/** `POST …/vnets/{id}/transactions/simulate` */
const simulate: RestRoute = {
  method: 'POST',
  paths: [`${path}/simulate`],
  role: 'read',
  async answer(request) {
    const { callArgs, blockNumber = 'latest', stateOverrides, blockOverrides } = decodeFields(Sent, request.body)
    const { call } = await (await requireVnet(request)).open()
    const overrides = [stateOverrides ?? null, blockOverrides ?? null]
    return call('tenderly_simulateTransaction', callFrom(callArgs), blockNumber, ...overrides)
  },
}

/** `POST …/testnet/{id}/simulate`: a simulation as of the project, on a vnet, whatever chain it names. */
const simulateAsProject: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/testnet/:vnet/simulate`],
  role: 'read',
  async answer(request) {
    const vnet = await (await requireVnet(request)).open()
    const here = { params: request.params, network: vnet, ofChain: async () => vnet }
    const [result] = await runSimulations(here, [simulationBody(request.body)])
    return result
  },
}

/** Transactions of vnets. */
export const vnetTransactionRoutes: readonly RestRoute[] = [list, send, simulate, simulateAsProject]

/** A gas limit of 0 stands for none, and so does `null`. */
function callFrom(callArgs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null && !(name === 'gas' && (value === 0 || value === '' || /^0x0*$/.test(String(value))))
  return Object.fromEntries(Object.entries(callArgs).filter(isGiven))
}

/** One that reverts is sealed as well: without a gas limit, it would be refused by the estimate. */
async function sendThere({ call }: RestNetwork, request: Record<string, unknown>): Promise<Hex> {
  try {
    return await call<Hex>('eth_sendTransaction', request)
  } catch (error) {
    if (!(error instanceof MethodError) || error.kind !== 'EXECUTION_REVERTED' || request.gas !== undefined) throw error
    const { gasLimit } = await call<{ gasLimit: Hex }>('eth_getBlockByNumber', 'latest', false)
    const gas = BigInt(gasLimit) < gasOfTransaction ? BigInt(gasLimit) : gasOfTransaction
    return call<Hex>('eth_sendTransaction', { ...request, gas: `0x${gas.toString(16)}` })
  }
}

type Facts = {
  /** `copy`: of before the vnet began. */
  origin: 'api' | 'rpc' | 'copy'
  /** `null` if it is not known. */
  rpcMethod: string | null
  status: 'success' | 'failed' | 'pending'
  reason: string | null
  createdAt: string | null
  fields: Fields
}

const waitingFacts = { status: 'pending', reason: null, createdAt: null } as const

const listedFacts = (item: Listed, { beganAt }: VnetSource) => ({
  origin: beganAt !== undefined && BigInt(item.blockNumber) <= beganAt ? ('copy' as const) : ('rpc' as const),
  ...{ rpcMethod: null, status: item.status, reason: item.revert?.reason ?? null, createdAt: item.timestamp },
})

/** A transaction as vnets have it. Numbers are 0x-hex, as in JSON-RPC. */
const encodeTransaction = ({ id }: VnetSource, { origin, rpcMethod, status, reason, createdAt, fields }: Facts) => ({
  id: uuidOf(`${id} ${fields.hash}`),
  vnet_id: id,
  ...{ origin, category: 'write', kind: 'blockchain', status, error_reason: reason, rpc_method: rpcMethod },
  created_at: createdAt,
  block_number: fields.blockNumber,
  block_hash: fields.blockHash,
  tx_hash: fields.hash,
  tx_index: fields.transactionIndex,
  ...{ from: fields.from, to: fields.to, input: fields.input, nonce: fields.nonce, value: fields.value },
  ...{ gas: fields.gas, gas_price: fields.gasPrice },
  state_overrides: null,
})
