import { addedLimit, loadMemory, type Memory, saveMemory } from './memory.ts'
import { approval, hostOf, rpc } from './network.ts'
import { ProviderRpcError } from './providerRpcError.ts'
import { createSubscriptions } from './subscriptions.ts'

export type ProviderOptions = {
  /**
   * JSON-RPC URLs of running networks, with different chain ids. The first is used until the page switches. A branch is
   * at `/n/NAME`; an API key is part of the path, `/rpc/KEY`.
   */
  urls: readonly [string, ...string[]]
}

export type ProviderEvent = 'connect' | 'disconnect' | 'accountsChanged' | 'chainChanged' | 'message'

// biome-ignore lint/suspicious/noExplicitAny: what a listener gets depends on the event
type Listener = (value: any) => void

/** A wallet with the accounts of Understudy networks (EIP-1193). What it asks of a person appears in the dashboard. */
export type UnderstudyProvider = {
  /** Throws `ProviderRpcError`. */
  request(request: { method: string; params?: unknown }): Promise<unknown>
  on(event: ProviderEvent, listener: Listener): UnderstudyProvider
  removeListener(event: ProviderEvent, listener: Listener): UnderstudyProvider
}

/** Methods that a person approves, and the place of the account in their parameters. */
const accountOf: Record<string, (params: readonly unknown[]) => unknown> = {
  eth_sendTransaction: ([transaction]) => fieldOf(transaction, 'from'),
  wallet_sendCalls: ([bundle]) => fieldOf(bundle, 'from'),
  personal_sign: ([, account]) => account,
  eth_sign: ([account]) => account,
  eth_signTypedData: ([account]) => account,
  eth_signTypedData_v3: ([account]) => account,
  eth_signTypedData_v4: ([account]) => account,
}

export function createProvider({ urls }: ProviderOptions): UnderstudyProvider {
  const key = `understudy.wallet ${urls[0]}`
  const stored = loadMemory(key)
  const memory: Memory = { current: urls[0], added: [], accounts: {}, ...stored }
  const known = () => [...new Set([...urls, ...memory.added])]
  if (!known().includes(memory.current)) memory.current = urls[0]
  const listeners = new Map<string, Set<Listener>>()

  function emit(event: ProviderEvent, value: unknown): void {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value)
  }

  const subscriptions = createSubscriptions({
    onMessage: (message) => emit('message', message),
    onLost: (error) => emit('disconnect', error),
  })

  const accounts = (): string[] => [...(memory.accounts[memory.current] ?? [])]
  const chainIdOf = (url: string) => rpc<string>(url, 'eth_chainId')

  /** Asks for an account of a network, where another one can be chosen. */
  async function choose(url: string): Promise<void> {
    const { account } = await approval(url, 'eth_requestAccounts', [])
    memory.accounts[url] = account === null ? [] : [account]
    saveMemory(key, memory)
  }

  /** Asks for an account, unless the page is connected to one. */
  const connectTo = async (url: string) => {
    if (!memory.accounts[url]?.length) await choose(url)
  }

  async function connect(ask: (url: string) => Promise<void>): Promise<string[]> {
    const [url, before] = [memory.current, accounts()]
    await ask(url)
    if (before.length === 0) emit('connect', { chainId: await chainIdOf(url) })
    if (accounts().join() !== before.join()) emit('accountsChanged', accounts())
    return accounts()
  }

  /** Connects the page anew: that is how it offers another account (EIP-2255). */
  async function requestPermissions(parameter: unknown): Promise<unknown> {
    const other = Object.keys(parameter ?? {}).find((name) => name !== 'eth_accounts')
    if (other !== undefined) throw invalid(`the wallet has no permission ${other}, only eth_accounts`)
    return permissionsOf(await connect(choose))
  }

  function disconnect(): null {
    memory.accounts = {}
    saveMemory(key, memory)
    emit('accountsChanged', [])
    return null
  }

  /** The URL of the network with a chain id, of those that answer. */
  async function find(chainId: string): Promise<string | undefined> {
    const isIt = (url: string) => chainIdOf(url).then((id) => BigInt(id) === BigInt(chainId))
    for (const url of [memory.current, ...known()]) if (await isIt(url).catch(() => false)) return url
    return undefined
  }

  /** A page that is connected to an account stays so: each network asks for its own. */
  async function use(url: string): Promise<null> {
    if (url === memory.current) return null
    const before = accounts()
    if (before.length > 0) await connectTo(url)
    memory.current = url
    saveMemory(key, memory)
    emit('chainChanged', await chainIdOf(url))
    if (accounts().join() !== before.join()) emit('accountsChanged', accounts())
    return null
  }

  async function switchTo(parameter: unknown): Promise<null> {
    const chainId = requireChainId(parameter)
    const url = await find(chainId)
    if (url !== undefined) return use(url)
    throw new ProviderRpcError(
      4902,
      `Unrecognized chain ${chainId}: none of the networks at ${known().map(hostOf).join(', ')} has it. Start one with this --chain-id, or add it with wallet_addEthereumChain`,
    )
  }

  async function add(parameter: unknown): Promise<null> {
    const chainId = requireChainId(parameter)
    const found = await find(chainId)
    if (found !== undefined) return use(found)
    const given = fieldOf(parameter, 'rpcUrls')
    const offered = Array.isArray(given) ? given.filter((url) => typeof url === 'string' && URL.canParse(url)) : []
    for (const url of offered.slice(0, 5)) {
      const answered = await chainIdOf(url).catch(() => undefined)
      if (answered === undefined) continue
      if (BigInt(answered) !== BigInt(chainId))
        throw invalid(`rpcUrls: the node at ${hostOf(url)} has the chain id ${answered}, not ${chainId}`)
      if (memory.added.length >= addedLimit) throw invalid(`a page may add ${addedLimit} networks at most`)
      await approval(memory.current, 'wallet_addEthereumChain', [parameter])
      memory.added.push(url)
      saveMemory(key, memory)
      return use(url)
    }
    throw invalid('rpcUrls: none of them answers as a node')
  }

  /** A request that a person approves. */
  async function ask(method: string, given: readonly unknown[]): Promise<unknown> {
    const url = memory.current
    const own = method === 'wallet_sendCalls' ? accounts()[0] : undefined
    const account = accountOf[method]?.(given) ?? own
    if (!accounts().includes(String(account).toLowerCase()))
      throw new ProviderRpcError(4100, `The page is not connected to ${account}: call eth_requestAccounts first`)
    const sent = method === 'wallet_sendCalls' ? [{ ...(given[0] as object), from: account }] : given
    await approval(url, method, sent)
    return rpc(url, method, sent)
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (typeof method !== 'string') throw new ProviderRpcError(-32600, 'A request needs a method')
    const given: readonly unknown[] = Array.isArray(params) ? params : []
    switch (method) {
      case 'eth_accounts':
        return accounts()
      case 'eth_requestAccounts':
        return connect(connectTo)
      case 'wallet_requestPermissions':
        return requestPermissions(given[0])
      case 'wallet_getPermissions':
        return permissionsOf(accounts())
      case 'wallet_revokePermissions':
        return disconnect()
      case 'wallet_switchEthereumChain':
        return switchTo(given[0])
      case 'wallet_addEthereumChain':
        return add(given[0])
      case 'eth_subscribe':
        return subscriptions.subscribe(memory.current, given)
      case 'eth_unsubscribe':
        return subscriptions.unsubscribe(given[0])
    }
    // The wallet's own methods are not the page's.
    if (/^dev_\w*Wallet/.test(method)) throw new ProviderRpcError(4200, `The wallet does not support ${method}`)
    if (Object.hasOwn(accountOf, method)) return ask(method, given)
    return rpc(memory.current, method, params ?? [])
  }

  const provider: UnderstudyProvider = {
    request,
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  return Object.freeze(provider)
}

const permissionsOf = (accounts: readonly string[]) =>
  accounts.length === 0
    ? []
    : [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: accounts }] }]

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function requireChainId(parameter: unknown): string {
  const chainId = fieldOf(parameter, 'chainId')
  if (typeof chainId === 'string' && /^0x[\da-f]{1,64}$/i.test(chainId)) return chainId
  throw invalid('params[0].chainId: expected 0x and hex digits')
}

const invalid = (problem: string) => new ProviderRpcError(-32602, `Invalid parameters: ${problem}`)
