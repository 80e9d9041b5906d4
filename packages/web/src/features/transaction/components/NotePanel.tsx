import { useState } from 'react'
import type { Hex } from 'viem'
import { useNote } from '../../../lib/chain/notes.ts'
import { Age } from '../../../ui/Age.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextArea } from '../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { noteLength, useSetNote } from '../api/note.ts'

/** What was written about a transaction. */
export function NotePanel({ hash }: { hash: Hex }) {
  const note = useNote(hash)
  const [isEditing, setEditing] = useState(false)
  const remove = useSetNote()
  if (!note) return null
  return (
    <Panel
      padded
      title="Note"
      note={<Age at={Date.parse(note.updatedAt)} />}
      actions={
        <>
          <Button needs="admin" onClick={() => setEditing(true)}>
            Edit note
          </Button>
          <Button
            needs="admin"
            tone="danger"
            busy={remove.isPending}
            onClick={() => remove.mutate({ hash, text: '', before: note.text })}
          >
            Remove note
          </Button>
        </>
      }
    >
      <p className="max-h-60 overflow-y-auto whitespace-pre-wrap break-words text-sm">{note.text}</p>
      {isEditing && <NoteDialog hash={hash} before={note.text} onClose={() => setEditing(false)} />}
    </Panel>
  )
}

/** Offers to write one, until there is one. */
export function AddNote({ hash }: { hash: Hex }) {
  const note = useNote(hash)
  const [isEditing, setEditing] = useState(false)
  if (note) return null
  return (
    <>
      <Button needs="admin" onClick={() => setEditing(true)}>
        Add note
      </Button>
      {isEditing && <NoteDialog hash={hash} before="" onClose={() => setEditing(false)} />}
    </>
  )
}

function NoteDialog({ hash, before, onClose }: { hash: Hex; before: string; onClose: () => void }) {
  const [text, setText] = useState(before)
  const save = useSetNote()
  return (
    <FormDialog
      title="Note on this transaction"
      explanation="Everyone who uses this network sees it. It is deleted when its block is reverted."
      submit="Save note"
      action={save}
      onSubmit={() => save.mutate({ hash, text, before }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextArea
        label="Text"
        hint={`up to ${noteLength} characters`}
        maxLength={noteLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}
