import type { BlockContext } from '@understudy/evm'
import { arbitrumContracts, arbitrumL1, blockOfContracts } from '../ethereum/chains/arbitrum.ts'
import type { ArbitrumBlock } from '../ethereum/chains/arbitrumCall.ts'
import { headerOfSurcharge, l1SurchargeOf } from '../ethereum/chains/l1Fees.ts'
import type { Header } from '../ethereum/header.ts'

/** A block as data: instead of its functions, what they were made of. */
export type SentBlock = Omit<BlockContext, 'contracts' | 'surcharge' | 'l1'> & {
  arbitrum?: ArbitrumBlock
  l1Number?: bigint
  l1Fees?: Pick<Header, 'extraData'>
}

/** Whether `sentBlock` knows what its functions were made of. */
export const isSendable = ({ contracts, surcharge }: BlockContext): boolean =>
  (!contracts || blockOfContracts.has(contracts)) && (!surcharge || headerOfSurcharge.has(surcharge))

export function sentBlock({ contracts, surcharge, l1, ...data }: BlockContext): SentBlock {
  const arbitrum = contracts && blockOfContracts.get(contracts)
  const l1Fees = surcharge && headerOfSurcharge.get(surcharge)
  return { ...data, ...(arbitrum && { arbitrum }), ...(l1Fees && { l1Fees }), ...(l1 && { l1Number: l1.number }) }
}

export function receivedBlock({ arbitrum, l1Number, l1Fees, ...data }: SentBlock): BlockContext {
  return {
    ...data,
    ...(arbitrum && { contracts: arbitrumContracts(arbitrum) }),
    ...(l1Number !== undefined && { l1: arbitrumL1(l1Number) }),
    ...(l1Fees && { surcharge: l1SurchargeOf(l1Fees) }),
  }
}
