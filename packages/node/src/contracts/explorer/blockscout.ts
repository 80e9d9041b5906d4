import { z } from 'zod'
import { type AbiSource, addressFromAnswer, pauses, SourceFailure, type SourceFile } from './abiSource.ts'
import type { JsonClient } from './jsonClient.ts'

const Contract = z.object({
  abi: z.array(z.unknown()).nullish(),
  name: z.string().nullish(),
  compiler_version: z.string().nullish(),
  file_path: z.string().nullish(),
  source_code: z.string().nullish(),
  additional_sources: z.array(z.object({ file_path: z.string(), source_code: z.string() })).nullish(),
  /** `address` in releases before 7. */
  implementations: z.array(z.object({ address_hash: z.string(), address: z.string() }).partial()).nullish(),
})

/** API v2 of a Blockscout instance, which serves one chain. */
export function createBlockscout({ url }: { url: string }, { client }: { client: JsonClient }): AbiSource {
  return {
    name: 'blockscout',
    async load(address, signal) {
      const request = new URL(`${url.replace(/\/+$/, '')}/api/v2/smart-contracts/${address}`)
      const { status, body } = await client.get(request, signal)
      if (status === 404) return undefined
      const { success, data } = Contract.safeParse(body)
      if (status !== 200 || !success)
        throw new SourceFailure(`did not answer in Blockscout's format (HTTP ${status})`, { pauseMs: pauses.down })
      if (!data.abi) return undefined
      const [implementation] = data.implementations ?? []
      return {
        name: data.name ?? '',
        abi: JSON.stringify(data.abi),
        implementation: addressFromAnswer(implementation?.address_hash ?? implementation?.address),
        compiler: data.compiler_version?.replace(/^v/, ''),
        files: filesOf(data),
      }
    },
  }
}

function filesOf({ name, file_path, source_code, additional_sources }: z.output<typeof Contract>): SourceFile[] {
  const others = (additional_sources ?? []).map((one) => ({ path: one.file_path, content: one.source_code }))
  return source_code ? [{ path: file_path || `${name}.sol`, content: source_code }, ...others] : others
}
