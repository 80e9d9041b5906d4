import { tour } from '../../../lib/tour/tour.ts'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'

/** Starts the tour of the first visit again. */
export function TourPanel() {
  return (
    <Panel padded title="Tour">
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-soft text-sm">What you can do here, in five steps: follow, override, track and import.</p>
        <Button onClick={tour.start}>Show tour</Button>
      </div>
    </Panel>
  )
}
