import { z } from 'zod'
import { type AbiSource, addressFromAnswer, pauses, SourceFailure, sourceFilesOf } from './abiSource.ts'
import type { JsonClient } from './jsonClient.ts'

const Contract = z.object({
  abi: z.array(z.unknown()).nullish(),
  compilation: z
    .object({ name: z.string(), fullyQualifiedName: z.string(), compilerVersion: z.string() })
    .partial()
    .nullish(),
  sources: z.unknown(),
  proxyResolution: z
    .object({ implementations: z.array(z.object({ address: z.string() })) })
    .partial()
    .nullish(),
})

/** Sourcify's API v2. */
export function createSourcify(
  { url, chainId }: { url: string; chainId: bigint },
  { client }: { client: JsonClient },
): AbiSource {
  return {
    name: 'sourcify',
    async load(address, signal) {
      const request = new URL(`${url.replace(/\/+$/, '')}/v2/contract/${chainId}/${address}`)
      request.searchParams.set('fields', 'abi,compilation,sources,proxyResolution')
      const { status, body } = await client.get(request, signal)
      if (status === 404) return undefined
      const { success, data } = Contract.safeParse(body)
      if (status !== 200 || !success)
        throw new SourceFailure(`did not answer in Sourcify's format (HTTP ${status})`, { pauseMs: pauses.down })
      if (!data.abi) return undefined
      const [implementation] = data.proxyResolution?.implementations ?? []
      return {
        name: data.compilation?.name ?? '',
        abi: JSON.stringify(data.abi),
        implementation: addressFromAnswer(implementation?.address),
        compiler: data.compilation?.compilerVersion,
        files: sourceFilesOf(data.sources, data.compilation?.fullyQualifiedName?.replace(/:[^:]*$/, '')),
      }
    },
  }
}
