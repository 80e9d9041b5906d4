import type { SimulatedCall } from '@understudy/client/simulations'
import { useState } from 'react'
import { ShortValues, Value, Values } from '../../../components/Values.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Meter } from '../../../ui/charts/Meter.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Party, unitOf } from './SimulatedAssets.tsx'

type Frame = SimulatedCall['frames'][number]

/** Frames that are drawn at first, and with each click. */
const pageSize = 100
/** How far each level is moved to the right, in pixels. */
const indent = 18

/** The calls that were made, as they were decoded when they were simulated. */
export function SimulatedFrames({ call }: { call: SimulatedCall }) {
  const { frames } = call
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState(pageSize)
  const [onlyFailed, setOnlyFailed] = useState(false)
  const failed = frames.filter(({ status }) => status === 'failed').length
  const listed = onlyFailed ? frames.filter(({ status }) => status === 'failed') : open(frames, closed)
  const toggle = (key: string) => {
    const next = new Set(closed)
    if (!next.delete(key)) next.add(key)
    setClosed(next)
  }
  return (
    <div>
      {failed > 0 && frames.length > 1 && (
        <div className="px-3 pt-2">
          <Button aria-pressed={onlyFailed} onClick={() => setOnlyFailed(!onlyFailed)}>
            {onlyFailed ? 'All calls' : `Only the ${formatCount(failed, 'call')} that failed`}
          </Button>
        </div>
      )}
      <ul aria-label="Calls" className="relative overflow-x-auto py-1.5">
        {listed.slice(0, shown).map((frame) => {
          const key = keyOf(frame)
          return (
            <FrameRow
              key={key}
              call={call}
              frame={frame}
              depth={onlyFailed ? 0 : frame.traceAddress.length}
              isOpen={!closed.has(key)}
              onToggle={frame.subtraces > 0 && !onlyFailed ? () => toggle(key) : undefined}
            />
          )
        })}
      </ul>
      {listed.length > shown && (
        <div className="px-3 pb-2">
          <Button tone="quiet" onClick={() => setShown(shown + pageSize)}>
            Show {formatInteger(Math.min(pageSize, listed.length - shown))} more of {formatInteger(listed.length)}
          </Button>
        </div>
      )}
    </div>
  )
}

const keyOf = ({ traceAddress }: Frame) => traceAddress.join('.')

/** Those that no closed frame hides. */
function open(frames: readonly Frame[], closed: ReadonlySet<string>): Frame[] {
  let hidden = Number.POSITIVE_INFINITY
  return frames.filter((frame) => {
    const depth = frame.traceAddress.length
    if (depth > hidden) return false
    hidden = closed.has(keyOf(frame)) ? depth : Number.POSITIVE_INFINITY
    return true
  })
}

type RowProps = {
  call: SimulatedCall
  frame: Frame
  depth: number
  isOpen: boolean
  onToggle: (() => void) | undefined
}

function FrameRow({ call, frame, depth, isOpen, onToggle }: RowProps) {
  const [showsDetails, setShowsDetails] = useState(false)
  const { type, to, function: fn, returned, value, status, error, reason, gasUsed, input, output } = frame
  const isCreate = type.startsWith('CREATE')
  const name = fn?.name ?? (isCreate ? 'constructor' : input === '0x' ? 'transfer' : input.slice(0, 10))
  const unit = unitOf(call, to)
  const total = Number(call.frames[0]?.gasUsed ?? gasUsed)
  return (
    <li>
      <div
        className="flex min-h-8 min-w-max items-center gap-2 pr-3 hover:bg-raised"
        style={{ paddingLeft: depth * indent + 8 }}
      >
        <button
          type="button"
          aria-label={`${isOpen ? 'Collapse' : 'Expand'} calls of ${name}`}
          aria-expanded={isOpen}
          className={`rounded p-0.5 text-soft ${onToggle ? '' : 'invisible'}`}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </button>
        <Badge tone={status === 'failed' ? 'bad' : type === 'STATICCALL' ? 'neutral' : 'accent'}>{type}</Badge>
        <Party call={call} address={to} />
        <button
          type="button"
          className="hex rounded hover:underline"
          aria-expanded={showsDetails}
          onClick={() => setShowsDetails(!showsDetails)}
        >
          {name}
        </button>
        {fn?.args && <ShortValues values={fn.args} unit={unit} />}
        {returned && returned.length > 0 && (
          <>
            <span className="text-soft">→</span>
            <ShortValues values={returned} />
          </>
        )}
        {value !== '0' && type !== 'DELEGATECALL' && <Amount value={BigInt(value)} />}
        {status === 'reverted' && <Badge tone="warn">undone by its caller</Badge>}
        {error !== null && (
          <span className="max-w-xl truncate text-bad text-xs" title={reason ?? error}>
            {reason ?? error}
          </span>
        )}
        <span className="ml-auto flex items-center gap-2 pl-4">
          <span className="w-14">
            <Meter value={Number(gasUsed)} max={total} label="Share of the gas" />
          </span>
          <span className="number w-20 text-right text-soft text-xs">{formatInteger(BigInt(gasUsed))}</span>
        </span>
      </div>
      {showsDetails && (
        <div
          className="my-1 mr-3 max-w-4xl space-y-2 rounded-md border border-line bg-page p-2.5 text-xs"
          style={{ marginLeft: depth * indent + 32 }}
        >
          {fn?.args ? <Values values={fn.args} /> : <Value type="bytes" value={input} />}
          {output !== '0x' && (
            <p className="break-all">
              <span className="text-soft">Return data </span>
              <span className="hex">{output}</span>
            </p>
          )}
        </div>
      )}
    </li>
  )
}
