import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Abi, type AbiFunction, type Address, isAddress } from 'viem'
import { ArgumentField } from '../../../components/ArgumentField.tsx'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { Values } from '../../../components/Values.tsx'
import { parseAmount } from '../../../format/amount.ts'
import { sameAddress, shorten } from '../../../format/hash.ts'
import { isAmount, parseArgument, type Unit } from '../../../lib/abi/argument.ts'
import { amountsOf } from '../../../lib/abi/decode.ts'
import { isView, selectorOf } from '../../../lib/abi/functions.ts'
import { type NamedValue, valueText } from '../../../lib/abi/value.ts'
import { useArgumentUnits } from '../../../lib/contracts/argumentUnits.ts'
import { emptyCall, writeScenario } from '../../../lib/simulation/scenario.ts'
import { useSenders } from '../../../lib/state/impersonation.ts'
import { useConnected } from '../../../lib/wallet/connected.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { TextField } from '../../../ui/forms/Field.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useMay } from '../../../ui/role.ts'
import { useRead, useWrite } from '../api/calls.ts'

type Props = { address: Address; abi: Abi; fn: AbiFunction }

/** Calls one function, or sends a transaction to it. */
export function FunctionForm({ address, abi, fn }: Props) {
  const [texts, setTexts] = useState<readonly string[]>(fn.inputs.map(() => ''))
  const [value, setValue] = useState('0')
  const [from, setFrom] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const senders = useSenders()
  const read = useRead()
  const write = useWrite()
  const readsOnly = isView(fn)
  const mayChange = useMay('admin')
  const units = useArgumentUnits(address, texts)
  const connected = useConnected()
  const sender = from || connected?.account || senders.data?.funded[0] || senders.data?.impersonated[0] || ''

  const submit = () => {
    setProblem(undefined)
    read.reset()
    write.reset()
    try {
      const args = fn.inputs.map((input, index) => parseArgument(input, texts[index] ?? '', units))
      const call = { address, abi, fn, args }
      if (readsOnly) return read.mutate(call)
      if (!isAddress(sender, { strict: false })) throw new Error(`from: ${JSON.stringify(sender)} is not an address`)
      write.mutate({ ...call, from: sender, value: parseAmount(value, 18) })
    } catch (error) {
      setProblem(error)
    }
  }
  const failure = problem ?? read.error ?? write.error

  return (
    <form
      className="space-y-2.5 border-line border-t bg-page px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {fn.inputs.map((input, index) => (
        <ArgumentField
          // biome-ignore lint/suspicious/noArrayIndexKey: parameters have an order and may have no name
          key={index}
          parameter={input}
          label={input.name || `argument ${index}`}
          units={units}
          text={texts[index] ?? ''}
          onChange={(changed) => setTexts(texts.map((text, at) => (at === index ? changed : text)))}
        />
      ))}
      {!readsOnly && (
        <TransactionFields
          isPayable={fn.stateMutability === 'payable'}
          sender={sender}
          from={from}
          onFrom={setFrom}
          value={value}
          onValue={setValue}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          tone="primary"
          needs={readsOnly ? undefined : 'write'}
          busy={read.isPending || write.isPending}
        >
          {readsOnly ? 'Read' : 'Send'}
        </Button>
        {!readsOnly && (
          <Link
            to="/simulate"
            search={{
              s: writeScenario({
                calls: [{ ...emptyCall, from: sender, to: address, value, fn: selectorOf(fn), args: texts }],
              }),
            }}
            className="rounded px-1.5 text-accent text-xs hover:underline"
          >
            Simulate
          </Link>
        )}
        {mayChange && fn.outputs.length > 0 && (
          <Link
            to="/overrides"
            search={{ contract: address, abi: JSON.stringify(fn) }}
            className="rounded px-1.5 text-accent text-xs hover:underline"
          >
            Override
          </Link>
        )}
        {mayChange && readsOnly && (
          <Link
            to="/tracked"
            search={{ address, fn: JSON.stringify(fn), args: JSON.stringify(texts) }}
            className="rounded px-1.5 text-accent text-xs hover:underline"
          >
            Track
          </Link>
        )}
      </div>
      {failure !== null && failure !== undefined && <Problem error={failure} />}
      {read.data && (
        <div data-testid="answer" className="rounded-md border border-line bg-panel px-3 py-2 text-sm">
          {read.data.real && (
            <p className="mb-1">
              <Badge tone="overridden" title="An override returns this instead of the contract">
                overridden
              </Badge>
            </p>
          )}
          <Returned values={read.data.values} name={fn.name} unit={units[0]} />
          {read.data.real && (
            <div className="mt-2 border-line border-t pt-2" data-testid="real-answer">
              <p className="mb-1 text-soft text-xs">Without overrides</p>
              <Returned values={read.data.real} name={fn.name} unit={units[0]} />
            </div>
          )}
        </div>
      )}
      {write.data && (
        <p role="status" className="text-sm">
          <span className="text-good">Sent</span> <TransactionLink hash={write.data} />
        </p>
      )}
    </form>
  )
}

type TransactionProps = {
  isPayable: boolean
  /** Who sends it if `from` is empty. */
  sender: string
  from: string
  onFrom(text: string): void
  value: string
  onValue(text: string): void
}

/** Who sends a transaction, and the amount that it sends. */
function TransactionFields({ isPayable, sender, from, onFrom, value, onValue }: TransactionProps) {
  const currency = useCurrency()
  const senders = useSenders()
  const connected = useConnected()
  return (
    <div className="grid gap-2.5 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <TextField
        label="From"
        hint={
          connected && sameAddress(connected.account, sender)
            ? `signed by ${connected.wallet.name}`
            : 'any address; impersonated if needed'
        }
        className="hex"
        list="senders"
        value={from}
        placeholder={sender}
        onChange={(event) => onFrom(event.target.value)}
      />
      <TextField
        label="Value"
        hint={currency}
        disabled={!isPayable}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
      <datalist id="senders">
        {connected && (
          <option value={connected.account}>{`${connected.wallet.name} ${shorten(connected.account)}`}</option>
        )}
        {senders.data?.funded.map((one, index) => (
          <option key={one} value={one}>{`Account ${index} ${shorten(one)}`}</option>
        ))}
        {senders.data?.impersonated.map((one) => (
          <option key={`i${one}`} value={one}>{`impersonated ${shorten(one)}`}</option>
        ))}
      </datalist>
    </div>
  )
}

type ReturnedProps = { values: readonly NamedValue[]; name: string; unit: Unit | undefined }

/** What a function returned; an amount of the token in its unit too. */
function Returned({ values, name, unit }: ReturnedProps) {
  const [only] = amountsOf(name, values)
  if (!only) return <span className="text-soft">No return value</span>
  return (
    <>
      <Values values={values} />
      {unit && isAmount(only) && <Amount value={BigInt(valueText(only.value))} token={unit} />}
    </>
  )
}
