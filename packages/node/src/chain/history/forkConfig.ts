import { crc32 } from 'node:zlib'
import { type Address, type Hex, requireRules } from '@understudy/evm'
import type { BlobSchedule } from '../../ethereum/fees.ts'
import type { BlockRules, Hardforks, ScheduledFork } from '../../ethereum/rules.ts'
import { beaconRoots, blockHashes } from '../../ethereum/systemRings.ts'
import { addressFromNumber, bytesFromHex } from '../../shared/hex.ts'
import { ringsOf } from '../run/systemContracts.ts'
import { requestContractsOf } from '../sealing/blockRequests.ts'
import type { History } from './history.ts'

/** The rules of a fork in EIP-7910's format. */
export type ForkConfig = {
  /** Seconds since 1970; 0 for a fork that is active from the first block. */
  activationTime: bigint
  blobs: BlobSchedule | undefined
  /** EIP-6122. */
  forkId: Hex
  precompiles: Record<string, Address>
  systemContracts: Record<string, Address>
}

/** `next` and `last` are `undefined` if no fork is scheduled. */
export type ForkConfigs = { current: ForkConfig; next: ForkConfig | undefined; last: ForkConfig | undefined }

/** Names by number, starting with 1. */
const precompileNames = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
  'KZG_POINT_EVALUATION',
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
]

/** By the type of their requests (EIP-7002, EIP-7251). */
const requestContractNames: Readonly<Record<number, string>> = {
  1: 'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS',
  2: 'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS',
}

/** Returns the rules at the head, and of later forks. */
export type ForkConfigReader = { load(): Promise<ForkConfigs> }

type Needs = {
  history: Pick<History, 'head' | 'loadBlock'>
  hardforks: Hardforks
  /** The system contracts that exist; the network calls no others. */
  deployed: ReadonlySet<Address>
}

/** `schedule` is `undefined` if no other fork is scheduled. */
export function createForkConfigs(
  schedule: readonly ScheduledFork[] = [],
  { history, hardforks, deployed }: Needs,
): ForkConfigReader {
  const configOf = ({ activationTime, rules, forkId }: ScheduledFork): ForkConfig => ({
    activationTime,
    blobs: rules.blobs,
    forkId,
    precompiles: precompilesOf(rules),
    systemContracts: systemContractsOf(rules, deployed),
  })

  return {
    async load() {
      const { header } = history.head()
      const inForce = hardforks(header)
      // The live chain may not run what began by its dates.
      const begun = schedule.findLast(
        ({ activationTime, rules }) => activationTime <= header.timestamp && isSameFork(rules, inForce),
      )
      const toCome = schedule.filter(({ activationTime }) => activationTime > header.timestamp).map(configOf)
      const genesis = await history.loadBlock({ number: 0n })
      const forkId = forkIdOf((genesis?.value.hash ?? '0x') as Hex)
      return {
        current: configOf({ ...(begun ?? { activationTime: 0n, forkId }), rules: inForce }),
        next: toCome[0],
        last: toCome.at(-1),
      }
    },
  }
}

const isSameFork = (a: BlockRules, b: BlockRules): boolean =>
  a.fork === b.fork && a.blobs?.target === b.blobs?.target && a.blobs?.max === b.blobs?.max

/** The fork id of a chain whose forks are all active from its first block. */
const forkIdOf = (genesisHash: Hex): Hex => `0x${crc32(bytesFromHex(genesisHash)).toString(16).padStart(8, '0')}`

function systemContractsOf(rules: BlockRules, deployed: ReadonlySet<Address>): Record<string, Address> {
  const rings = ringsOf(rules.fork, deployed)
  const queues = requestContractsOf(rules).flatMap(({ type, address }) => {
    const name = requestContractNames[type]
    return name !== undefined && deployed.has(address) ? [[name, address] as const] : []
  })
  return Object.fromEntries([
    ...(rings.beaconRoots ? [['BEACON_ROOTS_ADDRESS', beaconRoots] as const] : []),
    ...(rings.blockHashes ? [['HISTORY_STORAGE_ADDRESS', blockHashes] as const] : []),
    ...queues,
  ])
}

function precompilesOf({ fork, precompiles }: BlockRules): Record<string, Address> {
  const { lastPrecompile, p256 } = requireRules(fork)
  const numbers = precompileNames.map((_, index) => index + 1)
  const isThere = (number: number) =>
    (precompiles?.get(addressFromNumber(number)) ??
      (number <= lastPrecompile || (p256 && number === 0x100) ? number : 0)) > 0
  const named = numbers.filter(isThere).map((number) => [precompileNames[number - 1], addressFromNumber(number)])
  return Object.fromEntries([...named, ...(isThere(0x100) ? [['P256VERIFY', addressFromNumber(0x100)]] : [])])
}
