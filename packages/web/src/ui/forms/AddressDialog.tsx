import { type ComponentProps, useState } from 'react'
import type { Address } from 'viem'
import { AddressField } from './AddressField.tsx'
import { FormDialog } from './FormDialog.tsx'

type Props = Omit<ComponentProps<typeof FormDialog>, 'onSubmit' | 'children'> & { onSubmit: (address: Address) => void }

/** A dialog with one address field. */
export function AddressDialog({ onSubmit, ...rest }: Props) {
  const [address, setAddress] = useState<Address | ''>('')
  return (
    <FormDialog {...rest} onSubmit={() => onSubmit(address as Address)}>
      <AddressField value={address} onChange={setAddress} />
    </FormDialog>
  )
}
