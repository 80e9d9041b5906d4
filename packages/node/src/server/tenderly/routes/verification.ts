import type { Address } from '@understudy/evm'
import { z } from 'zod'
import { Address as AddressCodec } from '../../../rpc/codecs/hex.ts'
import { optional } from '../../../rpc/codecs/optional.ts'
import { decodeFields, VnetChainId } from '../fields.ts'
import type { RestRoute } from '../route.ts'

const Contract = z.looseObject({
  contractToVerify: z.string({ error: 'expected a file and a name, such as src/A.sol:A' }),
  compiler: z.looseObject({
    version: z.string({ error: 'expected the version of solc' }),
    settings: optional(z.record(z.string(), z.unknown())),
  }),
  sources: z.record(z.string(), z.looseObject({ code: z.string({ error: 'expected the text of a file' }) })),
  networks: z.record(z.string(), z.looseObject({ address: AddressCodec })),
})
const Body = z.looseObject({
  contracts: z.array(Contract).min(1, { error: 'is empty' }).max(20, { error: 'has more than 20 contracts' }),
})

/** Libraries as Tenderly's clients send them: `{ file: { addresses: { name: address } } }`. */
const Libraries = z.record(z.string(), z.looseObject({ addresses: z.record(z.string(), z.string()) }))

type VerifiedContract = {
  id: string
  address: Address
  network_id: string
  contract_name: string
  compiler_version: string
  match: string
}
type VerificationResult = { bytecode_mismatch_error?: { message: string }; verified_contract?: VerifiedContract }

/** `POST /v1/public/contracts/verify`, and the same of a project. What is verified is known to all who use the network. */
const verify: RestRoute = {
  method: 'POST',
  paths: ['/v1/public/contracts/verify', '/v1/accounts/:account/projects/:project/contracts/verify'],
  role: 'admin',
  async answer({ body, ofChain }) {
    const { contracts } = decodeFields(Body, body)
    const results: VerificationResult[] = []
    for (const { contractToVerify: contract, compiler, sources, networks } of contracts) {
      const compilerVersion = compiler.version.replace(/^v/, '')
      const input = {
        language: 'Solidity' as const,
        sources: Object.fromEntries(Object.entries(sources).map(([path, { code }]) => [path, { content: code }])),
        settings: settingsFrom(compiler.settings),
      }
      for (const [id, { address }] of Object.entries(networks)) {
        const network = await ofChain(decodeFields(VnetChainId, id, 'networks'))
        const claim = { address, contract, compilerVersion, input }
        const { match, failedAt, problem } = await network.call('dev_verifyContract', claim)
        const message = problem ?? ''
        if (failedAt === 'compilation')
          return { compilation_errors: [{ message, formatted_message: message }], results }
        results.push(
          match === null
            ? { bytecode_mismatch_error: { message } }
            : { verified_contract: { ...verifiedAt(id, address, contract), compiler_version: compilerVersion, match } },
        )
      }
    }
    return { results }
  },
}

export const verificationRoutes: readonly RestRoute[] = [verify]

const verifiedAt = (networkId: string, address: Address, contract: string) => ({
  id: `eth:${networkId}:${address}`,
  address,
  network_id: networkId,
  contract_name: contract.replace(/^.*:/s, ''),
})

function settingsFrom({ libraries, ...settings }: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { success, data = {} } = Libraries.safeParse(libraries)
  if (!success) return libraries === undefined ? settings : { ...settings, libraries }
  const byFile = Object.entries(data).map(([file, { addresses }]) => [file, addresses])
  return { ...settings, libraries: Object.fromEntries(byFile) }
}
