export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'type' | 'plain'
export type Token = { kind: TokenKind; text: string }

const keywords = new Set(
  `abstract anonymous as assembly assert break case catch constant constructor continue contract default delete do else emit
  enum error event external fallback for from function global if immutable import indexed interface internal is let library
  mapping memory modifier new override payable pragma private public pure receive require return returns revert solidity
  storage struct switch transient try type unchecked unicode using view virtual while calldata this super true false wei
  gwei ether seconds minutes hours days weeks
  def self implements uses initializes exports nonreentrant deploy in not and or pass raise log range extcall staticcall`.split(
    /\s+/,
  ),
)
const type = /^(address|bool|string|bytes\d*|byte|u?int\d*|u?fixed\w*|var|HashMap|DynArray|Bytes|String|decimal)$/

const strings = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
const words = String.raw`(\b0x[\da-fA-F_]+\b|\b\d[\d_]*(?:\.\d+)?(?:e-?\d+)?\b)|([A-Za-z_$][\w$]*)`
const solidity = new RegExp(String.raw`(//[^\n]*|/\*[\s\S]*?(?:\*/|$))|(${strings})|${words}`, 'g')
const vyper = new RegExp(String.raw`(#[^\n]*|"""[\s\S]*?(?:"""|$))|(${strings})|${words}`, 'g')

/** Source text in lines of tokens: Vyper by the file extension, else Solidity. */
export function highlight(source: string, path: string): Token[][] {
  const lines: Token[][] = [[]]
  const push = (kind: TokenKind, text: string) => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ kind, text: part })
    }
  }
  let end = 0
  for (const match of source.matchAll(/\.vyi?$/.test(path) ? vyper : solidity)) {
    push('plain', source.slice(end, match.index))
    push(kindOf(match), match[0])
    end = match.index + match[0].length
  }
  push('plain', source.slice(end))
  return lines
}

function kindOf([, comment, text, number, word]: RegExpMatchArray): TokenKind {
  if (comment !== undefined) return 'comment'
  if (text !== undefined) return 'string'
  if (number !== undefined) return 'number'
  if (word !== undefined && type.test(word)) return 'type'
  return word !== undefined && keywords.has(word) ? 'keyword' : 'plain'
}
