/** A function, constructor or modifier of a Solidity source. Offsets are in the bytes of the file. */
export type SourceFunction = {
  /** With its contract: `Token.transfer`. */
  name: string
  start: number
  /** Where its body begins. */
  body: number
  end: number
  /** The function that it is in, as functions of assembly are. */
  outer: SourceFunction | undefined
}

type Begun = { kind: 'contract' | 'function'; name: string; start: number }
/** An open brace: what it begins, and how many parentheses were open before it. */
type Open = { item: Begun | undefined; at: number | undefined; depth: number }

/** Functions that are nested deeper, which only assembly has, belong to the one around them. */
const depthLimit = 16

/** The words and braces of a source that matter here; comments and strings are matched to be passed over. */
const token = /\/\/[^\n]*|\/\*|["']|[A-Za-z_$][\w$]*|[{}();]/g

/** The functions of a source, outer ones before those in them. `bytes` has one character for each byte of the file. */
export function functionsOf(bytes: string): SourceFunction[] {
  const functions: SourceFunction[] = []
  const open: Open[] = []
  /** The functions that are open. */
  const around: SourceFunction[] = []
  let contract = ''
  let pending: Begun | undefined
  let depth = 0
  let keyword: { word: string; start: number } | undefined
  token.lastIndex = 0
  for (let match = token.exec(bytes); match; match = token.exec(bytes)) {
    const [text] = match
    const start = match.index
    if (text === '/*') token.lastIndex = endOf(bytes, '*/', start + 2)
    else if (text === '"' || text === "'") token.lastIndex = endOfString(bytes, text, start + 1)
    else if (text.startsWith('//')) continue
    else if (text === '(') {
      if (keyword) pending = begun(keyword, undefined, contract)
      keyword = undefined
      depth++
    } else if (text === ')') depth--
    else if (text === ';') {
      if (depth <= 0) pending = undefined
      keyword = undefined
    } else if (text === '{') {
      const item = pending ?? (keyword && begun(keyword, undefined, contract))
      if (item?.kind === 'contract') contract = item.name
      const at = item?.kind === 'function' && around.length < depthLimit ? functions.length : undefined
      if (item && at !== undefined) {
        const made = { name: item.name, start: item.start, body: start, end: bytes.length, outer: around.at(-1) }
        functions.push(made)
        around.push(made)
      }
      open.push({ item, at, depth })
      pending = undefined
      keyword = undefined
      depth = 0
    } else if (text === '}') {
      const closed = open.pop()
      if (closed?.item?.kind === 'contract') contract = ''
      const found = closed?.at === undefined ? undefined : functions[closed.at]
      if (found) {
        found.end = start + 1
        around.pop()
      }
      depth = closed?.depth ?? 0
      pending = undefined
    } else if (keyword) {
      pending = begun(keyword, text, contract)
      keyword = undefined
    } else if (depth === 0 && !pending && keywords.has(text)) keyword = { word: text, start }
  }
  return functions
}

const keywords = new Set([
  'contract',
  'interface',
  'library',
  'function',
  'modifier',
  'constructor',
  'receive',
  'fallback',
])

/** What begins with a keyword, and the word after it. */
function begun({ word, start }: { word: string; start: number }, next: string | undefined, contract: string): Begun {
  if (word === 'contract' || word === 'interface' || word === 'library')
    return { kind: 'contract', name: next ?? '', start }
  const isNamed = word === 'function' || word === 'modifier'
  const name = isNamed ? (next ?? 'fallback') : word
  return { kind: 'function', name: contract === '' ? name : `${contract}.${name}`, start }
}

function endOf(bytes: string, mark: string, from: number): number {
  const at = bytes.indexOf(mark, from)
  return at < 0 ? bytes.length : at + mark.length
}

function endOfString(bytes: string, quote: string, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const character = bytes[at]
    if (character === '\\') at++
    else if (character === quote || character === '\n') return at + 1
  }
  return bytes.length
}
