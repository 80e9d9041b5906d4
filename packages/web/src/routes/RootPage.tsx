import { SearchBox } from '../features/search/components/SearchBox.tsx'
import { Frame } from '../features/shell/components/Frame.tsx'

/** The frame of every page, with its search. */
export function RootPage() {
  return <Frame search={<SearchBox />} />
}
