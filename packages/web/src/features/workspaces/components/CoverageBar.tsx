import { Age } from '../../../ui/Age.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Coverage, useCoverageSwitch } from '../api/coverage.ts'

type Ratio = Coverage['contracts'][number]['lines']

/** The coverage of a contract in percent, and the switch of the network's coverage. */
export function CoverageBar({ coverage }: { coverage: Coverage }) {
  const change = useCoverageSwitch()
  const { isRunning, startedAt } = coverage
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1.5 text-xs">
      <span className="font-medium">Coverage</span>
      <Figures coverage={coverage} />
      {startedAt !== null && (
        <span className="text-soft">
          {isRunning ? 'counting since ' : 'stopped; counted from '}
          <Age at={Date.parse(startedAt)} />
        </span>
      )}
      <Button needs="admin" busy={change.isPending} onClick={() => change.mutate(!isRunning)} className="ml-auto">
        {isRunning ? 'Stop' : startedAt === null ? 'Start' : 'Start anew'}
      </Button>
    </div>
  )
}

function Figures({ coverage: { contracts, startedAt } }: { coverage: Coverage }) {
  const [contract] = contracts
  if (startedAt === null)
    return (
      <span className="text-soft">
        Off. While it is on, the lines are marked that transactions and calls reach, in any imported contract.
      </span>
    )
  if (!contract)
    return <span className="text-soft">Nothing to count: import the compiled contract with understudy push.</span>
  if (!contract.hasLines)
    return <span className="text-soft">Nothing to count: the contract was imported without source maps.</span>
  return (
    <>
      <Share what="lines" ratio={contract.lines} />
      <Share what="branches" ratio={contract.branches} />
      <Share what="functions" ratio={contract.functions} />
    </>
  )
}

function Share({ what, ratio: { reached, total } }: { what: string; ratio: Ratio }) {
  if (total === 0) return null
  return (
    <span>
      <span className="number">{Math.floor((100 * reached) / total)} %</span> of {what}{' '}
      <span className="text-soft">
        ({reached} of {total})
      </span>
    </span>
  )
}
