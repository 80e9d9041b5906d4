import { useRef, useState } from 'react'
import { Account } from '../../../components/Account.tsx'
import { formatCount } from '../../../format/amount.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { chosenFiles, type FoundFile, filesFrom } from '../api/droppedFiles.ts'
import { type Imported, useImport } from '../api/imports.ts'

/** Imports a folder of compiled contracts that is dropped or selected. */
export function ImportArea() {
  const [isOver, setOver] = useState(false)
  const folder = useRef<HTMLInputElement>(null)
  const push = useImport()
  const take = (files: readonly FoundFile[]) => push.mutate(files)
  return (
    <Panel>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
      <div
        data-testid="drop"
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void filesFrom(event.dataTransfer.items).then(take)
        }}
        className={`m-3 flex flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-10 text-center ${isOver ? 'border-accent bg-wash' : 'border-strong/60'}`}
      >
        <span className="text-soft">
          <Icon name="import" size={26} />
        </span>
        <p className="font-medium">Drop a Foundry or Hardhat project here</p>
        <p className="max-w-lg text-soft text-xs">
          The network recognises these contracts by their bytecode and decodes their calls and events. You can also drop
          only the build output (out or artifacts), without the sources.
        </p>
        <input
          ref={folder}
          type="file"
          multiple
          aria-label="Project folder"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => event.target.files && take(chosenFiles(event.target.files))}
          {...{ webkitdirectory: '' }}
        />
        <Button needs="admin" busy={push.isPending} onClick={() => folder.current?.click()}>
          {push.isPending ? 'Importing…' : 'Select folder'}
        </Button>
      </div>
      {push.isError && <Problem error={push.error} />}
      {push.data && <ImportOutcome imported={push.data} />}
    </Panel>
  )
}

function ImportOutcome({ imported: { contracts, linkedDeployments } }: { imported: Imported }) {
  const count = (status: string) => contracts.filter((one) => one.status === status).length
  return (
    <div role="status" className="space-y-2 border-line border-t p-3 text-sm">
      <p className="flex flex-wrap gap-2">
        <Badge tone="good">{count('created')} new</Badge>
        <Badge tone="accent">{count('new_version')} updated</Badge>
        <Badge>{count('unchanged')} unchanged</Badge>
      </p>
      {linkedDeployments.map(({ name, address, backfilledCalls }) => (
        <p key={address} className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span> deployed at <Account address={address} full />
          <span className="text-soft text-xs">{formatCount(backfilledCalls, 'past call')} decoded</span>
        </p>
      ))}
    </div>
  )
}
