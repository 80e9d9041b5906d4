import { afterAll, beforeEach, expect, it } from 'vitest'
import { testMnemonic } from '../../src/config/options.ts'
import { createLogger } from '../../src/shared/logger.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

type Warning = { account: string; chainId: unknown; msg: string }
let warnings: Warning[] = []
const logger = createLogger('warn', { write: (line) => void warnings.push(JSON.parse(line)) })

let network: TestNetwork | undefined
beforeEach(() => {
  warnings = []
})
afterAll(() => network?.stop())

async function signOnce(options: { chainId: number; mnemonic: string }): Promise<[number, string][]> {
  await network?.stop()
  network = await startNetwork(options, { logger })
  const { rpc } = network
  const [first, second] = await rpc<string[]>('eth_accounts')
  const transaction = {
    from: first,
    to: second,
    value: '0x1',
    gas: '0x5208',
    nonce: '0x0',
    maxFeePerGas: '0xffffffffff',
  }
  await rpc('eth_sign', first, '0x01')
  await rpc('eth_sign', first, '0x02')
  await rpc('personal_sign', '0x03', first)
  await rpc('eth_signTransaction', transaction)
  await rpc('eth_sendTransaction', { from: second, to: first, value: '0x1' })
  await rpc('eth_signTypedData_v4', first, {
    types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    domain: { chainId: 10 },
    message: { text: 'hello' },
  })
  return warnings.map(({ account, chainId }) => [Number(chainId), account === first ? 'first' : 'second'])
}

it('is warned of where it is valid on a public chain, once for each account and chain', async () => {
  expect(await signOnce({ chainId: 1, mnemonic })).toEqual([
    [1, 'first'],
    [1, 'second'],
    [10, 'first'],
  ])
})

it('is not warned of on a chain id of its own, except for data that names another chain', async () => {
  expect(await signOnce({ chainId: 73571, mnemonic })).toEqual([[10, 'first']])
})

it('is not warned of with the public test accounts', async () => {
  expect(await signOnce({ chainId: 1, mnemonic: testMnemonic })).toEqual([])
})
