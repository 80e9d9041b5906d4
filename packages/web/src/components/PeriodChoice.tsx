import { type Period, periods } from '../lib/period/period.ts'
import { Choice } from '../ui/Choice.tsx'

const names: Record<Period, string> = { '10min': '10 min', '1h': '1 h', '1d': '1 d', '1w': '1 w', '1m': '1 month' }
const options = [...periods.map((id) => ({ id, name: names[id] })), { id: undefined, name: 'All' }]

type Props = { period: Period | undefined; onPeriod: (period: Period | undefined) => void }

export function PeriodChoice({ period, onPeriod }: Props) {
  return <Choice label="Period" options={options} chosen={period} onChoose={onPeriod} />
}
