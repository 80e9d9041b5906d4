import { z } from 'zod'
import { type AbiSource, addressFromAnswer, pauses, SourceFailure, sourceFilesOf } from './abiSource.ts'
import type { JsonClient } from './jsonClient.ts'

const Contract = z.object({
  ABI: z.string(),
  ContractName: z.string(),
  ContractFileName: z.string().optional(),
  CompilerVersion: z.string().optional(),
  SourceCode: z.string().optional(),
  Implementation: z.string().optional(),
})

/** `result` is a list on success, otherwise the reason of the failure. */
const Answer = z.object({
  status: z.string(),
  message: z.string(),
  result: z.union([z.string(), z.array(Contract).min(1)]),
})

const notVerified = 'Contract source code not verified'

/** Etherscan's API v2, one for all its chains, and compatible APIs. */
export function createEtherscan(
  { url, key, chainId }: { url: string; key: string | undefined; chainId: bigint },
  { client }: { client: JsonClient },
): AbiSource {
  return {
    name: 'etherscan',
    async load(address, signal) {
      const request = new URL(url)
      const query = { chainid: chainId.toString(), module: 'contract', action: 'getsourcecode', address }
      for (const [name, value] of Object.entries(query)) request.searchParams.set(name, value)
      if (key !== undefined) request.searchParams.set('apikey', key)
      const { body } = await client.get(request, signal)
      const { success, data } = Answer.safeParse(body)
      if (!success) throw new SourceFailure("did not answer in Etherscan's format", { pauseMs: pauses.down })
      const { result } = data
      if (typeof result === 'string') {
        if (result.startsWith(notVerified)) return undefined
        throw failureOf(result)
      }
      const [contract] = result
      // Without sources, the status is still "1", and the text is there instead of the ABI.
      if (!contract || contract.ABI.startsWith(notVerified)) return undefined
      return {
        name: contract.ContractName,
        abi: contract.ABI,
        implementation: addressFromAnswer(contract.Implementation),
        compiler: contract.CompilerVersion?.replace(/^v/, '') || undefined,
        files: filesOf(contract),
      }
    },
  }
}

/** The text of one file, standard JSON input in double braces, or the JSON of its sources alone. */
function filesOf({ SourceCode = '', ContractFileName, ContractName, CompilerVersion = '' }: z.output<typeof Contract>) {
  if (SourceCode === '') return []
  const path = ContractFileName || `${ContractName}.${/vyper/i.test(CompilerVersion) ? 'vy' : 'sol'}`
  const json = SourceCode.startsWith('{{') ? SourceCode.slice(1, -1) : SourceCode
  try {
    const parsed = JSON.parse(json)
    return sourceFilesOf(parsed.sources ?? parsed, ContractFileName)
  } catch {
    return [{ path, content: SourceCode }]
  }
}

/** All failures have HTTP 200 and differ only in their text. */
function failureOf(text: string): SourceFailure {
  if (/max daily rate limit/i.test(text))
    return new SourceFailure('has no requests left for this key today', { pauseMs: pauses.refused })
  if (/rate limit/i.test(text)) return new SourceFailure('limits the rate of requests', { pauseMs: pauses.rateLimited })
  if (/api key/i.test(text))
    return new SourceFailure('rejects the key, or needs one: see --explorer-key', { pauseMs: pauses.refused })
  if (/chainid|not supported/i.test(text))
    return new SourceFailure('does not serve this chain, or not with this key', { pauseMs: pauses.refused })
  return new SourceFailure(`answered an error: ${text.slice(0, 100)}`, { pauseMs: pauses.down })
}
