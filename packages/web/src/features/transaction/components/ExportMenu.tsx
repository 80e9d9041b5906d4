import type { Transaction } from '../../../lib/chain/block.ts'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'
import { castCommand, viemScript } from '../api/scripts.ts'

/** Copies the transaction in forms that send it again. */
export function ExportMenu({ transaction }: { transaction: Transaction }) {
  const url = window.location.origin
  return (
    <>
      <CopyTextButton text={castCommand(transaction, url)}>Copy as cast</CopyTextButton>
      <CopyTextButton text={viemScript(transaction, url)}>Copy as viem</CopyTextButton>
    </>
  )
}
