import { useState } from 'react'
import { isAnyAddress } from '../../../format/hash.ts'
import { Button } from '../../../ui/Button.tsx'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { SelectField } from '../../../ui/forms/Field.tsx'

type Search = { address?: string; status?: string }

/** Which transactions are listed. A complete address filters at once. */
export function TransactionFilters({ search, onSearch }: { search: Search; onSearch: (search: Search) => void }) {
  const [{ text: address, shown }, setEntry] = useState({ text: search.address ?? '', shown: search.address })
  // Another view was opened.
  if (shown !== search.address) setEntry({ text: search.address ?? '', shown: search.address })
  const change = (part: Search) => onSearch({ ...search, ...part })
  return (
    <div className="flex flex-wrap items-end gap-3 border-line border-b px-3 py-2">
      <div className="min-w-60 grow sm:max-w-lg">
        <AddressField
          label="Involves"
          hint="also through internal calls"
          isRequired={false}
          value={address}
          onChange={(text) => {
            const complete = isAnyAddress(text) ? text : text === '' ? undefined : search.address
            setEntry({ text, shown: complete })
            if (complete !== search.address) change({ address: complete })
          }}
        />
      </div>
      <SelectField
        label="Status"
        value={search.status ?? ''}
        onChange={(event) => change({ status: event.target.value || undefined })}
      >
        <option value="">All</option>
        <option value="failed">Failed</option>
        <option value="success">Succeeded</option>
      </SelectField>
      {(search.address || search.status) && (
        <Button tone="quiet" className="h-8" onClick={() => onSearch({})}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
