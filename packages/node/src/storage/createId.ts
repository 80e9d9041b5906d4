import { randomBytes } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const characters = `${letters}0123456789`

/** An unguessable id of a stored record, in the form of a cuid2: a letter, and 23 letters or digits. */
export function createId(): string {
  const [first = 0, ...rest] = randomBytes(24)
  return `${letters[first % letters.length]}${rest.map((byte) => characters[byte % characters.length]).join('')}`
}
