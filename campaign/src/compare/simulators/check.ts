import type { Packages } from './packages.ts'
import type { World } from './world.ts'

/** One use of a client. */
export type Check = {
  name: string
  /** Throws an error that says what differs. */
  run(): Promise<void>
}

/** A client of others, and what is done with it. */
export type Client = {
  name: string
  load(packages: Packages, world: World): Promise<Check[]>
}

/** Throws unless both are the same. Values that JSON has not are compared as text. */
export function requireSame(what: string, actual: unknown, expected: unknown): void {
  const [got, wanted] = [textOf(actual), textOf(expected)]
  if (got !== wanted) throw new Error(`${what} is ${shortened(got)} instead of ${shortened(wanted)}`)
}

/** Throws unless the condition holds. */
export function require(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message)
}

export const textOf = (value: unknown) =>
  JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part))

const shortened = (text = 'undefined') => (text.length <= 400 ? text : `${text.slice(0, 400)}… (${text.length})`)
