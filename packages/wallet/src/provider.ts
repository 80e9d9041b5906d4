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

/** Methods that a person approves, and the index of the account in their parameters. */
const accountOf: Record<string, (params: readonly unknown[]) => unknown> = {
  eth_sendTransaction: ([transaction]) => fieldOf(transaction, 'from'),
  wallet_sendCalls: ([bundle]) => fieldOf(bundle, 'from'),
  personal_sign: ([, account]) => account,
  eth_sign: ([account]) => account,
  eth_signTypedData: ([account]) => account,
  eth_signTypedData_v3: ([account]) => account,
  eth_signTypedData_v4: ([account]) => account,
}

type Emit = (event: ProviderEvent, value: unknown) => void

const chainIdOf = (url: string) => rpc<string>(url, 'eth_chainId')

/** The networks that a page may use, the one that it uses, and the accounts that it is connected to. */
class PageConnection {
  readonly #urls: ProviderOptions['urls']
  readonly #emit: Emit
  readonly #key: string
  readonly #memory: Memory

  constructor(urls: ProviderOptions['urls'], emit: Emit) {
    this.#urls = urls
    this.#emit = emit
    this.#key = `understudy.wallet ${urls[0]}`
    this.#memory = { current: urls[0], added: [], accounts: {}, ...loadMemory(this.#key) }
    if (!this.#known().includes(this.#memory.current)) this.#memory.current = urls[0]
  }

  /** The URL of the network that is used. */
  get current(): string {
    return this.#memory.current
  }

  accounts(): string[] {
    return [...(this.#memory.accounts[this.current] ?? [])]
  }

  #known(): string[] {
    return [...new Set([...this.#urls, ...this.#memory.added])]
  }

  /** Asks for an account of a network, where another one can be chosen. */
  async #choose(url: string): Promise<void> {
    const { account } = await approval(url, 'eth_requestAccounts', [])
    this.#memory.accounts[url] = account === null ? [] : [account]
    saveMemory(this.#key, this.#memory)
  }

  /** Asks for an account, unless the page is connected to one. */
  async #connectTo(url: string): Promise<void> {
    if (!this.#memory.accounts[url]?.length) await this.#choose(url)
  }

  async #connectBy(ask: (url: string) => Promise<void>): Promise<string[]> {
    const [url, before] = [this.#memory.current, this.accounts()]
    await ask(url)
    if (before.length === 0) this.#emit('connect', { chainId: await chainIdOf(url) })
    if (this.accounts().join() !== before.join()) this.#emit('accountsChanged', this.accounts())
    return this.accounts()
  }

  /** Asks for an account, unless the page is connected to one. */
  connect(): Promise<string[]> {
    return this.#connectBy((url) => this.#connectTo(url))
  }

  /** Connects the page anew: that is how it offers another account (EIP-2255). */
  async requestPermissions(parameter: unknown): Promise<unknown> {
    const other = Object.keys(parameter ?? {}).find((name) => name !== 'eth_accounts')
    if (other !== undefined) throw invalid(`the wallet has no permission ${other}, only eth_accounts`)
    return permissionsOf(await this.#connectBy((url) => this.#choose(url)))
  }

  disconnect(): null {
    this.#memory.accounts = {}
    saveMemory(this.#key, this.#memory)
    this.#emit('accountsChanged', [])
    return null
  }

  /** The URL of the network with a chain id, of those that answer. */
  async #find(chainId: string): Promise<string | undefined> {
    const isIt = (url: string) => chainIdOf(url).then((id) => BigInt(id) === BigInt(chainId))
    for (const url of [this.#memory.current, ...this.#known()]) if (await isIt(url).catch(() => false)) return url
    return undefined
  }

  /** A page that is connected to an account stays so: each network asks for its own. */
  async #use(url: string): Promise<null> {
    if (url === this.#memory.current) return null
    const before = this.accounts()
    if (before.length > 0) await this.#connectTo(url)
    this.#memory.current = url
    saveMemory(this.#key, this.#memory)
    this.#emit('chainChanged', await chainIdOf(url))
    if (this.accounts().join() !== before.join()) this.#emit('accountsChanged', this.accounts())
    return null
  }

  async switchTo(parameter: unknown): Promise<null> {
    const chainId = requireChainId(parameter)
    const url = await this.#find(chainId)
    if (url !== undefined) return this.#use(url)
    throw new ProviderRpcError(
      4902,
      `Unrecognized chain ${chainId}: none of the networks at ${this.#known().map(hostOf).join(', ')} has it. Start one with this --chain-id, or add it with wallet_addEthereumChain`,
    )
  }

  async add(parameter: unknown): Promise<null> {
    const chainId = requireChainId(parameter)
    const found = await this.#find(chainId)
    if (found !== undefined) return this.#use(found)
    const given = fieldOf(parameter, 'rpcUrls')
    const offered = Array.isArray(given) ? given.filter((url) => typeof url === 'string' && URL.canParse(url)) : []
    for (const url of offered.slice(0, 5)) {
      const answered = await chainIdOf(url).catch(() => undefined)
      if (answered === undefined) continue
      if (BigInt(answered) !== BigInt(chainId))
        throw invalid(`rpcUrls: the node at ${hostOf(url)} has the chain id ${answered}, not ${chainId}`)
      if (this.#memory.added.length >= addedLimit) throw invalid(`a page may add ${addedLimit} networks at most`)
      await approval(this.#memory.current, 'wallet_addEthereumChain', [parameter])
      this.#memory.added.push(url)
      saveMemory(this.#key, this.#memory)
      return this.#use(url)
    }
    throw invalid('rpcUrls: none of them answers as a node')
  }
}

export function createProvider({ urls }: ProviderOptions): UnderstudyProvider {
  const listeners = new Map<string, Set<Listener>>()

  function emit(event: ProviderEvent, value: unknown): void {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value)
  }

  const page = new PageConnection(urls, emit)
  const subscriptions = createSubscriptions({
    onMessage: (message) => emit('message', message),
    onLost: (error) => emit('disconnect', error),
  })

  /** A request that a person approves. */
  async function ask(method: string, given: readonly unknown[]): Promise<unknown> {
    const url = page.current
    const own = method === 'wallet_sendCalls' ? page.accounts()[0] : undefined
    const account = accountOf[method]?.(given) ?? own
    if (!page.accounts().includes(String(account).toLowerCase()))
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
        return page.accounts()
      case 'eth_requestAccounts':
        return page.connect()
      case 'wallet_requestPermissions':
        return page.requestPermissions(given[0])
      case 'wallet_getPermissions':
        return permissionsOf(page.accounts())
      case 'wallet_revokePermissions':
        return page.disconnect()
      case 'wallet_switchEthereumChain':
        return page.switchTo(given[0])
      case 'wallet_addEthereumChain':
        return page.add(given[0])
      case 'eth_subscribe':
        return subscriptions.subscribe(page.current, given)
      case 'eth_unsubscribe':
        return subscriptions.unsubscribe(given[0])
    }
    // The wallet's own methods are not the page's.
    if (/^dev_\w*Wallet/.test(method)) throw new ProviderRpcError(4200, `The wallet does not support ${method}`)
    if (Object.hasOwn(accountOf, method)) return ask(method, given)
    return rpc(page.current, method, params ?? [])
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
