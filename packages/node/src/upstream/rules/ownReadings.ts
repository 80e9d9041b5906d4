import {
  type Account,
  type Address,
  type BlockContext,
  keccak256Hex,
  type Message,
  type StateView,
} from '@understudy/evm'
import { measuredAuthorizations } from '../../ethereum/chains/prices/authorizations.ts'
import { measuredAccounts, measuredTransactions } from '../../ethereum/chains/prices/measures.ts'
import {
  collectingCall,
  creatingCall,
  dataCall,
  type MeasuredCall,
  type Readings,
  readingsOf,
  transactionGas,
} from '../../ethereum/chains/prices/readings.ts'
import { sender } from '../../ethereum/chains/prices/shown.ts'
import { zeroAddress } from '../../ethereum/constants.ts'
import type { Engine } from '../../shared/engine.ts'
import { bytesFromHex, hexFromBytes, wordFromBigint } from '../../shared/hex.ts'

/** By what the measures run here. */
export type MeasuringRules = Pick<BlockContext, 'fork' | 'precompiles' | 'prices'>

/** Takes the measures here, on the accounts that they have everywhere, by other rules. */
export async function ownReadings(engine: Pick<Engine, 'run'>, rules: MeasuringRules): Promise<Readings> {
  const block: BlockContext = {
    ...rules,
    chainId: 1n,
    number: 1n,
    timestamp: 1n,
    coinbase: zeroAddress,
    gasLimit: 30_000_000n,
    baseFee: 0n,
    prevRandao: 0n,
    blobBaseFee: 1n,
  }
  const run = async (message: Partial<Message>, gas: number) => {
    const whole = {
      from: sender,
      to: undefined,
      value: 0n,
      data: new Uint8Array(),
      gasLimit: BigInt(gas),
      gasPrice: 0n,
    }
    const result = await engine.run({ ...whole, ...message }, block, view, { kind: 'call' })
    return result.type === 'done' && result.status === 'success' ? result : undefined
  }
  const call = async ({ to, data, gas }: MeasuredCall) => {
    const result = await run({ to, data: bytesFromHex(data) }, gas)
    return result && hexFromBytes(result.output)
  }
  const sent: (bigint | undefined)[] = []
  for (const transaction of [...measuredTransactions, ...measuredAuthorizations]) {
    const { to, value = 0n, data = '0x', accessList, authorizationList } = transaction
    const lists = { ...(accessList && { accessList }), ...(authorizationList && { authorizationList }) }
    sent.push((await run({ to, value, data: bytesFromHex(data), ...lists }, transactionGas))?.gasUsed)
  }
  const [used, authorized] = [sent.slice(0, measuredTransactions.length), sent.slice(measuredTransactions.length)]
  const [collected, data, created] = [await call(collectingCall), await call(dataCall), await call(creatingCall)]
  return readingsOf({ collected, data, created, used, authorized })
}

const accountOf = (balance: bigint, code: Uint8Array, nonce = 0n): Account => ({
  balance,
  nonce,
  codeHash: keccak256Hex(code),
})

type ViewedAccount = { account: Account; code: Uint8Array; slots: ReadonlyMap<string, bigint> }

const createView = (): StateView => {
  let accounts: Map<Address, ViewedAccount> | undefined
  const load = () =>
    new Map(
      [...measuredAccounts].map(
        ([address, { code = '0x', balance = 0n, nonce, slots = [] }]): [Address, ViewedAccount] => {
          const bytes = bytesFromHex(code)
          const values = new Map([...slots].map(([slot, value]) => [wordFromBigint(slot), value]))
          return [address, { account: accountOf(balance, bytes, nonce), code: bytes, slots: values }]
        },
      ),
    )
  const find = (address: Address) => {
    accounts ??= load()
    return accounts.get(address)
  }
  const none = new Uint8Array()
  return {
    identity: {},
    account: (address) => find(address)?.account ?? accountOf(0n, none),
    code: (address) => find(address)?.code ?? none,
    storage: (address, slot) => find(address)?.slots.get(slot) ?? 0n,
    blockHash: () => wordFromBigint(0n),
  }
}

/** Every other account is empty. */
const view = createView()
