import { useQueries } from '@tanstack/react-query'
import type { Address } from 'viem'
import { isAnyAddress } from '../../format/hash.ts'
import type { Unit } from '../abi/argument.ts'
import { queryClient } from '../rpc/queryClient.ts'
import { type Token, tokenQuery } from './token.ts'

/** How many tokens the arguments of one call may name. */
const tokenLimit = 8

/** The tokens that a call concerns: the contract that is called, and those among its arguments. */
function addressesOf(to: string, texts: readonly string[]): Address[] {
  const named = [to, ...texts].map((text) => text.trim().toLowerCase()).filter(isAnyAddress)
  return [...new Set(named)].slice(0, tokenLimit)
}

const known = (tokens: readonly (Token | null | undefined)[]): Token[] =>
  tokens.filter((token) => token !== null && token !== undefined && token.symbol !== '') as Token[]

/** The units in which the amounts of a call can be entered; that of the called token first. */
export async function loadArgumentUnits(to: string, texts: readonly string[]): Promise<Unit[]> {
  return known(await Promise.all(addressesOf(to, texts).map((address) => queryClient.fetchQuery(tokenQuery(address)))))
}

/** As `loadArgumentUnits`; empty while they load. */
export function useArgumentUnits(to: string, texts: readonly string[]): Unit[] {
  const queries = useQueries({ queries: addressesOf(to, texts).map(tokenQuery) })
  return known(queries.map(({ data }) => data))
}
