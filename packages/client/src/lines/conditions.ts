/** Longer pieces of source are not searched for a conditional expression. */
const searched = 2000

const openers = '([{'
const closers = ')]}'

/** Whether a piece of source, without what surrounds it, is an `if`, a call of `require` or `assert`, or a conditional expression. */
export function isCondition(text: string): boolean {
  return /^(if|require|assert)\s*\(/.test(text) || (text.length <= searched && isConditional(text))
}

/** Whether it has a `?` outside of parentheses, strings and comments, and is an expression without an assignment. */
function isConditional(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    const two = text.slice(at, at + 2)
    if (two === '//' || two === '/*') {
      const end = text.indexOf(two === '//' ? '\n' : '*/', at + 2)
      if (end < 0) return false
      at = end
    } else if (character === '"' || character === "'") {
      for (at++; at < text.length && text[at] !== character; at++) if (text[at] === '\\') at++
    } else if (openers.includes(character)) {
      if (character === '{' && depth === 0) return false
      depth++
    } else if (closers.includes(character)) depth--
    else if (depth > 0) continue
    else if (character === '?') return true
    else if (character === ';') return false
    else if (['==', '!=', '<=', '>='].includes(two)) at++
    else if (character === '=') return false
  }
  return false
}
