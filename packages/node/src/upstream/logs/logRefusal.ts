export type BlockRange = { from: bigint; to: bigint }

/** What to ask for after a query of logs was refused because it is too large. */
export type LogRefusal = {
  /** At least 1, and fewer than were asked for. */
  blocks: bigint
  /** Whether the words of the refusal named them; otherwise they are half. */
  isNamed: boolean
  /** Whether it is the number or size of the logs that is too large: other blocks may have fewer. */
  isOfResults: boolean
  /** The most logs of an answer, if the words named them. */
  rows?: number | undefined
}

const longestMessage = 1000
const resultWords = /results|response|\blogs matched|too big|time.?d? ?out/i
/** Providers advise a range as `[0x1, 0x2]` or `1-2`. */
const rangeWords = /\[\s*(0x[\da-f]{1,16}|\d{1,16})\s*,\s*(0x[\da-f]{1,16}|\d{1,16})\s*\]|range (\d{1,16})-(\d{1,16})/i
const rowWords = /(?:more than|max results) (\d{1,9})\b|logs matched by query exceeds limit of (\d{1,9})\b/i
const limitBefore = /(limit|max|up to|over|than|exceed|most|distance|size|threshold|set to|[>:=])/i
const blocksAfter = /^[ -]*(blocks?|range)\b/i

/** Reads the words of a refusal of more than one block, which providers choose freely and a hostile one may make up. */
export function readLogRefusal(message: string, { from, to }: BlockRange): LogRefusal {
  const text = message.slice(0, longestMessage)
  const asked = to - from + 1n
  const isOfResults = resultWords.test(text)
  const named = [advisedBlocks(text), ...limitsIn(text, isOfResults)].filter(
    (blocks) => blocks !== undefined && blocks >= 1n && blocks < asked,
  ) as bigint[]
  const rows = isOfResults ? rowsIn(text) : undefined
  const [first] = named
  if (first === undefined) return { blocks: asked / 2n, isNamed: false, isOfResults, rows }
  const blocks = advisedBlocks(text) === first ? first : named.reduce((least, each) => (each < least ? each : least))
  return { blocks, isNamed: true, isOfResults, rows }
}

/** The number before or after a word for logs. */
function rowsIn(text: string): number | undefined {
  const [, before, after] = rowWords.exec(text) ?? []
  const rows = Number(before ?? after)
  return rows > 0 ? rows : undefined
}

function advisedBlocks(text: string): bigint | undefined {
  const [, first, last, from, to] = rangeWords.exec(text) ?? []
  const [begin, end] = [first ?? from, last ?? to]
  return begin === undefined || end === undefined ? undefined : BigInt(end) - BigInt(begin) + 1n
}

/** Numbers that limit something; of results, only those of blocks. */
function limitsIn(text: string, isOfResults: boolean): bigint[] {
  const plain = text.replace(/https?:\S+|0x[\da-f]+/gi, ' ')
  return [...plain.matchAll(/(\d{1,3}(?:[.,]\d{3})+|\d{1,12})(k\b)?/gi)]
    .filter(({ 0: number, index }) => {
      const isOfBlocks = blocksAfter.test(plain.slice(index + number.length))
      return isOfBlocks || (!isOfResults && limitBefore.test(wordsBefore(plain, index)))
    })
    .map(([, digits = '', thousands]) => BigInt(digits.replace(/[.,]/g, '')) * (thousands ? 1000n : 1n))
}

/** The words between a number and the one before it. */
const wordsBefore = (text: string, index: number) =>
  text
    .slice(Math.max(0, index - 60), index)
    .split(/\d/)
    .at(-1) ?? ''
