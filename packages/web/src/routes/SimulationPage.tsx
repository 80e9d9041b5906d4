import { useParams } from '@tanstack/react-router'
import { StoredSimulation } from '../features/simulator/components/StoredSimulation.tsx'

export function SimulationPage() {
  const { id } = useParams({ from: '/simulation/$id' })
  return <StoredSimulation key={id} id={id} />
}
