import { useState } from 'react'
import { type Address, formatEther, type Hex, numberToHex, pad } from 'viem'
import { parseAmount } from '../../../format/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { TextArea, TextField } from '../../../ui/forms/Field.tsx'
import { InlineForm } from '../../../ui/forms/InlineForm.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type AccountState, useAccount, useSetBalance, useSetCode, useSetNonce, useSetSlot } from '../api/account.ts'

/** Writes to the account, without a transaction. */
export function StateEditor({ address }: { address: Address }) {
  const query = useAccount(address)
  return (
    <Panel padded title="Edit account" note="Changes apply immediately, without a transaction.">
      <Loaded query={query} what="account" rows={4}>
        {(account) => <Editor address={address} account={account} />}
      </Loaded>
    </Panel>
  )
}

function Editor({ address, account }: { address: Address; account: AccountState }) {
  const setBalance = useSetBalance(address)
  const setNonce = useSetNonce(address)
  const currency = useCurrency()
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Write
        label="Balance"
        hint={currency}
        first={formatEther(account.balance)}
        busy={setBalance.isPending}
        onWrite={(text) => setBalance.mutate(parseAmount(text, 18))}
      />
      <Write
        label="Nonce"
        first={String(account.nonce)}
        busy={setNonce.isPending}
        onWrite={(text) => setNonce.mutate(text.trim())}
      />
      <SlotWrite address={address} />
      <CodeWrite address={address} />
    </div>
  )
}

/** One value and a button. An invalid value shows its error at once. */
function Write(props: { label: string; hint?: string; first: string; busy: boolean; onWrite: (text: string) => void }) {
  const [text, setText] = useState(props.first)
  const [problem, setProblem] = useState<string>()
  return (
    <InlineForm
      submit={`Set ${props.label.toLowerCase()}`}
      busy={props.busy}
      onSubmit={() => setProblem(attempt(() => props.onWrite(text)))}
    >
      <div className="grow">
        <TextField
          label={props.label}
          hint={props.hint}
          value={text}
          error={problem}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </InlineForm>
  )
}

function SlotWrite({ address }: { address: Address }) {
  const [slot, setSlot] = useState('')
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const set = useSetSlot(address)
  return (
    <InlineForm
      submit="Set slot"
      busy={set.isPending}
      disabled={!slot || !value}
      onSubmit={() => setProblem(attempt(() => set.mutate({ slot: slot.trim(), word: wordFrom(value.trim()) })))}
    >
      <div className="w-32">
        <TextField label="Slot" hint="number or hex" value={slot} onChange={(event) => setSlot(event.target.value)} />
      </div>
      <div className="grow">
        <TextField
          label="Value"
          hint="number or hex"
          value={value}
          error={problem}
          onChange={(event) => setValue(event.target.value)}
        />
      </div>
    </InlineForm>
  )
}

function CodeWrite({ address }: { address: Address }) {
  const [code, setCode] = useState('')
  const set = useSetCode(address)
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        set.mutate(code.trim() as Hex)
      }}
    >
      <TextArea
        label="Code"
        hint="runtime bytecode; 0x removes the code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" busy={set.isPending} disabled={!code}>
        Set code
      </Button>
    </form>
  )
}

const wordFrom = (text: string): Hex =>
  text.startsWith('0x') ? pad(text as Hex, { size: 32 }) : numberToHex(BigInt(text), { size: 32 })

/** The error that `act` throws, in words. */
function attempt(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof SyntaxError ? 'Enter a whole number or hex' : (error as Error).message
  }
}
