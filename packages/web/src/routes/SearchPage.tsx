import { useSearch } from '@tanstack/react-router'
import { SearchResults } from '../features/search/components/SearchResults.tsx'

export function SearchPage() {
  const { q } = useSearch({ from: '/search' })
  return <SearchResults text={q} />
}
