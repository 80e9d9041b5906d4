import { shorten } from '../format/hash.ts'
import { useAddressBook } from '../lib/names/names.ts'
import { addressBookId } from '../ui/forms/AddressField.tsx'

/** The named addresses, which fields for addresses offer. */
export function AddressBook() {
  const named = useAddressBook()
  return (
    <datalist id={addressBookId}>
      {named.map(([address, name]) => (
        <option key={address} value={address}>{`${name} ${shorten(address)}`}</option>
      ))}
    </datalist>
  )
}
