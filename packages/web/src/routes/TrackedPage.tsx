import { useNavigate, useSearch } from '@tanstack/react-router'
import { TrackedBoard } from '../features/tracking/components/TrackedBoard.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function TrackedPage() {
  const { ids, period, tag, address, fn, args } = useSearch({ from: '/tracked' })
  const navigate = useNavigate({ from: '/tracked' })
  return (
    <>
      <PageTitle tab="Tracked values" title="Tracked values" />
      <TrackedBoard
        chosen={ids?.split(',').filter(Boolean)}
        period={period}
        tag={tag}
        prefilled={address === undefined ? undefined : { address, fn, args }}
        onChange={(change) =>
          void navigate({
            search: ({ ids: chosen, period: window, tag: only }) => ({
              ids: chosen,
              period: window,
              tag: only,
              ...change,
            }),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </>
  )
}
