import { divergencesAsJunit } from '@understudy/client/divergences'
import { useAction } from '../../../lib/actions/useAction.ts'
import { Button } from '../../../ui/Button.tsx'
import { download } from '../../../ui/download.ts'
import { loadReport } from '../api/shadow.ts'

/** Offers what diverged as files. */
export function ExportDivergences() {
  const json = useAction(async () => {
    const { divergences } = await loadReport()
    download('divergences.json', JSON.stringify(divergences, null, 2), 'application/json')
  })
  const junit = useAction(async () => {
    const { divergences, same } = await loadReport()
    const reported = divergences.filter(({ kind }) => kind !== 'unreproducible')
    download('divergences.xml', divergencesAsJunit(reported, { name: 'divergences', same }), 'application/xml')
  })
  return (
    <>
      <Button busy={json.isPending} onClick={() => json.mutate()}>
        JSON
      </Button>
      <Button busy={junit.isPending} onClick={() => junit.mutate()}>
        JUnit
      </Button>
    </>
  )
}
