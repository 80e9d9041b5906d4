import type { Abi, Hex } from 'viem'
import { ArgumentField } from '../../../components/ArgumentField.tsx'
import { isAnyAddress, shorten } from '../../../format/hash.ts'
import { decodeCall } from '../../../lib/abi/decode.ts'
import { functionsOf, selectorOf, signatureOf } from '../../../lib/abi/functions.ts'
import { valueText } from '../../../lib/abi/value.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
import { useArgumentUnits } from '../../../lib/contracts/argumentUnits.ts'
import type { CallDraft } from '../../../lib/simulation/scenario.ts'
import { useCurrency } from '../../../ui/currency.ts'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx'

type Props = { call: CallDraft; onChange: (call: CallDraft) => void }

/** Functions offered for a contract, at most. */
const functionLimit = 500

/** One call: by the function and its arguments when the ABI is known, or by raw data. */
export function CallEditor({ call, onChange }: Props) {
  const currency = useCurrency()
  const { data: known } = useAbi(isAnyAddress(call.to) ? call.to : undefined)
  const functions = functionsOf(known?.abi ?? []).slice(0, functionLimit)
  const { fn, args } = decoded(call, known?.abi)
  const units = useArgumentUnits(call.to, args)
  const chosen = functions.find((one) => selectorOf(one) === fn)
  const set = (part: Partial<CallDraft>) => onChange({ ...call, ...part })
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <AddressField label="From" value={call.from} onChange={(from) => set({ from })} />
      <AddressField
        label="To"
        hint="leave empty to create a contract"
        isRequired={false}
        value={call.to}
        onChange={(to) => set({ to })}
      />
      <SelectField
        label="Function"
        value={chosen ? fn : ''}
        onChange={({ target }) => set({ fn: target.value, args: [] })}
      >
        <option value="">Raw data</option>
        {functions.map((one) => (
          <option key={selectorOf(one)} value={selectorOf(one)}>
            {shorten(signatureOf(one), { head: 70, tail: 20 })}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Value"
        hint={currency}
        value={call.value}
        onChange={(event) => set({ value: event.target.value })}
      />
      {chosen ? (
        chosen.inputs.map((input, index) => (
          <ArgumentField
            // biome-ignore lint/suspicious/noArrayIndexKey: parameters have an order and may have no name
            key={index}
            parameter={input}
            label={shorten(input.name || `argument ${index}`, { head: 30, tail: 10 })}
            units={units}
            text={args[index] ?? ''}
            onChange={(changed) =>
              set({ fn, args: chosen.inputs.map((_, at) => (at === index ? changed : (args[at] ?? ''))) })
            }
          />
        ))
      ) : (
        <div className="md:col-span-2">
          <TextArea
            label="Data"
            hint="hex"
            value={call.data}
            onChange={(event) => set({ fn: '', data: event.target.value })}
          />
        </div>
      )}
    </div>
  )
}

/** The function and the arguments of a call: those that were entered, or those of its data. */
function decoded({ fn, args, data }: CallDraft, abi: Abi | undefined): Pick<CallDraft, 'fn' | 'args'> {
  if (fn || !abi || !/^0x[0-9a-f]{8}/i.test(data)) return { fn, args }
  const call = decodeCall([abi], data as Hex)
  return call
    ? { fn: data.slice(0, 10).toLowerCase(), args: call.values.map(({ value }) => valueText(value)) }
    : { fn, args }
}
