import type { Hex } from '@understudy/evm'
import { decodeSent, isDeposit } from '../../ethereum/decodeTransaction.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import type { SentTransaction } from '../../ethereum/transaction.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { History } from '../history/history.ts'

/** What who sends an encoded transaction may do: a deposit makes ether, as `dev_setBalance` does. */
export type SenderRights = { mayMint: boolean }

/** Decodes a transaction as it is sent. Throws `TRANSACTION_INVALID`, `DEPOSIT_REFUSED`, `UNAUTHORIZED`. */
export type DecodeRaw = (encoded: Hex, rights?: SenderRights) => SentTransaction

type Needs = { hardforks: Hardforks; history: Pick<History, 'next'> }

/** `acceptDeposits`: whether deposits can be sent, on chains that have them. */
export function createRawDecoder(
  { acceptDeposits }: { acceptDeposits: boolean },
  { hardforks, history }: Needs,
): DecodeRaw {
  function requireDeposits({ mayMint }: SenderRights): void {
    const isOfChain = hardforks(history.next().block).optimism
    if (!isOfChain || !acceptDeposits)
      throw new NetworkError('DEPOSIT_REFUSED', { problem: isOfChain ? notAccepted : notOfChain })
    if (!mayMint) throw new NetworkError('UNAUTHORIZED', { problem: unauthorized })
  }

  return (encoded, rights = { mayMint: false }) => {
    if (isDeposit(encoded)) requireDeposits(rights)
    return decodeSent(encoded)
  }
}

const notAccepted = 'start the network with --accept-deposits to send some'
const notOfChain = 'only chains of the OP Stack have some, and this is none. --chain-profile says what a chain is'
const unauthorized = 'a deposit makes ether: sending one needs a key with the role admin'
