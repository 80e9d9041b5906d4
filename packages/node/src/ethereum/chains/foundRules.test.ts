import { describe, expect, it } from 'vitest'
import { type Header, headerFromRpc } from '../header.ts'
import { scheduleOf } from '../rules.ts'
import { boundedFindings, disagreementOf, type FoundRules, findRules, type RulesAnswers } from './foundRules.ts'
import type { Features } from './probe.ts'

const word = `0x${'a1'.repeat(32)}`
const ofPrague = {
  number: '0x16e3600',
  timestamp: '0x6ac54d00',
  baseFeePerGas: '0x7',
  withdrawalsRoot: word,
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: word,
  requestsHash: word,
}
const osakaHeader = headerFromRpc(ofPrague)
const amsterdamHeader = headerFromRpc({ ...ofPrague, blockAccessListHash: word, slotNumber: '0x9' })
/** Its dates name Amsterdam at both headers. */
const sepolia = scheduleOf(11_155_111n, osakaHeader)?.namesAt(osakaHeader)
const mainnet = scheduleOf(1n, osakaHeader)?.namesAt(osakaHeader)

const osaka: Features = {
  baseFee: true,
  push0: true,
  transientStorage: true,
  mcopy: true,
  blobBaseFee: true,
  clz: true,
  slotNumber: false,
  kzg: true,
  bls: true,
  p256Gas: 6_900,
  optimism: false,
  arbitrum: false,
}
const prague = { ...osaka, clz: false, p256Gas: 0 }
const amsterdam = { ...osaka, slotNumber: true }
const names = ['KZG_POINT_EVALUATION', 'BLS12_G1ADD', 'P256VERIFY']
const configOf = (target: number, max: number, baseFeeUpdateFraction: number, precompiles = names) => ({
  current: {
    precompiles: Object.fromEntries(precompiles.map((name) => [name, word])),
    blobSchedule: { target, max, baseFeeUpdateFraction },
  },
})
const bpo1 = configOf(10, 15, 8_346_193)

function find(dated: readonly string[] | undefined, header: Header, answers: Partial<RulesAnswers>) {
  const known = { profile: undefined, thisYear: 1_767_225_600n, dated }
  const found = findRules({ features: undefined, delegates: false, config: undefined, ...answers }, header, known)
  const disagreement = disagreementOf(found, header, dated?.at(-1))
  return [found.hardfork, found.source, disagreement && `${disagreement.source} ${disagreement.hardfork}`]
}

describe('the rules of a chain with dates', () => {
  it.each([
    ['the probe, whatever is dated', mainnet, amsterdamHeader, { features: amsterdam }, 'amsterdam', 'schedule bpo2'],
    ['the probe, where a date was withdrawn', sepolia, osakaHeader, { features: osaka }, 'osaka', 'schedule amsterdam'],
    ['the date among forks that run the same', mainnet, osakaHeader, { features: osaka }, 'bpo2', undefined],
    ['its blobs before the date', mainnet, osakaHeader, { features: osaka, config: bpo1 }, 'bpo1', 'schedule bpo2'],
    ['the probe, whatever the header has', mainnet, amsterdamHeader, { features: osaka }, 'bpo2', 'header amsterdam'],
    [
      'the probe, whatever upstream says',
      mainnet,
      osakaHeader,
      { features: osaka, config: configOf(6, 9, 5_007_716, ['KZG_POINT_EVALUATION']) },
      'osaka',
      'eth_config cancun',
    ],
    ['the probe, which is older', mainnet, osakaHeader, { features: prague }, 'prague', 'schedule bpo2'],
  ] as const)('are by %s', (_, dated, header, answers, hardfork, disagreement) => {
    expect(find(dated, header, answers)).toEqual([hardfork, 'probe', disagreement])
  })

  it.each([
    ['upstream says', mainnet, osakaHeader, { config: bpo1 }, 'bpo1', 'eth_config', 'schedule bpo2'],
    ['is dated', sepolia, amsterdamHeader, {}, 'amsterdam', 'schedule', undefined],
    ['the header has less', sepolia, osakaHeader, {}, 'bpo2', 'header', 'schedule amsterdam'],
    ['the header has more', mainnet, amsterdamHeader, {}, 'amsterdam', 'header', 'schedule bpo2'],
    [
      'the header has more than',
      mainnet,
      amsterdamHeader,
      { config: bpo1 },
      'amsterdam',
      'eth_config',
      'schedule bpo2',
    ],
  ] as const)('are without a probe what %s', (_, dated, header, answers, hardfork, source, disagreement) => {
    expect(find(dated, header, answers)).toEqual([hardfork, source, disagreement])
  })

  it('are not found before the oldest fork that is known here', () => {
    const old = headerFromRpc({ number: '0xa00000', timestamp: '0x5ebb0000', difficulty: '0x1' })
    const dated = scheduleOf(1n, old)?.namesAt(old)
    expect(
      findRules(
        {
          features: { ...prague, baseFee: false, push0: false, transientStorage: false, bls: false },
          delegates: false,
          config: undefined,
        },
        old,
        { profile: undefined, thisYear: 0n, dated },
      ).hardfork,
    ).toBe('berlin')
    const older = headerFromRpc({ number: '0x7a1200', timestamp: '0x5d000000', difficulty: '0x1' })
    const before = scheduleOf(1n, older)?.namesAt(older)
    expect(
      findRules({ features: undefined, delegates: false, config: undefined }, older, {
        profile: undefined,
        thisYear: 0n,
        dated: before,
      }).hardfork,
    ).toBe('petersburg')
  })
})

it('lets headers of other chains have fewer fields than their rules', () => {
  const london = headerFromRpc({ number: '0x1', timestamp: '0x6ac54d00', baseFeePerGas: '0x7', difficulty: '0x2' })
  expect(find(undefined, london, { features: prague })).toEqual(['prague', 'probe', undefined])
  expect(find(undefined, osakaHeader, { features: { ...prague, bls: false } })).toEqual([
    'cancun',
    'probe',
    'header prague',
  ])
})

describe('what is stored of a chain that shows other rules with each head', () => {
  const at = (since: number, hardfork: string) => ({ since: String(since), hardfork }) as FoundRules

  it('is bounded, and keeps the rules that held for long', () => {
    const upgrades = [at(0, 'cancun'), at(100_000, 'prague'), at(200_000, 'osaka')]
    let found = upgrades
    for (let head = 0; head < 500; head++)
      found = boundedFindings([...found, at(300_000 + head * 12, head % 2 === 0 ? 'amsterdam' : 'osaka')], 8)
    expect(found).toHaveLength(8)
    expect(found.slice(0, 3)).toEqual(upgrades)
    expect(found.at(-1)).toEqual(at(300_000 + 499 * 12, 'osaka'))
    expect(boundedFindings(upgrades)).toEqual(upgrades)
  })
})
