import { NetworkError } from '../../../shared/errors.ts'
import { projectPath, type RestRoute } from '../route.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** What has no counterpart in the network: the paths, and what to do instead. */
const refused: readonly { paths: readonly string[]; what: string; advice: string }[] = [
  {
    paths: [`${projectPath}/multivnets`, `${projectPath}/multivnets/*`],
    what: 'several vnets by one request',
    advice: 'send POST …/vnets for each; `understudy serve` has networks of several chains',
  },
  {
    paths: [
      '/public/v1/account/:account/project/:project/environments',
      '/public/v1/account/:account/project/:project/environments/*',
    ],
    what: 'environments',
    advice: 'make vnets with POST …/vnets, or networks of several chains with `understudy serve`',
  },
  {
    paths: [`${projectPath}/actions`, `${projectPath}/actions/*`],
    what: 'Web3 Actions, which run code for each block',
    advice: 'post the blocks to a program of yours with dev_setWebhook, or subscribe to them with eth_subscribe',
  },
]

/** Paths that are refused by name, rather than as if they did not exist. */
export const refusedRoutes: readonly RestRoute[] = refused.flatMap(({ paths, what, advice }) =>
  methods.map(
    (method): RestRoute => ({
      ...{ method, paths, role: 'read' },
      async answer() {
        throw new NetworkError('UNSUPPORTED', { what: `${what}: ${advice}` })
      },
    }),
  ),
)
