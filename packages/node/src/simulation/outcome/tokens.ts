import type { Address, Done, Word } from '@understudy/evm'
import { decodeAbiParameters } from 'viem'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import { createBoundedCache } from '../../shared/caches.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { readableText } from '../../shared/readableText.ts'
import type { LoadingView } from '../../state/view.ts'
import type { AssetKind, TouchedToken } from './outcome.ts'
import { type Answer, callData, type StateReads, wordOf } from './stateReads.ts'

export type TokenFacts = Omit<TouchedToken, 'kind'>

/** What a token says of itself, in any state. Its answers are remembered as long as what they were read from stays the same. */
export type TokenFactsReader = {
  load(
    reads: StateReads,
    view: LoadingView,
    token: Address,
    kind: Exclude<AssetKind, 'native'>,
  ): MaybePromise<TokenFacts>
}

/** What facts were read from. */
type Remembered = { facts: TokenFacts; codes: [Address, Word][]; slots: [Address, Word, bigint][] }

/** Number of tokens whose facts are remembered. */
const cacheLimit = 5000
/** Facts that depend on more are not remembered. */
const readLimit = 40
/** Longest name and symbol, in characters. */
const textLimit = 100

const selectors = { name: '06fdde03', symbol: '95d89b41', decimals: '313ce567' } as const

export function createTokenFacts(): TokenFactsReader {
  const cache = createBoundedCache<Address, Remembered>(cacheLimit)

  return {
    load(reads, view, token, kind) {
      const known = cache.get(token)
      if (known && isSame(known, view)) return known.facts
      const results: Done[] = []
      const ask = (selector: string) => reads.ask(view, token, callData(selector), (result) => results.push(result))
      const asked = [ask(selectors.name), ask(selectors.symbol), kind === 'erc20' ? ask(selectors.decimals) : undefined]
      return chain(allOf(asked), ([name, symbol, decimals]) => {
        const facts = factsFrom(name as Answer, symbol as Answer, decimals, kind === 'erc1155')
        const remembered = { facts, ...readsOf(results, view) }
        const isWhole = results.length === (kind === 'erc20' ? 3 : 2)
        if (isWhole && remembered.slots.length + remembered.codes.length <= readLimit) cache.set(token, remembered)
        return facts
      })
    },
  }
}

/** All values, at once if all of them are there. */
export function allOf<Value>(values: readonly MaybePromise<Value>[]): MaybePromise<Value[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Value[])
}

/** Whether facts hold in a state. What is not in memory has not changed here. */
function isSame({ codes, slots }: Remembered, view: LoadingView): boolean {
  return (
    codes.every(([address, hash]) => (view.account(address)?.codeHash ?? hash) === hash) &&
    slots.every(([address, slot, value]) => (view.storage(address, slot) ?? value) === value)
  )
}

function readsOf(results: readonly Done[], view: LoadingView): Omit<Remembered, 'facts'> {
  const codes: Remembered['codes'] = []
  const slots: Remembered['slots'] = []
  for (const { readSet } of results) {
    for (const address of readSet.accounts) {
      const account = view.account(address)
      if (account) codes.push([address, account.codeHash])
    }
    for (const [address, keys] of readSet.slots)
      for (const slot of keys) slots.push([address, slot, view.storage(address, slot) ?? 0n])
  }
  return { codes, slots }
}

/** `mayLack`: an ERC-1155 has no name and no symbol, though many do. */
function factsFrom(name: Answer, symbol: Answer, decimals: Answer | undefined, mayLack: boolean): TokenFacts {
  const problems: string[] = []
  const text = (label: string, answer: Answer) => {
    if (answer.problem !== undefined && !(mayLack && answer.problem === 'reverted'))
      problems.push(`${label}() ${answer.problem}`)
    return answer.output && textOf(answer.output)
  }
  const number = decimals && wordOf(decimals)
  if (decimals?.problem !== undefined) problems.push(`decimals() ${decimals.problem}`)
  else if (number !== undefined && number > 255n) problems.push(`decimals() returned ${number}`)
  return {
    name: text('name', name),
    symbol: text('symbol', symbol),
    decimals: number !== undefined && number <= 255n ? Number(number) : undefined,
    problems,
  }
}

/** A text, or a word with one, as old tokens have it: MKR. */
function textOf(output: Uint8Array): string | undefined {
  if (output.length === 0) return undefined
  if (output.length === 32)
    return shown(
      Buffer.from(output)
        .toString()
        .replace(/\0{1,32}$/, ''),
    )
  try {
    return shown(decodeAbiParameters([{ type: 'string' }], hexFromBytes(output))[0])
  } catch {
    return undefined
  }
}

const shown = (text: string) => readableText(text.slice(0, textLimit))
