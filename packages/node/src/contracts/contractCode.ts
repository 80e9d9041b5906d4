import type { Address, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { delegationTarget } from '../ethereum/authorization.ts'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { type LoadingView, loadAccount, loadCode } from '../state/view.ts'

/** The current code of an account. */
export type ContractCode = {
  /** `upstream` if the live chain has the same code there, else `local`. */
  origin: 'none' | 'upstream' | 'local'
  code: Uint8Array
  codeHash: Word
}

/**
 * Reads the origin of an account's code. Accounts of people have none, even if they delegate to a contract (EIP-7702).
 */
export type ContractCodes = { load(address: Address): Promise<ContractCode> }

type Needs = {
  history: Pick<History, 'at'>
  /** Upstream's state below the network's head; `undefined` if nothing is forked. */
  base: () => LoadingView | undefined
}

export function createContractCodes({ history, base }: Needs): ContractCodes {
  return {
    async load(address) {
      const { view } = await history.at('latest')
      const code = await loadCode(view, address)
      const { codeHash } = await loadAccount(view, address)
      if (code.length === 0 || delegationTarget(code))
        return { origin: 'none', code: new Uint8Array(), codeHash: emptyCodeHash }
      const upstream = base()
      const isUpstreams = upstream !== undefined && (await loadAccount(upstream, address)).codeHash === codeHash
      return { origin: isUpstreams ? 'upstream' : 'local', code, codeHash }
    },
  }
}
