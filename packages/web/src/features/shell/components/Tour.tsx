import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { tour } from '../../../lib/tour/tour.ts'
import { Button, buttonStyle } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'

const steps = [
  {
    title: 'A network that stays in sync',
    text: 'State that you have not touched reads the live chain. What you change is frozen at your value. “Differences from the live chain” on the network page lists it.',
    to: '/',
    link: 'Network',
  },
  {
    title: 'Follow',
    text: 'A followed account or slot always reads the head of the live chain, even after transactions here have changed it.',
    to: '/',
    link: 'Network',
  },
  {
    title: 'Override',
    text: 'An override changes what a function of a contract returns, to every caller: set the price that an oracle reports.',
    to: '/overrides',
    link: 'Overrides',
  },
  {
    title: 'Track',
    text: 'Record a balance, a slot or the result of a function after every transaction or block, and see it as a chart.',
    to: '/tracked',
    link: 'Tracked values',
  },
  {
    title: 'Import',
    text: 'Drop a Foundry or Hardhat project to see its contracts by name, with decoded calls, events and variables.',
    to: '/import',
    link: 'Import',
  },
] as const

/** What the network can do, in a few steps beside the page. Escape ends it. */
export function Tour() {
  const [index, setIndex] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (tour.wasAsked()) heading.current?.focus()
  }, [])
  const step = steps[index] ?? steps[0]
  const isLast = index === steps.length - 1
  return (
    <section
      aria-label="Tour"
      onKeyDown={(event) => event.key === 'Escape' && tour.end()}
      className="fixed right-3 bottom-3 left-3 z-40 rounded-xl border border-accent bg-panel p-4 shadow-2xl sm:left-auto sm:w-96"
    >
      <div className="flex items-start gap-2">
        <h2 ref={heading} tabIndex={-1} className="font-semibold text-sm">
          {step.title}
        </h2>
        <button
          type="button"
          aria-label="End tour"
          onClick={tour.end}
          className="-mt-0.5 ml-auto grid size-6 shrink-0 place-items-center rounded text-soft hover:bg-raised hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </div>
      <p aria-live="polite" className="mt-1 text-soft text-sm">
        {step.text}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <span className="number text-soft text-xs">
          {index + 1} of {steps.length}
        </span>
        <Link to={step.to} className={`${buttonStyle('quiet')} ml-auto`}>
          Open {step.link}
        </Link>
        {index > 0 && <Button onClick={() => setIndex(index - 1)}>Back</Button>}
        <Button tone="primary" onClick={() => (isLast ? tour.end() : setIndex(index + 1))}>
          {isLast ? 'Done' : 'Next'}
        </Button>
      </div>
    </section>
  )
}
