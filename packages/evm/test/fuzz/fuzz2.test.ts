import { describeFuzzing } from './differential.ts'

describeFuzzing(1, 2)
