import { useState } from 'react'
import type { Hex } from 'viem'
import { TransactionLink } from '../../../../components/HashLink.tsx'
import { formatInteger } from '../../../../format/amount.ts'
import { TextField } from '../../../../ui/forms/Field.tsx'
import { InlineForm } from '../../../../ui/forms/InlineForm.tsx'
import { Loaded } from '../../../../ui/Loaded.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import { useGasComparison } from '../../api/gas.ts'
import { Table } from './GasDetails.tsx'
import { GasLocationText } from './GasLocationText.tsx'

type Props = { hash: Hex; other: string | undefined; onOther: (other: string | undefined) => void }

const isHash = (text: string): text is Hex => /^0x[\da-f]{64}$/i.test(text)

/** Compares the gas of a transaction with that of another one. */
export function GasComparison({ hash, other, onOther }: Props) {
  const [text, setText] = useState(other ?? '')
  const [isWrong, setWrong] = useState(false)
  return (
    <>
      <Panel title="Compare" padded>
        <InlineForm
          submit="Compare"
          onSubmit={() => {
            const wanted = text.trim()
            setWrong(wanted !== '' && !isHash(wanted))
            if (wanted === '' || isHash(wanted)) onOther(wanted || undefined)
          }}
          className="[&>div]:grow"
        >
          <TextField
            label="With another transaction"
            placeholder="0x…"
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={isWrong ? 'Enter the hash of a transaction: 0x and 64 hex digits' : undefined}
          />
        </InlineForm>
      </Panel>
      {other && isHash(other) && <Difference key={other} hash={hash} other={other} />}
    </>
  )
}

function Difference({ hash, other }: { hash: Hex; other: Hex }) {
  const query = useGasComparison(hash, other)
  return (
    <Panel
      title="This transaction and the other"
      note={
        <>
          compared with <TransactionLink hash={other} />
        </>
      }
    >
      <Loaded query={query} what="comparison" rows={6}>
        {({ a, b, functions, lines }) => (
          <div className="divide-y divide-line">
            <Table
              name="Gas of both transactions"
              heads={['Transaction', 'This one', 'The other', 'Difference']}
              rows={[
                ['Gas used', ...columns(a.gasUsed, b.gasUsed)],
                ['Before execution', ...columns(a.intrinsic, b.intrinsic)],
                ['Refund', ...columns(a.refund, b.refund)],
              ]}
            />
            {functions.length > 0 && (
              <Table
                name="Functions that differ"
                heads={['Function, own gas', 'This one', 'The other', 'Difference']}
                rows={functions.map((each) => [
                  <GasLocationText key="location" location={each} />,
                  ...columns(each.a.gas, each.b.gas),
                ])}
              />
            )}
            {lines.length > 0 && (
              <Table
                name="Lines that differ"
                heads={['Line', 'This one', 'The other', 'Difference']}
                rows={lines.map((each) => [
                  <GasLocationText key="location" location={each} />,
                  ...columns(each.a, each.b),
                ])}
              />
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

/** Both values, and what the other one is more. */
function columns(a: number, b: number) {
  const difference = b - a
  const tone = difference > 0 ? 'text-bad' : difference < 0 ? 'text-good' : 'text-soft'
  return [
    formatInteger(a),
    formatInteger(b),
    <span key="difference" className={tone}>
      {difference > 0 ? '+' : ''}
      {formatInteger(difference)}
    </span>,
  ]
}
