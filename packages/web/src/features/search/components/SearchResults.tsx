import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { shorten } from '../../../format/hash.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useFound } from '../api/search.ts'
import { linkTo, titleOf } from './links.ts'

/** A search for nothing finds nothing. */
const nothing = { data: [], isError: false, error: undefined, refetch() {} }

/** The results of a search. A single result opens immediately. */
export function SearchResults({ text }: { text: string }) {
  const query = useFound(text)
  const navigate = useNavigate()
  const only = query.data?.length === 1 ? query.data[0] : undefined
  useEffect(() => {
    if (only) void navigate({ ...linkTo(only), replace: true })
  }, [only, navigate])
  return (
    <>
      <PageTitle tab={`Search ${text}`} title="Search" note={`“${text}”`} />
      <Panel>
        <Loaded query={text.trim() === '' ? nothing : query} what="results" rows={4}>
          {(found) =>
            found.length === 0 ? (
              <Empty title="No results">
                Search for a transaction or block hash, an address, a block number, or the name of a workspace, a token,
                a function, an event, a tracked value or an account.
              </Empty>
            ) : (
              <ul className="divide-y divide-line">
                {found.map((one) => (
                  <li key={JSON.stringify(one)}>
                    <Link {...linkTo(one)} className="flex h-10 items-center gap-3 px-3 hover:bg-raised">
                      <Badge>{one.kind}</Badge>
                      <span className="truncate">{titleOf(one)}</span>
                      {'address' in one && one.address && (
                        <span className="hex ml-auto text-soft text-xs">{shorten(one.address)}</span>
                      )}
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}
