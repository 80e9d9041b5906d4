import {
  type AccountDraft,
  emptyAccount,
  type HeaderDraft,
  headerFields,
  scenarioLimit,
} from '../../../lib/simulation/scenario.ts'
import { Button } from '../../../ui/Button.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { TextArea, TextField } from '../../../ui/forms/Field.tsx'

type AccountsProps = { accounts: readonly AccountDraft[]; onChange: (accounts: readonly AccountDraft[]) => void }

/** What accounts have in the simulation instead of their state. */
export function AccountEditors({ accounts, onChange }: AccountsProps) {
  const currency = useCurrency()
  return (
    <div className="space-y-3">
      {accounts.map((account, index) => {
        const set = (part: Partial<AccountDraft>) =>
          onChange(accounts.map((one, at) => (at === index ? { ...one, ...part } : one)))
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: drafts have no other identity
            key={index}
            className="grid gap-3 rounded-md border border-line p-3 md:grid-cols-2"
          >
            <legend className="px-1 text-soft text-xs">State override {index + 1}</legend>
            <AddressField value={account.address} onChange={(address) => set({ address })} />
            <div className="grid grid-cols-2 gap-3">
              <TextField
                label="Balance"
                hint={currency}
                value={account.balance}
                onChange={(event) => set({ balance: event.target.value })}
              />
              <TextField label="Nonce" value={account.nonce} onChange={(event) => set({ nonce: event.target.value })} />
            </div>
            <TextArea
              label="Code"
              hint="hex"
              value={account.code}
              onChange={(event) => set({ code: event.target.value })}
            />
            <TextArea
              label="Slots"
              hint="one per line: slot = value"
              placeholder="0x1 = 0x2a"
              value={account.slots}
              onChange={(event) => set({ slots: event.target.value })}
            />
            <div>
              <Button tone="danger" onClick={() => onChange(accounts.filter((_, at) => at !== index))}>
                Remove override
              </Button>
            </div>
          </fieldset>
        )
      })}
      <Button disabled={accounts.length >= scenarioLimit} onClick={() => onChange([...accounts, emptyAccount])}>
        Add state override
      </Button>
    </div>
  )
}

const labels: HeaderDraft = {
  number: 'Block number',
  time: 'Time',
  baseFee: 'Base fee',
  feeRecipient: 'Fee recipient',
  gasLimit: 'Gas limit',
  prevRandao: 'prevRandao',
}
const hints: Partial<HeaderDraft> = { time: 'Unix seconds', baseFee: 'wei' }

/** The fields of the simulated block. */
export function HeaderEditor({ header, onChange }: { header: HeaderDraft; onChange: (header: HeaderDraft) => void }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {headerFields.map((field) => (
        <TextField
          key={field}
          label={labels[field]}
          hint={hints[field]}
          className="hex"
          value={header[field]}
          onChange={(event) => onChange({ ...header, [field]: event.target.value })}
        />
      ))}
    </div>
  )
}
