import type { Address } from '@understudy/evm'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import type { ContractCodes } from './contractCode.ts'
import type { ContractLibrary } from './contractLibrary.ts'

/**
 * Links a contract of the live chain to the imported contracts whose code it has. Nothing announces such a contract, so it
 * is compared when it is first looked at. Local contracts are linked when they are created.
 */
export type Recognition = {
  /** Whether a link was added. Without imports, it reads nothing. If the code cannot be read, there is no link. */
  recognise(address: Address): Promise<boolean>
}

type Needs = {
  library: Pick<ContractLibrary, 'isEmpty' | 'match' | 'link'>
  codes: ContractCodes
  /** Nodes that do not seal also store links. */
  aside: Pick<Database, 'transaction'>
  logger: Logger
}

export function createRecognition({ library, codes, aside, logger }: Needs): Recognition {
  return {
    async recognise(address) {
      if (library.isEmpty()) return false
      try {
        const { origin, code } = await codes.load(address)
        const matches = origin === 'upstream' ? await library.match(code) : []
        if (matches.length === 0) return false
        await aside.transaction(async (transaction) => {
          for (const match of matches) await library.link(transaction, address, match)
        })
        return true
      } catch (error) {
        logger.debug({ err: error, address }, 'Could not compare a contract with the imported ones')
        return false
      }
    },
  }
}
