import { openHardhat3 } from '@understudy/hardhat3'
import { type Hardhat, testHardhat } from './hardhatSuite.ts'

testHardhat('Hardhat 3', async (project) => (await openHardhat3(project)) as Hardhat, ['etherscan', 'sourcify'])
