import { SearchBox } from '../features/search/components/SearchBox.tsx'
import { Shell } from '../features/shell/components/Shell.tsx'

/** The frame of every page, with its search. */
export function RootPage() {
  return <Shell search={<SearchBox />} />
}
