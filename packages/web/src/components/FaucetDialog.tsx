import { useState } from 'react'
import type { Address } from 'viem'
import { parseAmount } from '../format/amount.ts'
import { isAnyAddress } from '../format/hash.ts'
import { useToken } from '../lib/contracts/token.ts'
import { type Gift, useFund } from '../lib/state/faucet.ts'
import { useCurrency } from '../ui/currency.ts'
import { AddressField } from '../ui/forms/AddressField.tsx'
import { SelectField, TextField } from '../ui/forms/Field.tsx'
import { FormDialog } from '../ui/forms/FormDialog.tsx'

type Props = {
  /** The recipient; a field asks for it when left out. */
  to?: Address
  onClose: () => void
}

/** Gives an account ether, or any ERC-20 token. */
export function FaucetDialog({ to: first, onClose }: Props) {
  const [to, setTo] = useState(first ?? '')
  const [asset, setAsset] = useState<'ether' | 'token'>('ether')
  const [token, setToken] = useState<Address | ''>('')
  const [amount, setAmount] = useState('100')
  const [how, setHow] = useState<Gift['how']>('add')
  const [problem, setProblem] = useState<string>()
  const { data: known } = useToken(asset === 'token' && isAnyAddress(token) ? token : undefined)
  const fund = useFund()
  const currency = useCurrency()
  const unit = asset === 'ether' ? { symbol: currency, decimals: 18 } : known
  const submit = () => {
    setProblem(undefined)
    if (!unit) return setProblem('Enter the address of an ERC-20 token')
    try {
      const gift = { to: to as Address, amount: parseAmount(amount, unit.decimals), how }
      fund.mutate(asset === 'ether' ? gift : { ...gift, token: token as Address }, { onSuccess: onClose })
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <FormDialog title="Faucet" submit="Fund" action={fund} onSubmit={submit} onClose={onClose}>
      <AddressField value={to} onChange={setTo} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField label="Asset" value={asset} onChange={(event) => setAsset(event.target.value as typeof asset)}>
          <option value="ether">{currency}</option>
          <option value="token">ERC-20 token</option>
        </SelectField>
        <SelectField label="Action" value={how} onChange={(event) => setHow(event.target.value as Gift['how'])}>
          <option value="add">Add to balance</option>
          <option value="set">Set balance</option>
        </SelectField>
      </div>
      {asset === 'token' && (
        <AddressField label="Token" hint={tokenHint(token, known)} value={token} onChange={setToken} />
      )}
      <TextField
        label="Amount"
        hint={unit?.symbol}
        inputMode="decimal"
        value={amount}
        error={problem}
        onChange={(event) => setAmount(event.target.value)}
      />
    </FormDialog>
  )
}

function tokenHint(address: string, known: ReturnType<typeof useToken>['data']): string {
  if (known) return `${known.name}, ${known.decimals} decimals`
  return known === null && address !== '' ? 'not an ERC-20 token' : 'token address'
}
