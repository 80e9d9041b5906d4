/** What OpenEthereum calls the errors of go-ethereum. */
const messages: Record<string, string> = {
  'contract creation code storage out of gas': 'Out of gas',
  'out of gas': 'Out of gas',
  'max code size exceeded': 'Out of gas',
  'invalid jump destination': 'Bad jump destination',
  'execution reverted': 'Reverted',
  'return data out of bounds': 'Out of bounds',
  'precompiled failed': 'Built-in failed',
}

const beginnings: readonly (readonly [string, string])[] = [
  ['invalid opcode', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
  ['stack limit reached', 'Out of stack'],
]

/** An error in OpenEthereum's words; those that have none there stay as they are. */
export function parityMessage(error: string): string {
  return messages[error] ?? beginnings.find(([beginning]) => error.startsWith(beginning))?.[1] ?? error
}
