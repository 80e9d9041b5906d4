import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadGenesis } from './genesisFile.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-genesis-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const address = 'aa'.repeat(20)

function load(genesis: unknown) {
  const path = join(directory, 'genesis.json')
  writeFileSync(path, typeof genesis === 'string' ? genesis : JSON.stringify(genesis))
  return loadGenesis(path)
}

describe('a genesis file', () => {
  it('takes numbers and addresses as geth writes them, and leaves out what has no effect', async () => {
    const genesis = await load({
      config: { chainId: 7, homesteadBlock: 0 },
      timestamp: '0x10',
      difficulty: '1',
      alloc: { [address.toUpperCase()]: { balance: '1000', nonce: '0x2', storage: { '1': '0x2' } } },
    })
    expect(genesis).toMatchObject({ chainId: 7n, timestamp: 16, coinbase: undefined })
    expect(genesis.alloc).toEqual({
      [`0x${address}`]: {
        balance: '0x3e8',
        nonce: '0x2',
        code: '0x',
        storage: { [`0x${'0'.repeat(63)}1`]: `0x${'0'.repeat(63)}2` },
      },
    })
  })

  it('has the same digest where it says the same, and another one where it does not', async () => {
    const digestOf = async (balance: unknown) => (await load({ alloc: { [address]: { balance } } })).digest
    expect(await digestOf('0x10')).toBe(await digestOf(16))
    expect(await digestOf('0x10')).not.toBe(await digestOf(17))
  })

  it.each<[unknown, string]>([
    ['{', 'JSON'],
    [[], 'expected an object, got an array of 0'],
    [{ timestamp: -1 }, 'timestamp: expected seconds since 1970 below 2^40'],
    [{ alloc: { '0x12': {} } }, 'alloc.0x12: expected an address of 20 bytes in hex'],
    [{ alloc: { [address]: {}, [`0x${address}`]: {} } }, 'expected each key once, got it twice'],
    [{ alloc: { [address]: { balance: '0x1', balnce: '0x2' } } }, 'balnce'],
    [{ alloc: { [address]: { balance: `0x1${'0'.repeat(64)}` } } }, 'balance: expected a number below 2^256'],
    [{ alloc: { [address]: { code: '0x1' } } }, 'code: expected code in 0x-hex'],
    [{ alloc: { [address]: { storage: { '0x1': 'z' } } } }, 'storage.0x1: expected at most 32 bytes in hex'],
  ])('is refused by the field of what is wrong: %j', async (genesis, problem) => {
    await expect(load(genesis)).rejects.toMatchObject({
      kind: 'CONFIG_INVALID',
      message: expect.stringContaining(problem),
    })
  })

  it('is refused where it is no file, or missing', async () => {
    await expect(loadGenesis(directory)).rejects.toMatchObject({ kind: 'CONFIG_INVALID' })
    await expect(loadGenesis(join(directory, 'none'))).rejects.toMatchObject({ kind: 'CONFIG_INVALID' })
  })
})
