import { useState } from 'react'
import { useSavedViews, viewNameLimit } from '../lib/views/savedViews.ts'
import { networkUrl } from '../location/networkUrl.ts'
import { Button } from '../ui/Button.tsx'
import { CopyTextButton } from '../ui/CopyButton.tsx'
import { TextField } from '../ui/forms/Field.tsx'
import { FormDialog } from '../ui/forms/FormDialog.tsx'

type Props = {
  /** Identifies the page. */
  page: string
  /** The filters in force, as the URL has them. */
  search: Readonly<Record<string, string | undefined>>
  onOpen: (search: Readonly<Record<string, string>>) => void
}

/** Keeps the filters of a page under a name in this browser, and shares them as a link. */
export function SavedViews({ page, search, onOpen }: Props) {
  const { views, save, remove } = useSavedViews(page)
  const [name, setName] = useState<string>()
  const current = Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const key = keyOf(current)
  const chosen = views.find((view) => keyOf(view.search) === key)
  const isFiltered = key !== keyOf({})
  return (
    <>
      {views.length > 0 && (
        <select
          aria-label="Saved views"
          value={chosen?.name ?? ''}
          onChange={(event) => onOpen(views.find((view) => view.name === event.target.value)?.search ?? {})}
          className="h-7 max-w-40 rounded-md border border-line bg-panel px-1.5 text-xs"
        >
          <option value="">{isFiltered && !chosen ? 'Unsaved view' : 'Everything'}</option>
          {views.map((view) => (
            <option key={view.name}>{view.name}</option>
          ))}
        </select>
      )}
      {isFiltered && !chosen && <Button onClick={() => setName('')}>Save view</Button>}
      {chosen && <Button onClick={() => remove(chosen.name)}>Remove view</Button>}
      {isFiltered && (
        <CopyTextButton text={`${networkUrl}/${page}?${new URLSearchParams(current)}`}>Copy link</CopyTextButton>
      )}
      {name !== undefined && (
        <FormDialog
          title="Save this view"
          explanation="This browser keeps it. To share it with others, copy the link."
          submit="Save"
          action={{ isPending: false, error: undefined }}
          onSubmit={() => {
            save({ name: name.trim(), search: current })
            setName(undefined)
          }}
          onClose={() => setName(undefined)}
        >
          <TextField
            label="Name"
            required
            pattern=".*\S.*"
            maxLength={viewNameLimit}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </FormDialog>
      )}
    </>
  )
}

const keyOf = (search: object): string => JSON.stringify(Object.entries(search).sort())
