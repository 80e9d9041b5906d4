import { describeStateTests } from './vectors.ts'

describeStateTests(2, 4)
