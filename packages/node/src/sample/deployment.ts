import type { Address, Hex } from '@understudy/evm'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  maxUint256,
  parseEther,
  parseUnits,
} from 'viem'
import {
  Collectible,
  ERC20,
  Permit2,
  Pool,
  PriceFeed,
  ProxiedToken,
  Token,
  TokenProxy,
} from '../../generated/sampleContracts/index.js'
import { testMnemonic } from '../config/options.ts'
import { contractAbi } from '../contracts/contractAbi.ts'
import type { LiveContract } from '../contracts/knownContracts.ts'
import { accountsFromMnemonic } from '../ethereum/accounts/accountsFromMnemonic.ts'

/** The seed of the sample chain's accounts; unlike the test accounts, they are not funded on a fork of it. */
export const sampleMnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const addressesOf = (mnemonic: string, count: number) =>
  accountsFromMnemonic(mnemonic, count).map(({ address }) => address.toLowerCase() as Address)

/** The deployer also updates the price and provides liquidity; the trader trades, pays and grants allowances. */
export const [deployer, trader] = addressesOf(sampleMnemonic, 2) as [Address, Address]
/** These accounts receive tokens, so that a wallet with public test accounts is not empty. */
const visitors = addressesOf(testMnemonic, 3)

/** Uniswap's Permit2, at the same address on every chain. */
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** A contract's address follows from its deployer and the number of the deployer's earlier transactions. */
const deployedBy = (nonce: bigint) => getContractAddress({ from: deployer, nonce }).toLowerCase() as Address

/** The addresses of the sample chain's contracts. */
export const sampleContracts = {
  gold: deployedBy(0n),
  dollar: deployedBy(1n),
  pool: deployedBy(2n),
  priceFeed: deployedBy(3n),
  proxyImplementation: deployedBy(4n),
  proxyToken: deployedBy(5n),
  collectible: deployedBy(6n),
  permit2,
} as const

type Name = keyof typeof sampleContracts

/**
 * What is known of them without an explorer. The tokens are left out: they are found to be tokens, and the parameters of the
 * standard's functions have names.
 */
export function liveSampleContracts(): LiveContract[] {
  const artifacts: Partial<Record<Name, { contractName: string; abi: unknown }>> = {
    pool: Pool,
    priceFeed: PriceFeed,
    proxyImplementation: ProxiedToken,
    proxyToken: TokenProxy,
    collectible: Collectible,
    permit2: Permit2,
  }
  return Object.entries(sampleContracts).map(([key, address]) => {
    const artifact = artifacts[key as Name]
    const known = artifact && {
      name: artifact.contractName,
      abi: contractAbi(artifact.abi as Abi),
      source: 'the sample chain',
    }
    return { address, known }
  })
}

/** Code in the genesis state, because no transaction can deploy to its address. */
export const predeployed: readonly { address: Address; code: Hex }[] = [
  { address: permit2, code: Permit2.deployedBytecode },
]

/** For gold and dollars. */
const liquidity = [parseEther('10000'), parseEther('20000000')] as const

type Step = { from: Address; to?: Address; data: Hex }

const { gold, dollar, pool, proxyImplementation, proxyToken } = sampleContracts
const deploy = (data: Hex): Step => ({ from: deployer, data })
const erc20 = (
  from: Address,
  to: Address,
  functionName: 'approve' | 'transfer',
  who: Address,
  amount: bigint,
): Step => ({
  from,
  to,
  data: encodeFunctionData({ abi: ERC20.abi, functionName, args: [who, amount] }),
})

/** The set-up transactions, in order. The first ones are deployments, whose order determines the addresses above. */
export const deploymentSteps: readonly Step[] = [
  deploy(encodeDeployData({ ...Token, args: ['Sample Gold', 'GOLD', 18, parseEther('1000000')] })),
  deploy(encodeDeployData({ ...Token, args: ['Sample Dollar', 'USDS', 18, parseEther('1000000000')] })),
  deploy(encodeDeployData({ ...Pool, args: [gold, dollar] })),
  deploy(encodeDeployData({ ...PriceFeed, args: ['GOLD / USD', 8, parseUnits('2000', 8)] })),
  deploy(encodeDeployData(ProxiedToken)),
  deploy(
    encodeDeployData({
      ...TokenProxy,
      args: [
        proxyImplementation,
        encodeFunctionData({
          abi: ProxiedToken.abi,
          functionName: 'initialize',
          args: ['Sample Proxied Dollar', 'PUSD', trader, parseUnits('1000000', 6)],
        }),
      ],
    }),
  ),
  deploy(encodeDeployData({ ...Collectible, args: ['Sample Collectible', 'NFT'] })),
  erc20(deployer, gold, 'approve', pool, maxUint256),
  erc20(deployer, dollar, 'approve', pool, maxUint256),
  {
    from: deployer,
    to: pool,
    data: encodeFunctionData({
      abi: Pool.abi,
      functionName: 'mint',
      args: [...(gold < dollar ? liquidity : ([liquidity[1], liquidity[0]] as const)), deployer],
    }),
  },
  erc20(deployer, gold, 'transfer', trader, parseEther('10000')),
  erc20(deployer, dollar, 'transfer', trader, parseEther('20000000')),
  ...visitors.flatMap((visitor) => [
    erc20(deployer, gold, 'transfer', visitor, parseEther('10')),
    erc20(deployer, dollar, 'transfer', visitor, parseEther('20000')),
  ]),
  erc20(trader, gold, 'approve', pool, maxUint256),
  erc20(trader, dollar, 'approve', pool, maxUint256),
  erc20(trader, gold, 'approve', permit2, maxUint256),
  ...visitors.map((visitor) => erc20(trader, proxyToken, 'transfer', visitor, parseUnits('1000', 6))),
]
