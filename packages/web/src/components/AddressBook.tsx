import { shorten } from '../format/hash.ts'
import { useAddressBook } from '../lib/names/names.ts'
import { useConnected } from '../lib/wallet/connected.ts'
import { addressBookId } from '../ui/forms/AddressField.tsx'

/** The named addresses, which fields for addresses offer. */
export function AddressBook() {
  const named = useAddressBook()
  const connected = useConnected()
  return (
    <datalist id={addressBookId}>
      {connected && (
        <option value={connected.account}>{`${connected.wallet.name} ${shorten(connected.account)}`}</option>
      )}
      {named.map(([address, name]) => (
        <option key={address} value={address}>{`${name} ${shorten(address)}`}</option>
      ))}
    </datalist>
  )
}
