import { describe, expect, it } from 'vitest'
import { chain, settle } from './maybePromise.ts'

const double = (value: number) => 2 * value
const raise = (error: Error): never => {
  throw error
}

describe('chain', () => {
  it('goes on at once with a value, and later with a promise', async () => {
    expect(chain(2, double)).toBe(4)
    const later = chain(Promise.resolve(2), double)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe(4)
  })
})

describe('settle', () => {
  const failed = (error: unknown) => (error as Error).message

  it('goes on with what a task returns or throws at once', () => {
    expect(settle(() => 2, String, failed)).toBe('2')
    expect(settle(() => raise(new Error('no')), String, failed)).toBe('no')
  })

  it('goes on with what a task resolves or rejects with', async () => {
    expect(await settle(async () => 2, String, failed)).toBe('2')
    expect(await settle(async () => raise(new Error('no')), String, failed)).toBe('no')
  })

  it('leaves errors of what follows to the caller', async () => {
    const next = () => raise(new Error('next'))
    expect(() => settle(() => 2, next, failed)).toThrow('next')
    await expect(settle(async () => 2, next, failed)).rejects.toThrow('next')
  })
})
