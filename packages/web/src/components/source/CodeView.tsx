import { useMemo } from 'react'
import { highlight, type Token, type TokenKind } from '../../lib/highlight/highlight.ts'
import { VirtualList } from '../../ui/VirtualList.tsx'

const tones: Record<TokenKind, string> = {
  comment: 'text-soft italic',
  string: 'text-good',
  number: 'text-warn',
  keyword: 'text-accent',
  type: 'text-bad',
  plain: '',
}

type Props = {
  source: string
  path: string
  /** Whether lines with code were reached, by number: marked beside it. */
  reached?: ReadonlyMap<number, boolean> | undefined
}

/** Source text with line numbers. Only the visible lines are rendered. */
export function CodeView({ source, path, reached }: Props) {
  const lines = useMemo(
    () => highlight(source.replace(/\n$/, ''), path).map((tokens, index) => ({ tokens, number: index + 1 })),
    [source, path],
  )
  return (
    <VirtualList
      items={lines}
      rowHeight={20}
      keyOf={({ number }) => String(number)}
      label={`Lines of ${path}`}
      divided={false}
    >
      {({ tokens, number }) => (
        <div className="hex flex min-h-5 px-3 text-xs leading-5">
          <span aria-hidden="true" className="number w-12 shrink-0 select-none pr-4 text-right text-soft">
            {number}
          </span>
          {reached && <Reached isReached={reached.get(number)} />}
          <CodeLine tokens={tokens} />
        </div>
      )}
    </VirtualList>
  )
}

/** The mark of a line that was reached or not; lines without code have none. */
function Reached({ isReached }: { isReached: boolean | undefined }) {
  const look = isReached ? 'border-good text-good' : 'border-bad text-bad'
  return (
    <span
      className={`mr-2 w-6 shrink-0 select-none border-l-4 pl-1 ${isReached === undefined ? 'border-transparent' : look}`}
    >
      {isReached !== undefined && (
        <>
          <span aria-hidden="true">{isReached ? '✓' : '✗'}</span>
          <span className="sr-only">{isReached ? 'reached: ' : 'not reached: '}</span>
        </>
      )}
    </span>
  )
}

/** One line of source text, in colors. */
export function CodeLine({ tokens }: { tokens: readonly Token[] }) {
  return (
    <code className="min-w-0 whitespace-pre-wrap break-words">
      {tokens.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a line never change their order
        <span key={index} className={tones[kind]}>
          {text}
        </span>
      ))}
    </code>
  )
}
