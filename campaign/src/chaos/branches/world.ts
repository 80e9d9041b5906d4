import type { Address, Hex } from 'viem'

/** What a network or a branch shows of the accounts that the client of branches uses. */
export type Shown = {
  /** The name of its parent; `null`: the network, or one that was removed. */
  parent: string | null
  balances: Readonly<Record<Address, bigint>>
  slots: Readonly<Record<Hex, bigint>>
  /** Of the client's account. */
  nonce: number
  /** The payments that have a receipt. */
  payments: readonly Hex[]
}

/** A network, whose name is empty, and its branches by their names. */
export type World = ReadonlyMap<string, Shown>

export const network = ''

export function shownOf(world: World, name: string): Shown {
  const shown = world.get(name)
  if (!shown) throw new Error(`nothing is known of ${name}`)
  return shown
}

export const withShown = (world: World, name: string, changed: Partial<Shown>): World =>
  new Map([...world, [name, { ...shownOf(world, name), ...changed }]])

export const withBranch = (world: World, name: string, parent: string): World =>
  new Map([...world, [name, { ...shownOf(world, parent), parent: parent === network ? null : parent }]])

export function withoutBranch(world: World, name: string): World {
  const rest = [...world].filter(([other]) => other !== name)
  return new Map(rest.map(([other, shown]) => [other, shown.parent === name ? { ...shown, parent: null } : shown]))
}

export const withName = (world: World, name: string, to: string): World =>
  new Map(
    [...world].map(([other, shown]) => [
      other === name ? to : other,
      shown.parent === name ? { ...shown, parent: to } : shown,
    ]),
  )
