// A wallet with the accounts of an Understudy network, for the page that loads this file as a module:
//   <script type="module" src="http://127.0.0.1:8545/wallet.js"></script>
// It announces itself as EIP-6963 says. What it asks of a person appears in the dashboard, at /wallet.

const source = new URL(import.meta.url)
const key = source.searchParams.get('key')
const branch = source.searchParams.get('branch')
const endpoint = [
  source.origin,
  ...(branch ? ['n', branch] : []),
  ...(key ? ['rpc', encodeURIComponent(key)] : []),
].join('/')
const storageKey = `understudy.wallet ${endpoint}`
const pollMs = 400

/** Methods that a person approves, and the place of the account in their parameters. */
const accountOf = {
  eth_sendTransaction: ([transaction]) => transaction?.from,
  wallet_sendCalls: ([bundle]) => bundle?.from,
  personal_sign: ([, account]) => account,
  eth_sign: ([account]) => account,
  eth_signTypedData: ([account]) => account,
  eth_signTypedData_v3: ([account]) => account,
  eth_signTypedData_v4: ([account]) => account,
}

/** An error as EIP-1193 describes it. */
class ProviderRpcError extends Error {
  constructor(code, message, data) {
    super(message)
    this.name = 'ProviderRpcError'
    this.code = code
    this.data = data
  }
}

let nextId = 1
async function rpc(method, params = []) {
  let answer
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params })
    const headers = { 'content-type': 'application/json' }
    answer = await (await fetch(endpoint, { method: 'POST', headers, body })).json()
  } catch (error) {
    throw new ProviderRpcError(4900, `The network at ${source.origin} does not answer: ${error.message}`)
  }
  if (answer.error) throw new ProviderRpcError(answer.error.code, answer.error.message, answer.error.data)
  return answer.result
}

const listeners = new Map()
function emit(event, value) {
  for (const listener of [...(listeners.get(event) ?? [])]) listener(value)
}

/** The accounts that this page is connected to. */
let accounts = load()
function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((account) => /^0x[0-9a-f]{40}$/.test(account)) : []
  } catch {
    return []
  }
}
function setAccounts(changed) {
  accounts = changed
  try {
    localStorage.setItem(storageKey, JSON.stringify(changed))
  } catch {
    // A page without storage asks again when it is loaded again.
  }
  emit('accountsChanged', [...changed])
}

/** Waits for a person's answer in the dashboard. Throws 4001 if it is no. */
async function approval(method, params) {
  let request = await rpc('dev_openWalletRequest', [location.origin, method, params ?? []])
  const prompt =
    request.status === 'pending'
      ? window.open(`${source.origin}/wallet`, 'understudy-wallet', 'popup,width=440,height=640')
      : null
  while (request.status === 'pending') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    request = await rpc('dev_getWalletRequest', [request.id])
  }
  prompt?.close()
  if (request.status === 'approved') return request
  throw new ProviderRpcError(4001, 'The user rejected the request')
}

async function connect() {
  if (accounts.length > 0) return accounts
  const { account } = await approval('eth_requestAccounts', [])
  setAccounts([account])
  emit('connect', { chainId: await rpc('eth_chainId') })
  return accounts
}

const permissions = () =>
  accounts.length === 0
    ? []
    : [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [...accounts] }] }]

async function request({ method, params } = {}) {
  if (typeof method !== 'string') throw new ProviderRpcError(-32600, 'A request needs a method')
  switch (method) {
    case 'eth_accounts':
      return [...accounts]
    case 'eth_requestAccounts':
      return [...(await connect())]
    case 'wallet_requestPermissions':
      await connect()
      return permissions()
    case 'wallet_getPermissions':
      return permissions()
    case 'wallet_revokePermissions':
      setAccounts([])
      return null
  }
  // The wallet's own methods are not the page's.
  if (/^dev_\w*Wallet/.test(method)) throw new ProviderRpcError(4200, `The wallet does not support ${method}`)
  if (!Object.hasOwn(accountOf, method)) return rpc(method, params)
  const given = Array.isArray(params) ? params : []
  const account = accountOf[method](given) ?? (method === 'wallet_sendCalls' ? accounts[0] : undefined)
  if (!accounts.includes(String(account).toLowerCase()))
    throw new ProviderRpcError(4100, `The page is not connected to ${account}: call eth_requestAccounts first`)
  const sent = method === 'wallet_sendCalls' ? [{ ...given[0], from: account }] : given
  await approval(method, sent)
  return rpc(method, sent)
}

const provider = {
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

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#3b5bdb"/><circle cx="4" cy="4" r="2" fill="#fff"/></svg>',
  )
const detail = Object.freeze({
  info: Object.freeze({
    uuid: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
    name: 'Understudy',
    icon,
    rdns: 'dev.understudy',
  }),
  provider: Object.freeze(provider),
})
const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
window.addEventListener('eip6963:requestProvider', announce)
announce()
