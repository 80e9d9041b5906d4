import type { Address, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { type LoadingView, loadAccount, loadCode } from '../state/view.ts'
import { delegationTarget } from './proxies/proxyCode.ts'

/** The code of an account now. */
export type ContractCode = {
  /** `upstream` when it is the code that the live chain has there; `local` when it is not. */
  origin: 'none' | 'upstream' | 'local'
  code: Uint8Array
  codeHash: Word
}

/** Reads whose code an account has. Accounts of people have none, also where they delegate to a contract (EIP-7702). */
export type ContractCodes = { load(address: Address): Promise<ContractCode> }

type Needs = {
  history: Pick<History, 'at'>
  /** Upstream's state below the network's head; `undefined` for a network that forks nothing. */
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
