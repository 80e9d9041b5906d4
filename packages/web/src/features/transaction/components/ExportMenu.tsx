import { Link } from '@tanstack/react-router'
import type { Transaction } from '../../../lib/chain/block.ts'
import { castCommand, viemScript } from '../../../lib/chain/scripts.ts'
import { networkUrl } from '../../../location/networkUrl.ts'
import { buttonStyle } from '../../../ui/Button.tsx'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'

/** Opens the transaction in the simulator, and copies it in forms that send it again. */
export function ExportMenu({ transaction }: { transaction: Transaction }) {
  return (
    <>
      <Link to="/simulate" search={{ tx: transaction.hash }} className={buttonStyle('plain')}>
        Simulate again
      </Link>
      <CopyTextButton text={castCommand(transaction, networkUrl)}>Copy as cast</CopyTextButton>
      <CopyTextButton text={viemScript(transaction, networkUrl)}>Copy as viem</CopyTextButton>
    </>
  )
}
