import type { Anvil, SmartAccountContracts } from '@understudy/testkit'
import { type Address, type Hex, http, parseEther, zeroHash } from 'viem'
import {
  createBundlerClient,
  createPaymasterClient,
  formatUserOperationRequest,
  toSimple7702SmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { entryPointOf, publicClient, simpleAccount, startChainWithAccounts, versions } from './smartAccounts.ts'

let anvil: Anvil
let contracts: SmartAccountContracts
let network: TestNetwork

beforeAll(async () => {
  ;({ anvil, contracts } = await startChainWithAccounts())
  network = await startNetwork({ forkUrls: [anvil.url], chainId: 73_571n })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const recipient: Address = '0x00000000000000000000000000000000000a11ce'
const calls = [{ to: recipient, value: 5n }]

describe.each(versions)('entry point %s', (version) => {
  it('runs operations of an account that the first one deploys', async () => {
    const { account, ...client } = await simpleAccount(network, contracts, version)
    const before = await network.client.getBalance({ address: recipient })
    const hashes = [await client.sendUserOperation({ calls }), await client.sendUserOperation({ calls })]
    const [first, second] = await Promise.all(hashes.map((hash) => client.waitForUserOperationReceipt({ hash })))
    expect(first).toMatchObject({ success: true, sender: account.address.toLowerCase(), userOpHash: hashes[0] })
    expect(second).toMatchObject({
      success: true,
      entryPoint: entryPointOf[version].toLowerCase(),
      userOpHash: hashes[1],
    })
    expect(await network.client.getBalance({ address: recipient })).toBe(before + 10n)

    const found = await client.getUserOperation({ hash: hashes[0] as Hex })
    expect(found).toMatchObject({
      entryPoint: entryPointOf[version].toLowerCase(),
      transactionHash: first?.receipt.transactionHash,
      blockNumber: first?.receipt.blockNumber,
      userOperation: { sender: account.address.toLowerCase(), signature: expect.stringMatching(/^0x[\da-f]{130}$/) },
    })
  })

  it('lets the paymaster of the network pay', async () => {
    const { account, ...client } = await simpleAccount(network, contracts, version, true)
    const hash = await client.sendUserOperation({ calls: [{ to: recipient, value: 0n }] })
    const receipt = await client.getUserOperationReceipt({ hash })
    expect(receipt).toMatchObject({ success: true, paymaster: '0x4337000000000000000000000000000000007677' })
    expect(await network.client.getBalance({ address: account.address })).toBe(0n)
  })

  it('names the code of ERC-4337 for what the entry point refuses', async () => {
    const { account, ...client } = await simpleAccount(network, contracts, version)
    const prepared = await client.prepareUserOperation({ calls })
    const send = async (changes: object, signature?: Hex) => {
      const changed = { ...prepared, ...changes } as unknown as UserOperation
      const signed = { ...changed, signature: signature ?? (await account.signUserOperation(changed as never)) }
      const error = await network
        .rpc('eth_sendUserOperation', formatUserOperationRequest(signed), entryPointOf[version])
        .then(
          () => undefined,
          ({ cause }) => cause,
        )
      return error && { code: error.code, message: error.message }
    }
    const other = privateKeyToAccount(generatePrivateKey())
    const foreign = await other.signMessage({ message: { raw: zeroHash } })
    expect(await send({}, foreign)).toMatchObject({ code: -32507, message: expect.stringContaining('AA24') })
    expect(await send({ nonce: prepared.nonce + 1n })).toMatchObject({
      code: -32500,
      message: expect.stringContaining('AA25'),
    })
    expect(await send({ maxFeePerGas: 1n })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/params\[0\]\.maxFeePerGas: is 1, below the base fee/),
    })
    expect(await send({ callGasLimit: 2n ** 40n })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/params\[0\]\.callGasLimit: makes a transaction of/),
    })
    await network.client.setBalance({ address: account.address, value: 0n })
    expect(await send({})).toMatchObject({ code: -32500, message: expect.stringContaining('AA21') })
  })

  it('says why the call of an operation reverts', async () => {
    const { account: _, ...client } = await simpleAccount(network, contracts, version)
    const impossible = [{ to: recipient, value: parseEther('1000') }]
    await expect(client.estimateUserOperationGas({ calls: impossible })).rejects.toMatchObject({
      details: expect.stringContaining('the call of the user operation reverts'),
    })
  })
})

/** An account of EIP-7702 that has not delegated yet, and a bundler client whose operations the network's paymaster pays. */
async function account7702() {
  const client = publicClient(network)
  const owner = privateKeyToAccount(generatePrivateKey())
  const account = await toSimple7702SmartAccount({ client, owner })
  const transport = http(network.url, { retryCount: 0 })
  const bundler = createBundlerClient({ account, client, transport, paymaster: createPaymasterClient({ transport }) })
  return { client, owner, account, bundler }
}

it('runs operations of an account of EIP-7702, which viem delegates', async () => {
  const { client, owner, account, bundler } = await account7702()
  const authorization = await owner.signAuthorization({
    address: account.authorization.address,
    chainId: 73_571,
    nonce: 0,
  })
  const first = await bundler.sendUserOperation({ calls: [{ to: recipient }], authorization })
  expect(await bundler.getUserOperationReceipt({ hash: first })).toMatchObject({ success: true })
  expect(await client.getCode({ address: owner.address })).toBe(
    `0xef0100${account.authorization.address.slice(2).toLowerCase()}`,
  )
  expect((await bundler.getUserOperation({ hash: first })).userOperation).toMatchObject({
    factory: '0x7702000000000000000000000000000000000000',
    eip7702Auth: { nonce: '0x0' },
  })
  const second = await bundler.sendUserOperation({ calls: [{ to: recipient }, { to: recipient }] })
  expect(await bundler.getUserOperationReceipt({ hash: second })).toMatchObject({ success: true })
})

it('says that an account delegates to what has no code here', async () => {
  const { owner, bundler } = await account7702()
  const authorization = await owner.signAuthorization({ address: recipient, chainId: 73_571, nonce: 0 })
  await expect(bundler.sendUserOperation({ calls: [{ to: recipient }], authorization })).rejects.toMatchObject({
    details: expect.stringContaining(`delegates to ${recipient}, which has no code`),
  })
})

it('keeps operations that wait for a block, and finds all after a restart', async () => {
  await network.rpc('dev_setMiningMode', 'manual')
  const { account: _, ...client } = await simpleAccount(network, contracts, '0.7', true)
  const hash = await client.sendUserOperation({ calls: [{ to: recipient }] })
  expect(await client.getUserOperation({ hash })).toMatchObject({ blockHash: null, blockNumber: null })
  expect(await network.rpc('eth_getUserOperationReceipt', hash)).toBeNull()
  await network.rpc('evm_mine')
  expect(await client.getUserOperationReceipt({ hash })).toMatchObject({ success: true })
  await network.rpc('dev_setMiningMode', 'instant')
  await network.restart()
  expect(await network.rpc('eth_getUserOperationReceipt', hash)).toMatchObject({ success: true })
  expect(await network.rpc('eth_getUserOperationByHash', hash)).toMatchObject({
    entryPoint: entryPointOf['0.7'].toLowerCase(),
  })
})

it('says what to do where there is no entry point', async () => {
  const empty = await startNetwork()
  try {
    expect(await empty.rpc('eth_supportedEntryPoints')).toEqual([])
    expect(await network.rpc('eth_supportedEntryPoints')).toEqual(
      [...versions].reverse().map((version) => entryPointOf[version].toLowerCase()),
    )
    const operation = { sender: recipient, nonce: '0x0' }
    const refused = (target: TestNetwork, address: Address) =>
      target.rpc('eth_estimateUserOperationGas', operation, address).catch(({ cause }) => cause.message)
    expect(await refused(empty, entryPointOf['0.8'])).toContain('deploy it as docs/smart-accounts.md describes')
    expect(await refused(network, recipient)).toContain('expected a supported entry point')
  } finally {
    await empty.stop()
  }
})
