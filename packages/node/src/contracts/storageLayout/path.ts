/** A path into storage: a variable, then struct members, array indexes and mapping keys. */
export type PathStep = { kind: 'member' | 'index'; text: string }

const step = /\.?([A-Za-z_$][\w$]*)|\["((?:[^"\\]|\\.)*)"\]|\[([^\]"]*)\]/y

/** Parses `users[3].name`, `balances[0x…]` or `notes["a text"]`; `undefined` if it is invalid. */
export function parsePath(text: string): PathStep[] | undefined {
  const steps: PathStep[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (!match) return undefined
    const [, member, quoted, index] = match
    if (member !== undefined) steps.push({ kind: 'member', text: member })
    else steps.push({ kind: 'index', text: quoted === undefined ? (index ?? '') : unquote(quoted) })
  }
  return steps
}

export function formatIndex(label: string, text: string): string {
  return label === 'string' ? `[${JSON.stringify(text)}]` : `[${text}]`
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
