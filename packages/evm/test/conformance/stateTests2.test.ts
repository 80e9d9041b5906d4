import { describeStateTests } from './vectors.ts'

describeStateTests(1, 4)
