import { useMemo } from 'react'
import { highlight, type Token, type TokenKind } from '../lib/highlight/highlight.ts'
import { VirtualList } from '../ui/VirtualList.tsx'

const tones: Record<TokenKind, string> = {
  comment: 'text-soft italic',
  string: 'text-good',
  number: 'text-warn',
  keyword: 'text-accent',
  type: 'text-bad',
  plain: '',
}

/** Source text with line numbers. Only the visible lines are rendered. */
export function CodeView({ source, path }: { source: string; path: string }) {
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
          <CodeLine tokens={tokens} />
        </div>
      )}
    </VirtualList>
  )
}

/** One line of source text, in colors. */
export function CodeLine({ tokens }: { tokens: readonly Token[] }) {
  return (
    <code className="min-w-0 whitespace-pre-wrap break-words">
      {tokens.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a line never change places
        <span key={index} className={tones[kind]}>
          {text}
        </span>
      ))}
    </code>
  )
}
