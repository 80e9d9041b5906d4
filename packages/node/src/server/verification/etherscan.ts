import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Claim, Verifications, VerifiedContract } from '../../contracts/verification/verifications.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import { requireFewValuesIn } from '../../shared/json/valueLimit.ts'
import { submitClaim, type VerificationNeeds } from './submitClaim.ts'

type Params = Record<string, string>
type Reply = { status: '0' | '1'; message: 'OK' | 'NOTOK'; result: unknown }

const ok = (result: unknown): Reply => ({ status: '1', message: 'OK', result })
const notOk = (result: string): Reply => ({ status: '0', message: 'NOTOK', result })
/** In Etherscan's words, because tools match on them. */
const notVerified = 'Contract source code not verified'

/** With and without a branch, and a key. `/verify` is where Tenderly's clients find it behind the RPC of a network. */
const paths = ['', '/n/:branch'].flatMap((network) =>
  ['', '/rpc/:key'].flatMap((key) =>
    ['/api', '/api/', '/verify', '/verify/', '/verify/etherscan', '/verify/etherscan/'].map(
      (path) => network + key + path,
    ),
  ),
)

/**
 * Etherscan's contract API at `/api` and `/verify`, also of branches: `verifysourcecode`, `checkverifystatus`, `getabi` and `getsourcecode`. Tools
 * verify contracts on the network as on a live chain. https://docs.etherscan.io/api-reference
 */
export function serveEtherscan(server: FastifyInstance, needs: VerificationNeeds): void {
  const { identification, bodyLimit } = needs
  server.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    for (const path of paths)
      scope.route({
        method: ['GET', 'POST'],
        url: path,
        bodyLimit,
        onRequest: identification.hook(
          (reply, { status, error }) => reply.code(status).send(notOk(error.message)),
          ({ query }) => (query as Params).apikey,
        ),
        handler: answer,
      })
  })

  /** Those of the network, or of a branch until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  async function servicesOf(request: FastifyRequest, reply: FastifyReply): Promise<VerificationNeeds['services']> {
    const { branch } = request.params as Params
    if (branch === undefined) return needs.services
    const { services, release } = await needs.services.branches.use(branch, () => {})
    reply.raw.once('close', release)
    return services
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<Reply> {
    const body = typeof request.body === 'object' ? (request.body as Params) : {}
    const params: Params = { ...(request.query as Params), ...body }
    try {
      const services = await servicesOf(request, reply)
      if (params.module === 'contract' && params.action === 'verifysourcecode')
        return await submit(request, params, services)
      identification.requireRole(request, 'read')
      return await run(params, services)
    } catch (error) {
      if (!isNetworkError(error)) throw error
      reply.code(error.kind === 'UNAUTHORIZED' ? 403 : error.kind === 'RATE_LIMITED' ? 429 : 200)
      return notOk(error.message)
    }
  }

  async function submit(
    request: FastifyRequest,
    params: Params,
    services: VerificationNeeds['services'],
  ): Promise<Reply> {
    if (request.method !== 'POST')
      throw new NetworkError('INVALID_REQUEST', { problem: 'verifysourcecode changes the network: use POST' })
    return ok((await submitClaim(request, () => claimFrom(params), { services, identification })).id)
  }

  async function run(params: Params, { verifications }: VerificationNeeds['services']): Promise<Reply> {
    if (params.module !== 'contract') throw unknown('module', params.module)
    switch (params.action) {
      case 'checkverifystatus':
        return statusOf(params.guid ?? '', verifications)
      case 'getabi': {
        const found = await verifications.load(addressFrom(params.address))
        return found ? ok(found.abi) : notOk(notVerified)
      }
      case 'getsourcecode': {
        const found = await verifications.load(addressFrom(params.address))
        return ok([found ? described(found) : { SourceCode: '', ABI: notVerified, ContractName: '' }])
      }
      default:
        throw unknown('action', params.action)
    }
  }

  async function statusOf(guid: string, verifications: Verifications): Promise<Reply> {
    const job = await verifications.job(guid)
    if (!job) return notOk('Unknown UID')
    if (job.state === 'pending') return notOk('Pending in queue')
    return job.state === 'verified' ? ok('Pass - Verified') : notOk(`Fail - Unable to verify: ${job.problem}`)
  }
}

function claimFrom(params: Params): Claim {
  const { sourceCode = '', contractname = '', compilerversion = '', codeformat = 'solidity-single-file' } = params
  return {
    address: addressFrom(params.contractaddress),
    contract: contractname.includes(':') ? contractname : `${singleFile}:${contractname}`,
    compilerVersion: compilerversion.replace(/^v/, ''),
    input: codeformat === 'solidity-standard-json-input' ? standardJson(sourceCode) : inputOf(codeformat, params),
  }
}

const singleFile = 'Contract.sol'

function standardJson(text: string): Claim['input'] {
  requireFewValuesIn(text, 'a request')
  try {
    const input = JSON.parse(text)
    if (typeof input.sources === 'object' && input.sources !== null) return input
  } catch {}
  throw new NetworkError('INVALID_PARAMS', { field: 'sourceCode', problem: "expected the compiler's standard JSON" })
}

/** One Solidity file and its compiler settings. */
function inputOf(codeformat: string, params: Params): Claim['input'] {
  if (codeformat !== 'solidity-single-file')
    throw new NetworkError('UNSUPPORTED', {
      what: `sources as ${codeformat}. Use solidity-standard-json-input or solidity-single-file`,
    })
  const { sourceCode = '', optimizationUsed, runs = '200', evmversion, evmVersion = evmversion } = params
  const path = params.contractname?.includes(':') ? params.contractname.replace(/:[^:]*$/, '') : singleFile
  const isDefault = evmVersion === undefined || evmVersion === '' || evmVersion === 'default'
  return {
    ...{ language: 'Solidity' },
    sources: { [path]: { content: sourceCode } },
    settings: {
      optimizer: { enabled: optimizationUsed === '1', runs: Number(runs) },
      ...(!isDefault && { evmVersion }),
    },
  }
}

function addressFrom(text = ''): `0x${string}` {
  if (!/^0x[\da-f]{40}$/i.test(text))
    throw new NetworkError('INVALID_PARAMS', { field: 'address', problem: `expected a 20-byte address, got "${text}"` })
  return text.toLowerCase() as `0x${string}`
}

/** Several sources are in double braces, as in Etherscan's API. */
function described({ name, abi, source = '', compiled }: VerifiedContract) {
  const input = compiled && (JSON.parse(compiled.input) as Claim['input'])
  const optimizer = input?.settings?.optimizer as { enabled?: boolean; runs?: number } | undefined
  return {
    SourceCode: compiled ? `{${compiled.input}}` : source,
    ABI: abi,
    ContractName: name,
    CompilerVersion: compiled ? `v${compiled.version}` : '',
    OptimizationUsed: optimizer?.enabled ? '1' : '0',
    Runs: String(optimizer?.runs ?? ''),
    ConstructorArguments: '',
    EVMVersion: String(input?.settings?.evmVersion ?? 'Default'),
    Library: '',
    LicenseType: '',
    Proxy: '0',
    Implementation: '',
    SwarmSource: '',
  }
}

function unknown(field: string, value = ''): NetworkError {
  return new NetworkError('UNSUPPORTED', {
    what: `the ${field} "${value}"; module=contract has verifysourcecode, checkverifystatus, getabi and getsourcecode`,
  })
}
