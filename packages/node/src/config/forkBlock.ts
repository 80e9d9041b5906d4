import { forkBlock } from './values.ts'

/** The block that a URL names at its end, and the URL without it. */
type Parts = { url: string; block: string | undefined }

/**
 * The URLs of a live chain without the blocks that they name, as in `https://rpc.example@21000000`, and those blocks.
 * `@latest` names none. Other text after an @ is left alone: credentials are written with one.
 */
export function splitForkUrls(given: unknown): { urls: unknown; blocks: bigint[] } {
  const items = typeof given === 'string' ? given.split(',') : given
  if (!Array.isArray(items)) return { urls: given, blocks: [] }
  const parts = items.map((item): Parts => (typeof item === 'string' ? split(item.trim()) : { url: item, block: '' }))
  const blocks = parts.flatMap(({ block }) => (block && block !== 'latest' ? [forkBlock.parse(block)] : []))
  return { urls: parts.map(({ url }) => url), blocks }
}

function split(text: string): Parts {
  const at = text.lastIndexOf('@')
  const [url, block] = [text.slice(0, at), text.slice(at + 1)]
  // `https://name:secret@1` is no URL without its host.
  const isBlock = block === 'latest' || forkBlock.safeParse(block).success
  return at > 0 && isBlock && (!URL.canParse(text) || URL.canParse(url))
    ? { url, block }
    : { url: text, block: undefined }
}
