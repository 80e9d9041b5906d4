import type { BlockContext } from '@understudy/evm'
import { arbitrumL1 } from '../ethereum/chains/arbitrum.ts'
import { type ContractsInBlock, hostedContracts, sourceOfHosted } from '../ethereum/chains/contracts/contractsOf.ts'
import { headerOfSurcharge, l1SurchargeOf } from '../ethereum/chains/l1Fees.ts'
import type { Header } from '../ethereum/header.ts'

/** A block as data: instead of its functions, what they were made of. */
export type SentBlock = Omit<BlockContext, 'contracts' | 'surcharge' | 'l1'> & {
  hosted?: ContractsInBlock
  l1Number?: bigint
  l1Fees?: Pick<Header, 'extraData'>
}

/** Whether `sentBlock` knows what its functions were made of. */
export const isSendable = ({ contracts, surcharge }: BlockContext): boolean =>
  (!contracts || sourceOfHosted(contracts) !== undefined) && (!surcharge || headerOfSurcharge.has(surcharge))

export function sentBlock({ contracts, surcharge, l1, ...data }: BlockContext): SentBlock {
  const hosted = contracts && sourceOfHosted(contracts)
  const l1Fees = surcharge && headerOfSurcharge.get(surcharge)
  return { ...data, ...(hosted && { hosted }), ...(l1Fees && { l1Fees }), ...(l1 && { l1Number: l1.number }) }
}

export function receivedBlock({ hosted, l1Number, l1Fees, ...data }: SentBlock): BlockContext {
  return {
    ...data,
    ...(hosted && { contracts: hostedContracts(hosted) }),
    ...(l1Number !== undefined && { l1: arbitrumL1(l1Number) }),
    ...(l1Fees && { surcharge: l1SurchargeOf(l1Fees) }),
  }
}
