import { recordTriggers, trackedTypes } from '@understudy/client/methods'
import { useState } from 'react'
import { type Address, numberToHex } from 'viem'
import { signatureOf } from '../../../lib/abi/functions.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { type TrackedDefinition, type TrackedItem, useSaveTracked } from '../api/tracked.ts'

type Props = {
  /** The item to edit; a new one when left out. */
  item?: TrackedItem
  prefilled?: { address: string; fn?: string; args?: string }
  onClose: () => void
}

const names: Record<string, string> = {
  'native-token-balance': 'Ether balance',
  'erc20-balance': 'Token balance',
  'function-result': 'Function result',
  'storage-variable': 'Storage slot',
  'every-tx': 'After every transaction',
  'every-n-blocks': 'Every N blocks',
  cron: 'Every N seconds',
}

/** Defines what is recorded, and when. */
export function TrackedForm({ item, prefilled, onClose }: Props) {
  const [fields, setFields] = useState(() => (item ? fieldsOf(item) : prefilledFields(prefilled)))
  const save = useSaveTracked()
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const field = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  const { type, trigger } = fields
  const isToken = type === 'erc20-balance'
  return (
    <Panel padded title={item ? `Edit ${item.name}` : 'Track value'}>
      <form
        className="grid gap-3 md:grid-cols-2 xl:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ id: item?.id, definition: definitionOf(fields) }, { onSuccess: onClose })
        }}
      >
        <SelectField label="Value" {...field('type')}>
          {trackedTypes.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </SelectField>
        <TextField label="Name" placeholder="Treasury" {...field('name')} />
        <TextField
          label={isToken ? 'Token' : type === 'native-token-balance' ? 'Account' : 'Contract'}
          className="hex"
          placeholder="0x…"
          {...field('address')}
        />
        {isToken && <TextField label="Holder" className="hex" placeholder="0x…" {...field('args')} />}
        {type === 'storage-variable' && (
          <TextField label="Slot" hint="number or 32-byte key" className="hex" {...field('args')} />
        )}
        {type === 'function-result' && (
          <>
            <TextField
              label="Function"
              hint="signature or ABI fragment"
              className="hex"
              placeholder="function totalSupply() view returns (uint256)"
              {...field('abi')}
            />
            <TextField label="Arguments" hint="JSON array" className="hex" placeholder="[]" {...field('args')} />
            <TextField
              label="Output path"
              hint="reserve0 or 0.amount; leave empty for the whole result"
              className="hex"
              {...field('path')}
            />
          </>
        )}
        <SelectField label="Record" {...field('trigger')}>
          {recordTriggers.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </SelectField>
        {trigger !== 'every-tx' && (
          <TextField label={trigger === 'cron' ? 'Seconds' : 'Blocks'} inputMode="numeric" {...field('frequency')} />
        )}
        <TextField label="Tags" hint="comma-separated" {...field('tags')} />
        {save.isError && (
          <div className="md:col-span-2 xl:col-span-3">
            <Problem error={save.error} />
          </div>
        )}
        <div className="flex items-center gap-2 md:col-span-2 xl:col-span-3">
          <Button type="submit" tone="primary" busy={save.isPending}>
            {item ? 'Save' : 'Track'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {item && (
            <span className="text-soft text-xs">
              Changing what is tracked deletes its history. Changing the name, tags or schedule does not.
            </span>
          )}
        </div>
      </form>
    </Panel>
  )
}

type Fields = Record<'type' | 'name' | 'address' | 'abi' | 'args' | 'path' | 'trigger' | 'frequency' | 'tags', string>

const empty: Fields = {
  type: 'native-token-balance',
  name: '',
  address: '',
  abi: '',
  args: '',
  path: '',
  trigger: 'every-tx',
  frequency: '',
  tags: '',
}

function prefilledFields(prefilled: Props['prefilled']): Fields {
  if (!prefilled?.fn) return { ...empty, address: prefilled?.address ?? '' }
  const fn = JSON.parse(prefilled.fn)
  return {
    ...empty,
    type: 'function-result',
    address: prefilled.address,
    abi: prefilled.fn,
    args: prefilled.args ?? '',
    name: signatureOf(fn),
  }
}

function fieldsOf(item: TrackedItem): Fields {
  const isSingle = item.type === 'erc20-balance' || item.type === 'storage-variable'
  return {
    type: item.type,
    name: item.name,
    address: item.address,
    abi: item.functionAbi ?? '',
    args: isSingle ? String(JSON.parse(item.functionArgs ?? '[""]')[0]) : (item.functionArgs ?? ''),
    path: item.functionOutputPath ?? '',
    trigger: item.recordTrigger,
    frequency: item.trackingFrequency?.toString() ?? '',
    tags: item.tags.join(', '),
  }
}

/** `null` clears the fields that the selected type does not have. */
function definitionOf({ type, name, address, abi, args, path, trigger, frequency, tags }: Fields): TrackedDefinition {
  const isFunction = type === 'function-result'
  return {
    address: address.trim() as Address,
    name: name.trim(),
    type: type as TrackedDefinition['type'],
    functionAbi: isFunction ? abi.trim() : null,
    functionArgs: argsOf(type, args.trim()),
    functionOutputPath: isFunction && path.trim() ? path.trim() : null,
    recordTrigger: trigger as TrackedDefinition['recordTrigger'],
    trackingFrequency: trigger === 'every-tx' ? null : Number(frequency),
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  }
}

function argsOf(type: string, args: string): string | null {
  if (type === 'native-token-balance') return null
  if (type === 'function-result') return args || null
  const word = type === 'storage-variable' && /^\d+$/.test(args) ? numberToHex(BigInt(args), { size: 32 }) : args
  return JSON.stringify([word])
}
