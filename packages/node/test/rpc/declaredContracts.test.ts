import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { loadChainProfile } from '../../src/network/chainProfileFile.ts'

const directory = mkdtempSync(join(tmpdir(), 'understudy-profile-'))
afterAll(() => rmSync(directory, { recursive: true }))

const address = `0x${'Ab'.repeat(20)}`
const oracle = { name: 'Oracle', address, abi: ['function price() view returns (uint256)'], answeredBy: 'liveChain' }

function profileWith(...contracts: unknown[]) {
  const path = join(directory, 'profile.json')
  writeFileSync(path, JSON.stringify({ chainId: 5, name: 'a chain', contracts }))
  return loadChainProfile(path)
}

it('takes contracts by address and by prefix, with lines of Solidity or JSON', async () => {
  const price = {
    type: 'function',
    name: 'price',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'uint256' }],
  }
  const { contracts } = await profileWith(oracle, { name: 'Vaults', prefix: '0xB2Ff', answeredBy: 'refused' })
  expect(contracts).toEqual([
    { name: 'Oracle', at: address.toLowerCase(), abi: [price], answeredBy: 'liveChain' },
    { name: 'Vaults', at: '0xb2ff', abi: [], answeredBy: 'refused' },
  ])
  const json = { type: 'function', name: 'f', stateMutability: 'view', inputs: [{ type: 'uint8[]' }], outputs: [] }
  expect((await profileWith({ ...oracle, abi: [json] })).contracts).toMatchObject([{ abi: [json] }])
})

it.each([
  ['contracts[0].answeredBy', { ...oracle, answeredBy: 'me' }, 'liveChain'],
  ['contracts[0].address', { ...oracle, address: '0x12' }, 'expected an address'],
  ['contracts[0].address', { ...oracle, prefix: '0xb200' }, 'expected either an address or a prefix'],
  ['contracts[0].address', { ...oracle, address: undefined }, 'expected either an address or a prefix'],
  ['contracts[0].address', { ...oracle, address: `0x${'00'.repeat(19)}05` }, 'Ethereum has precompiles there'],
  ['contracts[0].prefix', { ...oracle, address: undefined, prefix: '0xb2' }, 'expected 2 to 19 bytes'],
  ['contracts[0].prefix', { ...oracle, address: undefined, prefix: '0x0000' }, 'Ethereum has precompiles there'],
  ['contracts[0].abi', { ...oracle, abi: undefined }, 'expected the functions of the contract'],
  ['contracts[0].abi[1]', { ...oracle, abi: [...oracle.abi, 'function ('] }, 'function ('],
  ['contracts[0].abi[0]', { ...oracle, abi: [{ type: 'function', name: 'f', inputs: [{ type: 'unit' }] }] }, 'unit'],
  ['contracts[0].abi[0]', { ...oracle, abi: [7] }, 'a line of Solidity'],
  ['contracts[0].code', { ...oracle, code: '0x' }, 'not a known field'],
])('refuses %s of %j', async (field, contract, problem) => {
  await expect(profileWith(contract)).rejects.toMatchObject({
    kind: 'CONFIG_INVALID',
    details: { option: expect.stringContaining(field), problem: expect.stringContaining(problem) },
  })
})

it('refuses the same address twice, and more contracts than there is room for', async () => {
  await expect(profileWith(oracle, oracle)).rejects.toThrow(/contracts\[1\].*is declared twice/)
  const many = Array.from({ length: 17 }, (_, index) => ({ ...oracle, address: `0x${'cd'.repeat(19)}${index + 10}` }))
  await expect(profileWith(...many)).rejects.toThrow(/contracts/)
})
