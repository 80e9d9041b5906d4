import { testHardhat } from './hardhatSuite.ts'

testHardhat('hardhat3', ['etherscan', 'sourcify'])
