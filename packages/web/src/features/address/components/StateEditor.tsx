import { useState } from 'react'
import { type Address, formatEther, type Hex, numberToHex } from 'viem'
import { parseAmount } from '../../../lib/format/amount.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextArea, TextField } from '../../../ui/Field.tsx'
import { InlineForm } from '../../../ui/InlineForm.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type AccountState, useAccount, useAccountAction } from '../api/account.ts'

/** Writes to the account, at once and without a transaction. */
export function StateEditor({ address }: { address: Address }) {
  const query = useAccount(address)
  return (
    <Panel padded title="Edit state" note="takes effect at once, without a transaction">
      <Loaded query={query} what="the account" rows={4}>
        {(account) => <Editor address={address} account={account} />}
      </Loaded>
    </Panel>
  )
}

function Editor({ address, account }: { address: Address; account: AccountState }) {
  const act = useAccountAction()
  const set = (done: string, change: () => Promise<unknown>) => act.mutate({ change, done })
  const toWord = (text: string) =>
    text.startsWith('0x') ? (`0x${text.slice(2).padStart(64, '0')}` as Hex) : numberToHex(BigInt(text), { size: 32 })
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Write
        label="Balance"
        hint="ETH"
        first={formatEther(account.balance)}
        busy={act.isPending}
        onWrite={(text) => {
          const wei = parseAmount(text, 18)
          set('The balance is set', () => rpc('dev_setBalance', address, wei))
        }}
      />
      <Write
        label="Nonce"
        first={String(account.nonce)}
        busy={act.isPending}
        onWrite={(text) => set('The nonce is set', () => rpc('dev_setNonce', address, text.trim()))}
      />
      <SlotWrite
        busy={act.isPending}
        onWrite={(slot, value) => {
          const word = toWord(value)
          set('The slot is set', () => rpc('dev_setStorageAt', address, slot, word))
        }}
      />
      <CodeWrite
        busy={act.isPending}
        onWrite={(code) => set('The code is set', () => rpc('dev_setCode', address, code as Hex))}
      />
    </div>
  )
}

/** One value and a button; a value that cannot be read says so in place. */
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

function SlotWrite({ busy, onWrite }: { busy: boolean; onWrite: (slot: string, value: string) => void }) {
  const [slot, setSlot] = useState('')
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <InlineForm
      submit="Set slot"
      busy={busy}
      disabled={!slot || !value}
      onSubmit={() => setProblem(attempt(() => onWrite(slot.trim(), value.trim())))}
    >
      <div className="w-32">
        <TextField label="Slot" hint="number or 0x" value={slot} onChange={(event) => setSlot(event.target.value)} />
      </div>
      <div className="grow">
        <TextField
          label="Value"
          hint="number or 0x"
          value={value}
          error={problem}
          onChange={(event) => setValue(event.target.value)}
        />
      </div>
    </InlineForm>
  )
}

function CodeWrite({ busy, onWrite }: { busy: boolean; onWrite: (code: string) => void }) {
  const [code, setCode] = useState('')
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        onWrite(code.trim())
      }}
    >
      <TextArea
        label="Code"
        hint="runtime bytecode; 0x removes it"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" busy={busy} disabled={!code}>
        Set code
      </Button>
    </form>
  )
}

function attempt(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof SyntaxError ? 'Write a whole number, or 0x-hex' : (error as Error).message
  }
}
