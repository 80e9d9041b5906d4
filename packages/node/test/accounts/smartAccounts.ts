import { connectClient, deploySmartAccounts, type SmartAccountContracts, startAnvil } from '@understudy/testkit'
import { createSmartAccountClient } from 'permissionless'
import { toSimpleSmartAccount } from 'permissionless/accounts'
import { createPublicClient, http, parseEther } from 'viem'
import {
  createPaymasterClient,
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { TestNetwork } from '../startNetwork.ts'

export const versions = ['0.6', '0.7', '0.8'] as const
export type Version = (typeof versions)[number]

export const entryPointOf = {
  '0.6': entryPoint06Address,
  '0.7': entryPoint07Address,
  '0.8': entryPoint08Address,
} as const

/** An anvil with the contracts of ERC-4337. */
export async function startChainWithAccounts() {
  const anvil = await startAnvil({ chainId: 1 })
  return { anvil, contracts: await deploySmartAccounts(await connectClient(anvil.url)) }
}

export type Target = Pick<TestNetwork, 'url' | 'client'>

export const publicClient = ({ url, client }: Target) =>
  createPublicClient({ chain: client.chain, transport: http(url, { retryCount: 0 }), pollingInterval: 20 })

/** A new account of SimpleAccount, as permissionless.js's documentation sets it up; its first operation deploys it. */
export async function simpleAccount(
  target: Target,
  contracts: SmartAccountContracts,
  version: Version,
  isSponsored = false,
) {
  const client = publicClient(target)
  const account = await toSimpleSmartAccount({
    client,
    owner: privateKeyToAccount(generatePrivateKey()),
    entryPoint: { address: entryPointOf[version], version },
    factoryAddress: contracts[version].factory,
  } as Parameters<typeof toSimpleSmartAccount>[0])
  if (!isSponsored) await target.client.setBalance({ address: account.address, value: parseEther('10') })
  return createSmartAccountClient({
    account,
    client,
    chain: client.chain,
    bundlerTransport: http(target.url, { retryCount: 0 }),
    pollingInterval: 20,
    ...(isSponsored && { paymaster: createPaymasterClient({ transport: http(target.url, { retryCount: 0 }) }) }),
  })
}
