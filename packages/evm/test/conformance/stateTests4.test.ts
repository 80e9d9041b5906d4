import { describeStateTests } from './vectors.ts'

describeStateTests(3, 4)
