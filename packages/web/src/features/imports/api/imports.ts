import { useQuery } from '@tanstack/react-query'
import { type CompiledContract, readArtifacts } from '@understudy/client/artifacts'
import { formatCount } from '../../../format/amount.ts'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'
import { type FoundFile, projectFrom } from './droppedFiles.ts'

export type Imported = Result<'dev_importContracts'>

/** Characters of sources in one import, at most. Sources beyond are left out. */
const sourceLimit = 20_000_000

/** Imports all contracts of a project at once: if one is invalid, none is imported. */
export function useImport() {
  return useAction(
    async (files: readonly FoundFile[]): Promise<Imported> => {
      const contracts = await readArtifacts(projectFrom(files), { storageLayouts: true })
      if (contracts.length === 0)
        throw new Error('No compiled contracts found. Drop a project that Foundry or Hardhat has compiled.')
      return rpc('dev_importContracts', { contracts: withinSourceLimit(contracts) })
    },
    ({ contracts }) => `${formatCount(contracts.length, 'contract')} imported`,
  )
}

function withinSourceLimit(contracts: readonly CompiledContract[]): CompiledContract[] {
  let left = sourceLimit
  return contracts.map((contract) => {
    const size = contract.source?.length ?? 0
    if (size > left) return { ...contract, source: undefined }
    left -= size
    return contract
  })
}

export function useImportedContracts() {
  return useQuery({
    queryKey: ['head', 'importedContracts'],
    queryFn: () => rpc('dev_getImportedContracts'),
  })
}

export function useRemoveImported() {
  return useAction(
    (id: string) => rpc('dev_removeImportedContract', id),
    () => 'Contract removed',
  )
}
