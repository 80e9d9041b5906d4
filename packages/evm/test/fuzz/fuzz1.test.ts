import { describeFuzzing } from './differential.ts'

describeFuzzing(0, 2)
