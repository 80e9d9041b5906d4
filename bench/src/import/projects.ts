import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { artifacts } from '@understudy/testkit'

/** A contract as `dev_importContracts` takes it. */
export type ProjectContract = { name: string; abi: string; bytecode: string; creationBytecode: string }

const require = createRequire(import.meta.url)

/** Contracts of OpenZeppelin, Uniswap and the tests that can be deployed. */
export function realContracts(): ProjectContract[] {
  const folder = join(dirname(require.resolve('@openzeppelin/contracts/package.json')), 'build/contracts')
  const openzeppelin = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return [...Object.values(artifacts), ...openzeppelin].flatMap(
    ({ contractName, abi, bytecode, deployedBytecode }, index) =>
      deployedBytecode.length > 600 && !deployedBytecode.includes('_')
        ? [
            {
              name: `${contractName ?? 'contract'} ${index}`,
              abi: JSON.stringify(abi),
              bytecode: deployedBytecode,
              creationBytecode: bytecode,
            },
          ]
        : [],
  )
}

/** This many contracts: the real ones, then copies with other constants and lengths. */
export function manyContracts(count: number): ProjectContract[] {
  const real = realContracts()
  return Array.from({ length: count }, (_, index) => {
    const contract = real[index % real.length] as ProjectContract
    const round = Math.floor(index / real.length)
    if (round === 0) return contract
    const vary = (hex: string) => {
      const middle = hex.length - (hex.length % 4) - 200
      const constant = `63${round.toString(16).padStart(8, '0')}50`
      return `${hex.slice(0, middle)}${constant.repeat(1 + (round % 7))}${hex.slice(middle)}`
    }
    return {
      ...contract,
      name: `${contract.name}, varied ${round} times`,
      bytecode: vary(contract.bytecode),
      creationBytecode: vary(contract.creationBytecode),
    }
  })
}
