import { describe, expect, it } from 'vitest'
import { methods } from './index.ts'

/** What tools and guides count on, by name. */
const promised = `
  web3_clientVersion web3_sha3 net_version net_listening
  eth_chainId eth_blockNumber eth_syncing eth_accounts eth_gasPrice eth_maxPriorityFeePerGas eth_blobBaseFee eth_feeHistory
  eth_getBalance eth_getCode eth_getStorageAt eth_getTransactionCount eth_call eth_estimateGas
  eth_sendTransaction eth_sendRawTransaction eth_sign eth_signTypedData_v4
  eth_getBlockByNumber eth_getBlockByHash eth_getBlockReceipts
  eth_getBlockTransactionCountByNumber eth_getBlockTransactionCountByHash
  eth_getTransactionByHash eth_getTransactionByBlockNumberAndIndex eth_getTransactionByBlockHashAndIndex
  eth_getTransactionReceipt eth_getLogs
  evm_mine evm_increaseTime evm_setNextBlockTimestamp evm_snapshot evm_revert evm_setAutomine evm_setIntervalMining
  dev_setCode dev_setNonce dev_setStorageAt dev_setBalance dev_addBalance dev_setERC20Balance dev_addERC20Balance
  dev_impersonateAccount dev_stopImpersonatingAccount dev_getImpersonatedAccounts dev_getNetworkInfo
`
  .trim()
  .split(/\s+/)

const aliases = `
  anvil_mine hardhat_mine
  anvil_setBalance hardhat_setBalance tenderly_setBalance anvil_setNonce hardhat_setNonce anvil_setCode hardhat_setCode
  anvil_setStorageAt hardhat_setStorageAt anvil_impersonateAccount hardhat_impersonateAccount
  anvil_stopImpersonatingAccount hardhat_stopImpersonatingAccount
`
  .trim()
  .split(/\s+/)

const names = methods.flatMap((method) => [method.name, ...method.aliases])

describe('the list of methods', () => {
  it('has every method that was promised, under its own name', () => {
    expect(methods.map(({ name }) => name)).toEqual(expect.arrayContaining(promised))
  })

  it('has the names by which other tools call the same', () => {
    expect(names).toEqual(expect.arrayContaining(aliases))
  })

  it('has no name twice', () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it.each(methods.map((method) => [method.name, method] as const))(
    'documents %s with an example that fits it',
    (_, method) => {
      const { params, result } = method.example
      expect(method.summary).toMatch(/^[A-Z].*\.$/)
      expect(method.result.safeParse(result).error).toBeUndefined()
      for (const [index, schema] of Object.values(method.params).entries())
        expect(schema.safeParse(params[index]).error).toBeUndefined()
      expect(method.errors).toEqual(method.errors && [...new Set(method.errors)])
      expect(params.length).toBeLessThanOrEqual(Object.keys(method.params).length)
    },
  )

  it('has optional parameters only at the end', () => {
    for (const { name, params } of methods) {
      const optional = Object.values(params).map((schema) => schema.safeParse(undefined).success)
      expect(optional, name).toEqual([...optional].sort((a, b) => Number(a) - Number(b)))
    }
  })

  it('lets only those with the admin role change the network', () => {
    const roles = new Map(methods.map(({ name, role }) => [name, role]))
    expect(
      [...roles]
        .filter(([, role]) => role === 'write')
        .map(([name]) => name)
        .sort(),
    ).toEqual([
      'dev_openWalletRequest',
      'dev_shareSimulation',
      'eth_resend',
      'eth_sendRawTransaction',
      'eth_sendRawTransactionConditional',
      'eth_sendRawTransactionSync',
      'eth_sendTransaction',
      'eth_sendTransactionSync',
      'eth_sendUserOperation',
      'eth_sign',
      'eth_signTransaction',
      'eth_signTypedData_v4',
      'personal_sign',
      'pm_getPaymasterData',
      'pm_getPaymasterStubData',
      'wallet_sendCalls',
    ])
    const changing = promised.filter((name) => /^(evm_|dev_(set|add|imp|stop))/.test(name))
    expect(changing.filter((name) => roles.get(name) !== 'admin')).toEqual([])
  })
})
