import { useState } from 'react'
import { hexToBigInt } from 'viem'
import { formatInteger } from '../format/amount.ts'
import { commonAbis, decodeCall, decodeOutput, decodeRevert } from '../lib/abi/decode.ts'
import { methodLabel } from '../lib/abi/selectors.ts'
import { type CallFrame, consoleAddress } from '../lib/chain/trace.ts'
import { useFamiliarAbi } from '../lib/contracts/abi.ts'
import { Amount } from '../ui/Amount.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Meter } from '../ui/charts/Meter.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Account } from './Account.tsx'
import { ShortValues, Value, Values } from './Values.tsx'

/** Frames as a tree. */
export function CallFrames({ root }: { root: CallFrame }) {
  return (
    <ul aria-label="Calls" className="relative overflow-x-auto py-1.5">
      <Frame frame={root} depth={0} total={Number(root.gasUsed)} />
    </ul>
  )
}

const folded = 4

function Frame({ frame, depth, total }: { frame: CallFrame; depth: number; total: number }) {
  const [isOpen, setOpen] = useState(depth < folded)
  const [showsDetails, setShowsDetails] = useState(false)
  const known = useFamiliarAbi(frame.to)
  const { type, to, input, value, calls = [], error, gasUsed } = frame
  const abis = [...(known ? [known] : []), ...commonAbis]
  const isCreate = type.startsWith('CREATE')
  const call = isCreate ? undefined : decodeCall(abis, input)
  const returned = frame.output && !isCreate && !error ? decodeOutput(abis, input, frame.output) : undefined
  const isLog = to === consoleAddress
  const wei = value ? hexToBigInt(value) : 0n
  return (
    <li>
      <div
        className="group flex min-h-8 min-w-max items-center gap-2 pr-3 hover:bg-raised"
        style={{ paddingLeft: depth * 18 + 8 }}
      >
        <button
          type="button"
          aria-label={`${isOpen ? 'Collapse' : 'Expand'} calls of ${call?.name ?? type}`}
          aria-expanded={isOpen}
          className={`rounded p-0.5 text-soft ${calls.length === 0 ? 'invisible' : ''}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </button>
        <Badge tone={error ? 'bad' : type === 'STATICCALL' ? 'neutral' : 'accent'}>{type}</Badge>
        {isLog ? <span className="text-soft">console</span> : to && <Account address={to} />}
        <button
          type="button"
          className="hex rounded hover:underline"
          aria-expanded={showsDetails}
          onClick={() => setShowsDetails(!showsDetails)}
        >
          {isLog ? 'log' : isCreate ? 'constructor' : (call?.name ?? methodLabel(to ?? null, input))}
        </button>
        {call && <ShortValues values={call.values} />}
        {returned && returned.length > 0 && (
          <>
            <span className="text-soft">→</span>
            <ShortValues values={returned} />
          </>
        )}
        {wei > 0n && <Amount value={wei} />}
        {error && (
          <span className="text-bad text-xs">
            {frame.revertReason ??
              (frame.output && frame.output.length >= 10 ? decodeRevert(abis, frame.output) : error)}
          </span>
        )}
        <span className="ml-auto flex items-center gap-2 pl-4">
          <span className="w-14">
            <Meter value={Number(gasUsed)} max={total} label="Share of the gas" />
          </span>
          <span className="number w-20 text-right text-soft text-xs">{formatInteger(hexToBigInt(gasUsed))}</span>
        </span>
      </div>
      {showsDetails && (
        <div
          className="my-1 mr-3 max-w-4xl space-y-2 rounded-md border border-line bg-page p-2.5 text-xs"
          style={{ marginLeft: depth * 18 + 32 }}
        >
          {call ? <Values values={call.values} /> : <Value type="bytes" value={input} />}
          {frame.output && (
            <p className="break-all">
              <span className="text-soft">Return data </span>
              <span className="hex">{frame.output}</span>
            </p>
          )}
        </div>
      )}
      {isOpen && calls.length > 0 && (
        <ul>
          {calls.map((inner, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a trace have a fixed order
            <Frame key={index} frame={inner} depth={depth + 1} total={total} />
          ))}
        </ul>
      )}
    </li>
  )
}
