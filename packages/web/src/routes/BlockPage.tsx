import { useParams } from '@tanstack/react-router'
import { BlockDetails } from '../features/blocks/components/BlockDetails.tsx'

export function BlockPage() {
  const { id } = useParams({ from: '/block/$id' })
  return <BlockDetails id={id} />
}
