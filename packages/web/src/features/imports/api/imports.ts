import { useQuery } from '@tanstack/react-query'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'
import { contractFrom } from './artifacts.ts'
import { type FoundFile, isArtifactPath } from './droppedFiles.ts'
import { readSources } from './sources.ts'

export type Imported = Result<'dev_importContracts'>

/** Reads artifacts and pushes them, all at once: none is kept when one is wrong. */
export function useImport() {
  return useAction(
    async (files: readonly FoundFile[]): Promise<Imported> => {
      const artifacts = files.filter(({ path }) => isArtifactPath(path))
      const found = await Promise.all(artifacts.map(async ({ path, file }) => contractFrom(path, await file.text())))
      // Of contracts with one name the first is taken: names are what a push goes by.
      const byName = new Map(found.flatMap((one) => (one ? [[one.name, one] as const] : [])).toReversed())
      if (byName.size === 0)
        throw new Error('No compiled contract was found. Drop Hardhat’s artifacts folder or Foundry’s out folder.')
      const textOf = await readSources(files)
      const contracts = [...byName.values()].map((one) => ({
        ...one,
        ...(one.sourcePath && { source: textOf(one.sourcePath) }),
      }))
      return rpc('dev_importContracts', { contracts })
    },
    ({ contracts }) => `${contracts.length} contracts are known`,
  )
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
    () => 'The contract is forgotten',
  )
}
