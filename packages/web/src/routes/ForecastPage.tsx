import { ForecastPanel } from '../features/forecast/components/ForecastPanel.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function ForecastPage() {
  return (
    <>
      <PageTitle tab="Forecast" title="Forecast" />
      <ForecastPanel />
    </>
  )
}
