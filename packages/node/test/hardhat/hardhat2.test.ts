import { openHardhat2 } from '@understudy/hardhat2'
import { type Hardhat, testHardhat } from './hardhatSuite.ts'

testHardhat('Hardhat 2', (project) => openHardhat2(project) as Hardhat, ['etherscan'])
