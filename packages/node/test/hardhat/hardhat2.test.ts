import { testHardhat } from './hardhatSuite.ts'

testHardhat('hardhat2', ['etherscan'])
