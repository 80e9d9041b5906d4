import { describeStateTests } from './vectors.ts'

describeStateTests(0, 4)
