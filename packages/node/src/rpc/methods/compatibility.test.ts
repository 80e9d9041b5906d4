import { anvilMethods } from '@understudy/testkit'
import { describe, expect, it } from 'vitest'
import { unsupportedMethods } from '../dispatch/unsupportedMethods.ts'
import { methods } from './index.ts'

/** What anvil, Hardhat's node, ganache and Tenderly call their own methods. */
const names = {
  anvil: `
    impersonateAccount stopImpersonatingAccount autoImpersonateAccount impersonateSignature getAutomine setAutomine mine
    setIntervalMining getIntervalMining dropTransaction dropAllTransactions removePoolTransactions reset setRpcUrl
    setBalance addBalance dealERC20 setERC20Balance setERC20Allowance setCode setNonce setStorageAt setCoinbase setChainId
    setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas setTime dumpState loadState nodeInfo metadata increaseTime
    setNextBlockTimestamp setBlockGasLimit setBlockTimestampInterval removeBlockTimestampInterval enableTraces rollback
    reorg snapshot revert getGenesisTime addCapability setExecutor`,
  hardhat: `
    addCompilationResult dropTransaction dropAllTransactions getAutomine getStackTraceFailuresCount impersonateAccount
    stopImpersonatingAccount autoImpersonateAccount intervalMine metadata mine reset setBalance addBalance dealERC20 setCode
    setCoinbase setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas setNonce setPrevRandao setStorageAt setRpcUrl
    dumpState loadState setBlockTimestampInterval removeBlockTimestampInterval`,
  evm: `
    mine mine_detailed increaseTime increaseBlocks setNextBlockTimestamp setTime setAutomine setIntervalMining
    setBlockGasLimit snapshot revert setAccountBalance setAccountCode setAccountNonce setAccountStorageAt addAccount
    removeAccount getLatest`,
  tenderly: `
    simulateTransaction simulateBundle traceTransaction estimateGas estimateGasBundle gasPrice suggestGasFee
    decodeInput decodeError decodeEvent functionSignatures errorSignatures eventSignature
    getContractAbi getTransactionsRange getTransactionRange getStorageChanges
    setBalance addBalance setErc20Balance addErc20Balance setMaxErc20Balance setCode setStorageAt setNextBlockTimestamp
    dropTransaction dumpState getAutomine impersonateAccount loadState mine removeBlockTimestampInterval reset
    setBlockTimestampInterval setCoinbase setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas setNonce setRpcUrl
    stopImpersonatingAccount`,
  eth: 'sendUnsignedTransaction requestAccounts',
}

const known = methods.flatMap(({ name, aliases }) => [name, ...aliases])

describe('the methods of other test networks', () => {
  it.each(Object.entries(names))('are answered or refused with advice: %s_', (namespace, list) => {
    const wanted = list
      .trim()
      .split(/\s+/)
      .map((name) => `${namespace}_${name}`)
    expect(wanted.filter((name) => !known.includes(name) && !(name in unsupportedMethods))).toEqual([])
  })

  it('are those that the binary of anvil lists', () => {
    const listed = anvilMethods()
    if (!listed) return expect(process.platform).not.toBe('linux')
    expect(listed.length).toBeGreaterThan(150)
    expect(listed).toEqual(expect.arrayContaining(['eth_call', 'anvil_setChainId', 'evm_mine']))
    expect(listed.filter((name) => !known.includes(name) && !(name in unsupportedMethods))).toEqual([])
  })

  it('are not refused where they are answered', () => {
    expect(Object.keys(unsupportedMethods).filter((name) => known.includes(name))).toEqual([])
  })
})
