import { useState } from 'react'
import type { Abi, AbiFunction, Address } from 'viem'
import { formatCount } from '../../../format/amount.ts'
import { functionsOf, isView, selectorOf, signatureOf } from '../../../lib/abi/functions.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { AbiForm } from './AbiForm.tsx'
import { FunctionForm } from './FunctionForm.tsx'

type Props = {
  address: Address
  /** The selector of the function whose form is open. */
  chosen: string | undefined
  onChoose: (selector: string | undefined) => void
}

/** Every function of a contract as a form. */
export function ReadWrite({ address, chosen, onChoose }: Props) {
  const query = useAbi(address)
  return (
    <Loaded query={query} what="ABI" rows={8}>
      {(known) =>
        known ? (
          <Functions {...{ address, chosen, onChoose }} abi={known.abi} source={known.source} />
        ) : (
          <Panel padded title="ABI unknown">
            <Empty title="Enter the ABI of this contract to read and write it">
              Paste it here, or import your project’s artifacts. The network matches deployments by their bytecode.
            </Empty>
            <AbiForm address={address} />
          </Panel>
        )
      }
    </Loaded>
  )
}

function Functions({ address, abi, source, chosen, onChoose }: Props & { abi: Abi; source: string }) {
  const [filter, setFilter] = useState('')
  const [isReplacing, setReplacing] = useState(false)
  const functions = functionsOf(abi).filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  const groups = [
    { name: 'Read', functions: functions.filter(isView) },
    { name: 'Write', functions: functions.filter((fn) => !isView(fn)) },
  ]
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <input
          aria-label="Find function"
          placeholder="Find function"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className="h-8 w-56 rounded-md border border-strong/60 bg-panel px-2 text-sm placeholder:text-soft"
        />
        <span className="text-soft text-xs">ABI: {source}</span>
        <Button needs="admin" tone="quiet" aria-expanded={isReplacing} onClick={() => setReplacing(!isReplacing)}>
          Replace ABI
        </Button>
      </div>
      {isReplacing && (
        <Panel padded title="Replace ABI">
          <AbiForm address={address} onSaved={() => setReplacing(false)} />
        </Panel>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {groups.map((group) => (
          <Panel key={group.name} title={group.name} note={formatCount(group.functions.length, 'function')}>
            {group.functions.length === 0 && <Empty title="No functions" />}
            <ul className="divide-y divide-line">
              {group.functions.map((fn) => (
                <FunctionRow key={selectorOf(fn)} {...{ address, abi, fn, chosen, onChoose }} />
              ))}
            </ul>
          </Panel>
        ))}
      </div>
    </>
  )
}

type RowProps = Props & { abi: Abi; fn: AbiFunction }

function FunctionRow({ address, abi, fn, chosen, onChoose }: RowProps) {
  const selector = selectorOf(fn)
  const isOpen = chosen === selector
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onChoose(isOpen ? undefined : selector)}
        className="flex w-full items-center gap-2 px-3 py-2 text-left hover:bg-raised"
      >
        <span className="text-soft">
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </span>
        <span className="hex min-w-0 break-words text-xs">
          <span className="font-semibold text-ink">{fn.name}</span>
          <span className="text-soft">{signatureOf(fn).slice(fn.name.length)}</span>
        </span>
        <span className="hex ml-auto hidden text-2xs text-soft sm:block">{selector}</span>
      </button>
      {isOpen && <FunctionForm {...{ address, abi, fn }} />}
    </li>
  )
}
